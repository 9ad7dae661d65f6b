import Foundation
import TestSupport
import Testing

/// `stentor trace`: one device, frame by frame.
@Suite(.slots(1))
struct TraceTests {
    private static func trace(_ arguments: [String], token: String = StentorRun.token) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            [StentorBinary.path, "trace", StentorRun.fixture("profiles/short.yaml")] + arguments, environment: ["STENTOR_TOKEN": token],
            within: .seconds(120))
    }

    @Test func `each frame is a line, and the token stands in none`() async throws {
        let token = #"s3cret/"quoted"\token"#
        let gateway = try ChildProcess([StentorBinary.path, "serve", "--life", "180s", "--edit-gap", "1ms"])
        let line = try await gateway.line(startingWith: "listening on ")
        let outcome = try await Self.trace(
            [
                "--target", String(line.dropFirst("listening on ".count)), "--device", "2",
                "--duration",
                "6s", "--json", "--set", "behaviour.text.every=200ms",
            ], token: token)
        gateway.signal(SIGTERM)
        try await gateway.exit(within: .seconds(120))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("s3cret") && outcome.output.contains("[redacted]"))
        let lines = try outcome.output.split(separator: "\n").map { try Facts(String($0)) }
        let events = lines.compactMap { $0["event"].text }
        #expect(Array(events.prefix(3)) == ["dialling", "upgrading", "opened"] && events.last == "ended")
        let payloads = lines.compactMap { $0["payload"].text }
        #expect(payloads.contains { $0.hasPrefix(#"{"t":"hello""#) } && payloads.contains { $0.hasPrefix(#"{"t":"ready""#) })
        #expect(payloads.contains { $0.contains("[#1]") && $0.hasPrefix(#"{"t":"text""#) })
        #expect(payloads.contains { $0.contains("[#1]") && $0.hasPrefix(#"{"t":"message""#) })
        let times = lines.compactMap { $0["at_s"].number }
        #expect(times == times.sorted() && times.count == lines.count)
    }

    @Test func `it ends behind its last line, and says which device it was`() async throws {
        let outcome = try await Self.trace(["--target", "embedded", "--device", "1", "--lines", "5", "--duration", "30s"])
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.exitCode == 0 && lines.first?.hasPrefix("device 1: ") == true, "\(outcome)")
        try #require(lines.count == 6, "\(outcome)")
        #expect(lines[4].contains("→ text") && lines[5].contains("← text"), "\(outcome.output)")
    }

    @Test func `a device that is never ready ends with 69`() async throws {
        let dead = try DeadPort()
        let outcome = try await Self.trace(["--target", "ws://127.0.0.1:\(dead.port)/ws", "--duration", "500ms"])
        #expect(outcome.exitCode == 69 && outcome.output.contains("failed  refused: "), "\(outcome)")
    }

    @Test func `a device that the profile does not have is refused`() async throws {
        let outcome = try await Self.trace(["--device", "999999"])
        #expect(outcome.exitCode == 64 && outcome.errors.hasPrefix("stentor: --device: the profile has "), "\(outcome.errors)")
    }
}
