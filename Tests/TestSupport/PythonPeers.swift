import Foundation
import StentorBase

/// The judges that are written in Python.
public enum PythonPeers {
    // Every test that needs Python waits for the same installation: two at once would write the same files.
    private static let installation = Task<String, any Error> {
        let script = try Peers.path("gateways/install.sh")
        let outcome = try await ChildProcess([script]).exit(within: .seconds(300))
        guard outcome.exitCode == 0, let line = outcome.output.split(separator: "\n").last else {
            throw ChildFailure("\(script) failed", outcome)
        }
        return String(line)
    }

    /// The path of a Python that has what the judges import; the first use may install it, which takes some seconds.
    ///
    /// - Throws: ``PeerFailure`` when the judges are not here; ``ChildFailure`` when the installation fails.
    public static var python: String {
        get async throws { try await installation.value }
    }

    /// Starts a judge's script.
    ///
    /// - Parameters:
    ///   - script: The path below the judges' folder, for instance `gateways/hermes_check.py`.
    ///   - options: Its arguments.
    public static func start(_ script: String, _ options: [String] = []) async throws -> ChildProcess {
        try ChildProcess([try await python, try Peers.path(script)] + options)
    }

    /// Starts a judge's gateway on a free port and waits until it listens.
    ///
    /// - Parameters:
    ///   - script: Its file below `gateways`, for instance `hermes_gateway.py`.
    ///   - options: Further arguments, for instance `["--token", "t"]`.
    public static func gateway(_ script: String, _ options: [String] = []) async throws -> PeerGateway {
        let process = try await start("gateways/" + script, ["--listen", "127.0.0.1:0"] + options)
        let prefix = "listening on "
        let line = try await process.line(startingWith: prefix, within: .seconds(30))
        return PeerGateway(process: process, url: String(line.dropFirst(prefix.count)))
    }
}

/// A running gateway, of the judges or ours, that prints its totals when it ends.
///
/// It is killed when the last reference to its process goes.
public struct PeerGateway: Sendable {
    /// Its process.
    public let process: ChildProcess
    /// Where it listens, for instance `ws://127.0.0.1:40001/ws`.
    public let url: String

    /// Takes a process that listens.
    public init(process: ChildProcess, url: String) {
        (self.process, self.url) = (process, url)
    }

    /// Ends it and gives what it saw: one line of JSON, the truth to compare our own numbers with.
    public func stop() async throws -> String {
        process.signal(SIGTERM)
        return try await totals()
    }

    /// Waits for its end, and gives what it saw.
    public func totals() async throws -> String {
        let outcome = try await process.exit(within: .seconds(60))
        guard let line = outcome.output.split(separator: "\n").last, line.hasPrefix("{") else {
            throw ChildFailure("the gateway printed no totals", outcome)
        }
        return String(line)
    }
}
