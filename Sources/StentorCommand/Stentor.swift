import Glibc
import StentorBase
import StentorDialect
import StentorGateway
import StentorLoop

/// The program: reads the command line, carries the command out, gives the exit code.
public enum Stentor {
    /// The version of this tool.
    public static let version = "0.1.0"

    /// What ends a command in order: Ctrl-C, a service manager, a terminal that is closed.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    /// Runs a command line.
    ///
    /// Blocks the signals that end a command for all threads, because the commands read them from a descriptor: call it before any thread exists.
    ///
    /// - Parameter arguments: Without the program's name.
    public static func main(_ arguments: [String]) -> ExitCode {
        SignalSource.block(endingSignals)
        SignalSource.ignoreBrokenPipes()
        let console = Console()
        let table = CommandTable.standard(
            version: version, dialects: GatewayKind.all.map(\.dialect), gatewayOptions: GatewayFlags.specs)
        switch table.read(arguments) {
        case .text(let text): return console.writeResult(text) ? .success : .failure
        case .failures(let failures):
            console.report(failures.rendered)
            return failures.exitCode
        case .command(let command): return carryOut(command, console)
        }
    }

    private static func carryOut(_ command: ParsedCommand, _ console: Console) -> ExitCode {
        do {
            switch command {
            case .run(let arguments): return try RunCommand(arguments, console).carryOut()
            case .plan(let arguments): return try PlanCommand(arguments, console).carryOut()
            case .serve(let arguments): return try ServeCommand(arguments, console).carryOut()
            case .report(let arguments): return try ReportCommand(arguments, console).carryOut()
            case .trace(let arguments): return try TraceCommand(arguments, console).carryOut()
            case .check(let arguments): return try CheckCommand(arguments, console).carryOut()
            case .history(let arguments): return try HistoryCommand(arguments, console).carryOut()
            }
        } catch let failure as UserFailure {
            console.report(failure.rendered)
            return failure.exitCode
        } catch let failures as UserFailures {
            console.report(failures.rendered)
            return failures.exitCode
        } catch {
            // What is left are system calls that failed: no descriptors, no memory.
            console.report("stentor: \(error)\n")
            return .failure
        }
    }
}
