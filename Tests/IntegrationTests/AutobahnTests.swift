import Foundation
import TestSupport
import Testing

/// RFC 6455 by the Autobahn TestSuite: 301 cases on each side, with nothing tolerated.
@Suite(.slots(3), .requiresPeer("autobahn"))
struct AutobahnTests {
    private static let installation = Task<Void, any Error> {
        let outcome = try await ChildProcess([try Peers.path("autobahn/install.sh")]).exit(within: .seconds(300))
        guard outcome.exitCode == 0 else { throw ChildFailure("the Autobahn TestSuite cannot be installed", outcome) }
    }

    private func judge(_ side: String, _ command: [String]) async throws {
        try await Self.installation.value
        let folder = try FreshDirectory()
        let outcome = try await ChildProcess.run(
            ["python3", try Peers.path("autobahn/ab_run.py"), side, "--strict", "--out", folder.path("out"), "--"] + command,
            within: .seconds(400))
        let last = String(outcome.output.split(separator: "\n").last ?? "")
        #expect(outcome.exitCode == 0 && last == "301 passed, 0 failed", "\(outcome.output.suffix(3000))\(outcome.errors.suffix(1000))")
    }

    @Test func `the client passes every case, strictly`() async throws {
        try await judge("client", [StentorBinary.program("stentor-autobahn"), "client", "{url}", "{agent}"])
    }

    @Test func `the server passes every case, strictly`() async throws {
        try await judge("server", [StentorBinary.program("stentor-autobahn"), "server", "127.0.0.1:{port}"])
    }
}
