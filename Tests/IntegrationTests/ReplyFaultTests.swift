import TestSupport
import Testing

/// Replies that an independent gateway loses, doubles, overtakes and disturbs on purpose: each is counted once, as what it is.
@Suite(.slots(1), .requiresPeer("gateways"))
struct ReplyFaultTests {
    private static let noGates = ["--set", "gates=[]", "--set", "behaviour.text.reply_within=4s"]

    @Test(arguments: [3, 5, 8])
    func `lost, duplicated and reordered replies are exactly those of the gateway`(seed: Int) async throws {
        let faults = [
            "--seed", "\(seed)", "--lose-rate", "0.08", "--duplicate-rate", "0.1", "--reorder-rate", "0.08", "--edit-gap", "0.02",
            "--reply-delay", "0..0.05",
        ]
        let judged = try await JudgedRun.run(gateway: faults, Self.noGates + ["--set", "seed=\(seed)"])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        try judged.expectAgreement()
        for name in ["lost", "duplicated", "reordered"] { #expect(try judged.theirs("replies", name) > 0, "\(name)") }
        #expect(try judged.run.count("messages.late") == 0 || judged.run.isStarved)
    }

    @Test func `the embedded gateway's faults are counted the same by both ends`() async throws {
        let options = [
            "--set", "target.gateway.lose_rate=8%", "--set", "target.gateway.duplicate_rate=10%", "--set",
            "target.gateway.reorder_rate=8%", "--set", "target.gateway.edit_gap=20ms",
        ]
        let run = try await StentorRun.run(StentorRun.fixture("profiles/short.yaml"), Self.noGates + options)
        run.expectPass()
        try run.expectClosedAccounts()
        for name in ["messages.lost", "messages.duplicated", "messages.reordered"] { #expect(try run.count(name) > 0, "\(name)") }
        try run.expectReconciled()
    }

    @Test func `frames that no dialect knows, broken frames and errors are counted as such and disturb nothing`() async throws {
        let faults = ["--extra-frames", "--bad-frame-rate", "0.2", "--error-rate", "0.2", "--no-stream"]
        let judged = try await JudgedRun.run(gateway: faults)
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        try judged.expectAgreement()
        let (unknown, malformed, errors) = (
            try judged.theirs("on_purpose", "unknown"), try judged.theirs("on_purpose", "malformed"),
            try judged.theirs("on_purpose", "error")
        )
        #expect(unknown > 40 && malformed > 0 && errors > 0, "two unknown frames for each of 20 devices, and more")
        #expect(try judged.run.count("frames.unknown") == unknown)
        #expect(try judged.run.count("frames.malformed") == malformed)
        #expect(try judged.run.count("errors.server") == errors)
        #expect(judged.run.labelled("server_error_codes", "busy") == errors)
    }

    @Test func `replies after their deadline are late, not lost`() async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--reply-delay", "0.2..0.6", "--no-stream"], ["--set", "behaviour.text.reply_within=400ms", "--set", "gates=[]"])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        #expect(try judged.run.count("messages.late") > 0)
        #expect(try judged.run.count("messages.answered") > 0 || judged.run.isStarved)
        try judged.expectAgreement()
    }
}
