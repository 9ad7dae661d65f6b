// A WebSocket testee for the Autobahn test suite: `client URL AGENT` runs all its cases, `server ADDRESS` echoes.

import Glibc
import StentorBase
import StentorLoop

let arguments = CommandLine.arguments.dropFirst()
SignalSource.ignoreBrokenPipes()

do {
    switch (arguments.first, arguments.count) {
    case ("client", 3): try AutobahnClient.run(url: arguments[2], agent: arguments[3])
    case ("server", 2): try AutobahnServer.run(address: arguments[2])
    default: throw UserFailure(.arguments, "expected: stentor-autobahn client URL AGENT | server HOST:PORT")
    }
} catch {
    let text = (error as? UserFailure)?.rendered ?? "stentor-autobahn: \(error)\n"
    StandardStream.error.write(text)
    exit((error as? UserFailure)?.exitCode.rawValue ?? ExitCode.failure.rawValue)
}
