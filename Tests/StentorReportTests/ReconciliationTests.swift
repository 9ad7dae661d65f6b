import StentorBase
import StentorMetrics
import Testing

@testable import StentorReport

struct ReconciliationTests {
    /// As `shared/peers/gateways/hermes_gateway.py` prints it, with faults: 20 texts, of which 2 replies were withheld, 1 found no device
    /// and 3 were sent twice.
    private static let faulty = """
        {"devices": 3, "hellos": 9, "refused": {"auth_failed": 1, "http_401": 5, "capacity": 2}, "texts": 20, "audios": 0, \
        "replies": {"sent": 20, "lost": 2, "duplicated": 3, "reordered": 1, "unsent": 1}, \
        "uploads": {"begun": 5, "complete": 4, "bytes": 4096, "confirmed": 3, "corrupt": {"connection_lost": 1}, "corrupt_bytes": 512}, \
        "photos": {"sent": 2, "bytes": 2097152}, \
        "prompts": {"sent": 9, "resent": 1, "answered": 6, "expired": 2, "substituted": 1, "superseded": 0, "late_answers": 0, \
        "repeated_answers": 0}, "on_purpose": {"unknown": 2}, "reconnect_gap_s": {"count": 3, "min": 0.5, "median": 0.75, "max": 1.0}, \
        "per_device": {"phone-0": {"connections": 2, "texts": 20, "replied": 20, "marked": 20, "first": 0, "highest": 19, "lost": [1]}}, \
        "connections": 14, "peak": 3, "peak_dials_per_s": 3, "dropped": 3, "restarts": 0, \
        "closes": {"by_device": {"1000": 3}, "by_gateway": {"1008": 1}, "cut": 3}, "violations": {}}
        """

    private static func ours(_ shard: MetricShard) {
        let counts: [Counter: Int] = [
            .messagesSent: 20, .messagesAnswered: 15, .messagesLate: 2, .messagesLost: 3, .messagesDuplicated: 3, .messagesReordered: 1,
            .uploadsConfirmed: 3, .uploadsLate: 1, .uploadsBytes: 4608, .downloadsComplete: 2, .promptsReceived: 9, .promptsAnswered: 5,
            .promptsSubstituted: 1, .promptsExpired: 2, .ready: 6, .reconnects: 3,
        ]
        for (counter, count) in counts { shard.count(counter, by: count) }
    }

    private static func rows(_ line: String, devicesEverReady: Int? = nil) throws -> [ReconciliationRow] {
        try Reconciliation.rows(
            ours: ReportFixture.snapshot(ours), devicesEverReady: devicesEverReady, theirs: TargetTotals(line: line))
    }

    private static func failure(_ line: String) -> String? {
        do {
            _ = try rows(line)
            return nil
        } catch { return "\(error)" }
    }

