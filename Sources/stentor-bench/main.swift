// Measures the engine: `stentor-bench [--json] [--only NAME] [--rounds N]` prints a row for each target; see Docs/performance.md.

import Glibc
import StentorBase
import StentorFleet
import StentorLoop

SignalSource.ignoreBrokenPipes()
DescriptorLimit.raise()

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "echo-server", arguments.count == 2 {
        SignalSource.block([SIGTERM, SIGINT])
        try EchoServer.run(address: arguments[1])
    } else {
        exit(try BenchCommand(arguments).run().rawValue)
    }
} catch {
    StandardStream.error.write((error as? UserFailure)?.rendered ?? (error as? UserFailures)?.rendered ?? "stentor-bench: \(error)\n")
    exit((error as? UserFailure)?.exitCode.rawValue ?? ExitCode.failure.rawValue)
}
