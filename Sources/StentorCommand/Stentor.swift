import Glibc
import StentorBase
import StentorDialect
import StentorGateway
import StentorLoop

/// The program: reads the command line, carries the command out, gives the exit code.
public enum Stentor {
    /// The version of this tool.
    public static let version = "0.1.0"

    /// Runs a command line.
    ///
    /// Blocks SIGINT and SIGTERM for all threads, because the commands read them from a descriptor: call it before any thread exists.
    ///
    /// - Parameter arguments: Without the program's name.
    public static func main(_ arguments: [String]) async -> ExitCode {
        SignalSource.block([SIGINT, SIGTERM])
        SignalSource.ignoreBrokenPipes()
        let console = Console()
        let table = CommandTable.standard(
            version: version, dialects: Dialect.all.map(\.name), gatewayOptions: GatewayFlags.specs)
        switch table.read(arguments) {
        case .text(let text): return console.write(text) ? .success : .failure
        case .failures(let failures):
            console.report(failures.rendered)
            return failures.exitCode
        case .command(let command): return await carryOut(command, console)
        }
    }

    private static func carryOut(_ command: ParsedCommand, _ console: Console) async -> ExitCode {
        do {
            switch command {
            case .run(let arguments): return try await RunCommand(arguments, console).carryOut()
            case .serve(let arguments): return try await ServeCommand(arguments, console).carryOut()
            }
        } catch let failure as UserFailure {
            console.report(failure.rendered)
            return failure.exitCode
        } catch let failures as UserFailures {
            console.report(failures.rendered)
            return failures.exitCode
        } catch {
            console.report("stentor: \(error)\n")
            return .failure
        }
    }
}

/// Runs a body as a task on a loop of its own, with the signals that end a program.
///
/// - Parameter body: Gets the loop; runs on it.
func withControlLoop<Result: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Result) async throws -> Result {
    let loop: EventLoop
    do { loop = try EventLoop(name: "control") } catch {
        throw UserFailure(.machine, "cannot start: \(error)", hint: "raise the limit of open files (ulimit -n)")
    }
    loop.start()
    defer {
        loop.stop()
        loop.join()
    }
    return try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(executorPreference: loop) { try await body(loop) }
        guard let result = try await group.next() else { preconditionFailure("withControlLoop: no result") }
        return result
    }
}
