import Foundation
import StentorBase

/// A program run by a test; stdin is empty, stdout and stderr are captured as they come.
///
/// It is killed when the last reference goes, so hold it for as long as it must live. Every wait has an absolute limit.
/// Two threads per child do the blocking calls, so that no test occupies a thread of Swift's pool while it waits.
public final class ChildProcess: Sendable {
    /// One of the two captured streams.
    public enum Stream: Sendable {
        /// stdout.
        case output
        /// stderr.
        case errors
    }

    /// What a child left behind.
    public struct Outcome: Sendable, Equatable {
        /// The exit code; 128 + n when signal n ended it, as shells say it.
        public let exitCode: Int32
        /// All of stdout.
        public let output: String
        /// All of stderr.
        public let errors: String

        /// Makes an outcome to compare with.
        public init(exitCode: Int32, output: String = "", errors: String = "") {
            (self.exitCode, self.output, self.errors) = (exitCode, output, errors)
        }
    }

    /// The child's process id.
    public let pid: pid_t
    private let record: ChildRecord

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments; a program without a slash is searched in `PATH`.
    ///   - environment: Set over the tests' own environment.
    ///   - directory: Where it starts; nil: where the tests run.
    /// - Throws: ``ChildFailure`` when it cannot be started.
    public init(_ arguments: [String], environment: [String: String] = [:], directory: String? = nil) throws {
        let spawned = try ChildSpawn.start(arguments, environment: environment, directory: directory)
        pid = spawned.pid
        let record = ChildRecord(command: arguments.joined(separator: " "), pid: spawned.pid, alarm: spawned.alarm)
        self.record = record
        Thread.detachNewThread { record.awaitExit() }
        Thread.detachNewThread { record.readStreams(output: spawned.output, errors: spawned.errors) }
    }

    deinit {
        record.abandon()
    }

    /// Runs a program to its end.
    ///
    /// - Throws: ``ChildFailure`` when it cannot be started or takes longer than `limit`.
    public static func run(
        _ arguments: [String], environment: [String: String] = [:], directory: String? = nil, within limit: Duration = .seconds(120)
    ) async throws -> Outcome {
        try await ChildProcess(arguments, environment: environment, directory: directory).exit(within: limit)
    }

    /// Waits for a whole line, which may have come already.
    ///
    /// - Parameters:
    ///   - prefix: How the line begins.
    ///   - stream: Where it is printed.
    ///   - occurrence: Which of the lines with this prefix, from 1.
    ///   - limit: How long to wait.
    /// - Returns: The line without its end.
    /// - Throws: ``ChildFailure`` with all output when the limit passes, or the child ends first.
    public func line(
        startingWith prefix: String, on stream: Stream = .output, occurrence: Int = 1, within limit: Duration = .seconds(60)
    ) async throws -> String {
        try await record.wait(for: .line(prefix: prefix, stream: stream, occurrence: occurrence), until: Instant.now() + limit)
    }

    /// Waits for the end of the child and of its output.
    ///
    /// A process that the child started and that keeps its output open is waited for too: leaving one behind is a fault.
    ///
    /// - Throws: ``ChildFailure`` with all output when the limit passes.
    @discardableResult
    public func exit(within limit: Duration = .seconds(120)) async throws -> Outcome {
        _ = try await record.wait(for: .exit, until: Instant.now() + limit)
        return record.outcome
    }

    /// Sends a signal; does nothing when the child has ended.
    public func signal(_ number: Int32) {
        record.signal(number)
    }

    /// What has come until now.
    public func text(on stream: Stream = .output) -> String {
        stream == .output ? record.outcome.output : record.outcome.errors
    }
}

/// A child that could not be started, failed, or did not do in time what a test waited for.
public struct ChildFailure: Error, CustomStringConvertible {
    /// What went wrong, and what the child printed.
    public let description: String

    /// Words a failure without output.
    public init(_ what: String) {
        description = what
    }

    /// Words a failure, with the end of what the child printed.
    public init(_ what: String, _ outcome: ChildProcess.Outcome) {
        description = "\(what); stdout: \(outcome.output.suffix(2000)) stderr: \(outcome.errors.suffix(4000))"
    }
}
