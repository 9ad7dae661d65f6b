import TestSupport
import Testing

/// Gateways that drop connections or restart.
@Suite(.slots(1), .requiresPeer("gateways"))
struct OutageTests {
    // Devices come back after a fifth of a second, however often.
    private static let eager = ["--set", "reconnect={policy: fixed, base: 200ms}", "--set", "gates=[]"]

    @Test(
        arguments: [
            ([], "reset", nil), (["--close-code", "1011"], "closed_by_server", "1011"),
            (["--close-code", "4000"], "closed_by_server", "4000"),
        ] as [([String], String, String?)])
    func `dropped connections come back, and each loss has its cause`(how: [String], cause: String, code: String?) async throws {
        let judged = try await JudgedRun.run(gateway: ["--drop-after", "0.6..1.4", "--edit-gap", "0.05"] + how, Self.eager)
        let run = judged.run
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        let dropped = try judged.theirs("dropped")
        #expect(dropped > 20)
        let losses = run.labelled("connection_losses", cause)
        // A device may leave in the instant of its drop.
        #expect(
            losses <= dropped && losses >= dropped - (run.isStarved ? 20 : 4),
            "\(losses) of \(dropped): \(run.summary["by_label", "connection_losses"])")
        #expect(try losses + run.labelled("connection_losses", "left") == run.count("disconnects"))
        #expect(try run.count("reconnects") > 20 && run.count("ready") == 20 + run.count("reconnects"))
        // Whose connection was dropped, or who left, between its hello and the answer, failed to become ready.
        let failed = run.summary["by_label", "dial_failures"].members.values.reduce(0) { $0 + ($1.count ?? 0) }
        #expect(try (0...failed).contains(judged.theirs("hellos") - run.count("ready")), "\(failed) dials failed")
        if let code { #expect(run.labelled("close_codes", code) >= losses) }
        #expect(run.summary["devices", "left"].count == 20)
    }

    @Test(arguments: [("close", "closed_by_server"), ("reset", "reset")])
    func `a restart is one outage, from which all devices come back`(how: String, cause: String) async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--restart-after", "6", "--restart-how", how, "--down", "2", "--edit-gap", "0.05"],
            Self.eager + ["--duration", "12s"])
        let run = judged.run
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        #expect(try judged.theirs("restarts") == 1)
        #expect(run.labelled("connection_losses", cause) == 20, "\(run.summary["by_label", "connection_losses"])")
        let outages = run.summary["outages"].elements
        let outage = try #require(outages.first)
        #expect(outages.count == 1)
        #expect(outage["devices_lost"].count == 20)
        #expect((outage["ready_after_100_seconds"].number ?? 0) >= 0.5, "the gateway was down for two seconds")
        #expect(outage["closed_after_seconds"].number != nil)
        #expect((outage["attempts"].count ?? 0) > 20, "dials while it was down")
        #expect(run.labelled("dial_failures", "refused") > 0)
        #expect(try run.count("reconnects") == 20 && run.summary["distributions", "reconnect", "recovery", "count"].count == 20)
        #expect((run.summary["distributions", "reconnect", "recovery", "p50"].number ?? 0) > 0.5)
    }

    @Test func `a gate on messages fails a run whose gateway restarts`() async throws {
        // Replies take a second, so that some are lost with their connections; a reply due while the device is away is dropped.
        let judged = try await JudgedRun.run(
            gateway: ["--restart-after", "6", "--restart-how", "reset", "--down", "0.5", "--reply-delay", "0.3..0.6"],
            [
                "--duration", "12s", "--set", "gates=[messages.lost == 0, reconnect.p95 < 10s in recovery]", "--set",
                "behaviour.text.reply_within=3s", "--set", "reconnect={policy: fixed, base: 200ms}",
            ])
        judged.run.expectEnd(99, "fail")
        try judged.run.expectClosedAccounts()
        let verdicts = judged.run.summary["gates"].elements.map { $0["verdict"].text }
        #expect(verdicts == ["fail", "pass"])
        #expect(try judged.run.count("messages.lost") > 0)
    }

    @Test func `a silent gateway is found out by its missing pongs`() async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--restart-after", "6", "--restart-how", "silence", "--down", "0.5"],
            Self.eager + ["--duration", "18s", "--set", "behaviour.ping={every: 1s, pong_within: 5s}"])
        let run = judged.run
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(run.labelled("connection_losses", "silent") == 20, "\(run.summary["by_label", "connection_losses"])")
        #expect(try run.count("reconnects") == 20 && run.count("pongs.missed") >= 20)
        #expect(run.summary["outages"].elements.count == 1)
    }

    @Test func `a drill by reset loses what is in flight, and nothing else`() async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--edit-gap", "0.05", "--reply-delay", "0..0.2"],
            Self.eager + [
                "--duration", "9s", "--set", "behaviour.text.reply_within=4s", "--set",
                "drills=[{at: 5s, name: cut, disconnect: {share: 50%, within: 0s, how: reset}}]",
            ])
        let run = judged.run
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        let cut = run.labelled("connection_losses", "fault")
        #expect(cut > 0 && cut < 20)
        #expect(try run.count("reconnects") == cut)
        let outage = try #require(run.summary["outages"].elements.first)
        #expect(outage["name"].text == "cut" && outage["devices_lost"].count == cut && run.summary["outages"].elements.count == 1)
        // Sent and never received, or answered into a dead socket: nothing else can be missing.
        #expect(try run.count("messages.lost") <= cut * 2 || run.isStarved)
        #expect(try run.count("messages.duplicated") == 0 && run.count("messages.reordered") == 0)
    }
}