    @Test func `a run with faults on purpose agrees in all counts`() throws {
        #expect(
            try Self.rows(Self.faulty) == [
                .init(name: "texts sent", ours: 20, theirs: 20), .init(name: "texts replied", ours: 17, theirs: 17),
                .init(name: "texts lost", ours: 3, theirs: 3), .init(name: "texts duplicated", ours: 3, theirs: 3),
                .init(name: "texts reordered", ours: 1, theirs: 1), .init(name: "uploads confirmed", ours: 4, theirs: 4),
                .init(name: "upload bytes", ours: 4608, theirs: 4608), .init(name: "photos received", ours: 2, theirs: 2),
                .init(name: "prompts received", ours: 9, theirs: 9), .init(name: "prompts answered", ours: 6, theirs: 6),
                .init(name: "prompts expired", ours: 2, theirs: 2), .init(name: "prompts substituted", ours: 1, theirs: 1),
                .init(name: "devices", ours: 3, theirs: 3), .init(name: "ready", ours: 6, theirs: 6),
                .init(name: "violations", ours: 0, theirs: 0),
            ])
    }

    @Test(arguments: [
        ("\"texts\": 20", "\"texts\": 19", "texts sent"), ("\"duplicated\": 3", "\"duplicated\": 2", "texts duplicated"),
        ("\"unsent\": 1", "\"unsent\": 0", "texts lost"), ("\"complete\": 4", "\"complete\": 5", "uploads confirmed"),
        ("\"bytes\": 4096", "\"bytes\": 4097", "upload bytes"), ("\"photos\": {\"sent\": 2", "\"photos\": {\"sent\": 3", "photos received"),
        ("\"substituted\": 1", "\"substituted\": 0", "prompts substituted"), ("\"hellos\": 9", "\"hellos\": 10", "ready"),
        ("\"violations\": {}", "\"violations\": {\"malformed\": 1, \"part_size\": 2}", "violations"),
    ])
    func `a count that differs is found`(from: String, to: String, name: String) throws {
        let rows = try Self.rows(Self.faulty.replacing(from, with: to))
        #expect(rows.filter { !$0.isEqual }.map(\.name).contains(name))
    }

    @Test func `violations are summed`() throws {
        let rows = try Self.rows(Self.faulty.replacing("\"violations\": {}", with: "\"violations\": {\"malformed\": 1, \"part_size\": 2}"))
        #expect(rows.last == .init(name: "violations", ours: 0, theirs: 3))
    }

    @Test func `the number of devices may be given`() throws {
        #expect(try Self.rows(Self.faulty, devicesEverReady: 7)[12] == .init(name: "devices", ours: 7, theirs: 3))
    }

    @Test func `with audio the replies are left out`() throws {
        let rows = try Self.rows(Self.faulty.replacing("\"audios\": 0", with: "\"audios\": 4"))
        #expect(rows.count == 11)
        #expect(!rows.contains { $0.name == "texts replied" })
    }

    @Test func `what only some gateways count may be missing`() throws {
        let short = """
            {"devices":0,"hellos":0,"texts":0,"replies":{"sent":0,"lost":0,"duplicated":0,"reordered":0,"unsent":0},\
            "uploads":{"complete":0,"bytes":0},"photos":{"sent":0},"prompts":{"sent":0,"answered":0,"expired":0,"substituted":0},\
            "violations":{}}
            """
        let rows = try Reconciliation.rows(ours: ReportFixture.snapshot(), theirs: TargetTotals(line: short))
        #expect(rows.count == 15)
        #expect(rows.allSatisfy { $0.isEqual && $0.ours == 0 })
    }

    @Test(arguments: [
        ("", "the gateway's totals are no JSON object: truncated at byte 0"),
        ("[1]", "the gateway's totals are no JSON object: wrong_kind at byte 0"),
        ("{\"texts\": 1} listening", "the gateway's totals are no JSON object: trailing_bytes at byte 13"),
        ("{}", "the gateway's totals have no whole number 'texts'"),
        ("{\"texts\": \"many\"}", "the gateway's totals have no whole number 'texts'"),
        ("{\"texts\": -1}", "the gateway's totals have no whole number 'texts'"),
        ("{\"texts\": 9223372036854775807}", "the gateway's totals have no whole number 'texts'"),
        ("{\"texts\": 1, \"replies\": 7}", "the gateway's totals have no whole number 'replies.sent'"),
    ])
    func `malformed totals are a failure`(line: String, message: String) {
        #expect(Self.failure(line) == message)
    }

    @Test(arguments: [
        ("\"violations\": {}", "\"violations\": []", "the gateway's totals have no object 'violations'"),
        ("\"violations\": {}", "\"violations\": {\"a\": 0.5}", "the gateway's totals have no whole number 'violations.a'"),
        ("\"refused\": {", "\"refused\": {\"x\": null, ", "the gateway's totals have no whole number 'refused.x'"),
        ("\"corrupt_bytes\": 512", "\"corrupt_bytes\": true", "the gateway's totals have no whole number 'uploads.corrupt_bytes'"),
    ])
    func `a malformed part of totals is a failure`(from: String, to: String, message: String) {
        #expect(Self.failure(Self.faulty.replacing(from, with: to)) == message)
    }

    @Test func `by the rules of another dialect, each is a row`() throws {
        let rules = [
            AgreementRule("texts", ours: ["messages.sent"], theirs: ["messages"]),
            AgreementRule("arrivals", ours: ["messages.answered", "messages.late"], theirs: ["replies.sent", "replayed?"]),
        ]
        func rows(_ line: String) throws -> [ReconciliationRow] {
            try Reconciliation.rows(rules, ours: ReportFixture.snapshot(Self.ours), theirs: TargetTotals(line: line))
        }
        #expect(
            try rows(#"{"messages": 20, "replies": {"sent": 16}, "violations": {"malformed": 2, "other": 1}}"#) == [
                .init(name: "texts", ours: 20, theirs: 20), .init(name: "arrivals", ours: 17, theirs: 16),
                .init(name: "violations", ours: 0, theirs: 3),
            ])
        #expect(try rows(#"{"messages": 20, "replies": {"sent": 16}, "replayed": 1, "violations": {}}"#)[1].isEqual)
        for line in [#"{"messages": 20, "violations": {}}"#, #"{"messages": 1.5, "replies": {"sent": 1}, "violations": {}}"#] {
            #expect(throws: TargetTotals.Failure.self) { try rows(line) }
        }
        #expect(throws: TargetTotals.Failure.self) {
            try rows(#"{"messages": 20, "replies": {"sent": 16}, "replayed": -1, "violations": {}}"#)
        }
    }
}
