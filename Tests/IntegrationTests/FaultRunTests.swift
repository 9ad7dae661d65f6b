import TestSupport
import Testing

/// Faults and drills of whole runs, against an independent gateway and the embedded one.
@Suite(.slots(2), .requiresPeer("gateways"))
struct FaultRunTests {
    private static let eager = [
        "--set", "reconnect={policy: fixed, base: 200ms}", "--set", "gates=[]", "--set", "behaviour.text={every: 200ms, reply_within: 2s}",
    ]

    /// A silence that nobody means must not be found on a busy machine, nor a reply given up that a closing device waits for.
    private static func patience(_ how: String) -> [String] {
        switch how {
        case "half_open": ["--duration", "12s", "--set", "behaviour.ping={every: 500ms, pong_within: 4s}"]
        case "close": ["--set", "behaviour.text={every: 200ms, reply_within: 20s}"]
        default: []
        }
    }

    @Test(
        arguments: [
            ("reset", "fault"), ("close", "fault"), ("after_send", "fault"), ("half_open", "silent"),
        ], [4, 9])
    func `an independent gateway accounts for the same texts`(fault: (how: String, cause: String), seed: Int) async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--edit-gap", "0.01", "--reply-delay", "0.01..0.1"],
            Self.eager + Self.patience(fault.how) + [
                "--set", "seed=\(seed)", "--set", "faults=[{drop: 1500ms, how: \(fault.how)}]",
            ])
        let run = judged.run
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        #expect(run.labelled("connection_losses", fault.cause) > 5, "\(run.summary["by_label", "connection_losses"])")
        #expect(try run.count("messages.duplicated") == 0 && run.count("messages.reordered") == 0)
        let unseen = try run.count("messages.sent") - judged.theirs("texts")
        let lost = try run.count("messages.lost")
        #expect(unseen >= 0 && unseen <= lost)
        #expect(try run.count("messages.answered") + run.count("messages.late") <= judged.theirs("replies", "sent"))
        // Replies without a socket are lost here too; the others that are missing went into a socket that was being cut.
        #expect(try lost >= judged.theirs("replies", "unsent") && (fault.how != "close" || lost == 0))
        if fault.how == "half_open" { #expect(run.summary["distributions", "detect"] != .null) }
    }

    @Test(arguments: ["graceful", "kill"])
    func `the embedded gateway is restarted on its port`(how: String) async throws {
        let run = try await StentorRun.run(
            StentorRun.fixture("profiles/short.yaml"),
            Self.eager + [
                "--duration", "10s", "--set", "target.gateway.edit_gap=10ms", "--set",
                "drills=[{at: 5s, name: restart, restart_embedded: {how: \(how), down: 500ms}}]",
            ])
        run.expectEnd(0, "pass")
        let outage = try #require(run.summary["outages"].elements.first)
        #expect(run.summary["outages"].elements.count == 1 && outage["name"].text == "restart" && outage["devices_lost"].count == 20)
        #expect((outage["ready_after_100_seconds"].number ?? 0) >= 0.5 && outage["closed_after_seconds"].number != nil)
        #expect((outage["retry_synchronisation"].number ?? 0) > 0)
        #expect(try run.count("reconnects") == 20)
        let causes = how == "kill" ? ["end_of_stream", "reset"] : ["closed_by_server"]
        #expect(causes.reduce(0) { $0 + run.labelled("connection_losses", $1) } == 20)
        #expect(try run.count("messages.duplicated") == 0 && run.count("messages.reordered") == 0)
        let files = try run.everything()
        #expect(files["events.jsonl"]?.contains("the gateway is up again") == true)
        let rows = run.summary["reconciliation"].elements
        if how == "graceful" {
            // Both lives together: what was under way at the end of the first may differ, and nothing else.
            let texts = try #require(rows.first { $0["name"].text == "texts sent" })
            #expect((texts["ours"].count ?? 0) - (texts["theirs"].count ?? 0) <= 20)
            #expect(rows.first { $0["name"].text == "devices" }?["theirs"].count == 20)
            #expect(rows.first { $0["name"].text == "ready" }?["is_equal"] == .bool(true))
        } else {
            #expect(rows.isEmpty)
            #expect(run.outcome.output.contains("the embedded gateway was killed"))
        }
    }

    @Test func `a command that fails is a warning, and no shell reads its words`() async throws {
        let run = try await StentorRun.run(
            StentorRun.fixture("profiles/short.yaml"),
            Self.eager + ["--set", "drills=[{at: 1s, name: rollout, command: [ls, \"/none-$(echo x)\"]}]"])
        run.expectEnd(0, "pass")
        #expect(run.outcome.output.contains("drill 'rollout': the command ended with code 2"))
        let events = try run.everything()["events.jsonl"] ?? ""
        #expect(events.contains("drill_ended") && events.contains("/none-$(echo x)"))
    }
}
