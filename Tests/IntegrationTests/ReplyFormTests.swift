import TestSupport
import Testing

/// Forms of replies that the protocol leaves open: a device understands all of them.
@Suite(.slots(1), .requiresPeer("gateways"))
struct ReplyFormTests {
    @Test(arguments: [
        ["--no-stream", "--moods", "none"],
        ["--no-stream", "--final", "no"],
        ["--no-stream", "--final", "no", "--moods", "none"],
        ["--no-stream", "--plain-parts", "3", "--edit-gap", "0.02"],
        ["--no-stream", "--plain-parts", "3", "--edit-gap", "0.02", "--final", "no", "--moods", "avatar"],
        ["--stream", "--final", "no", "--edit-gap", "0.02"],
        ["--stream", "--edits", "10", "--edit-gap", "0.01", "--moods", "typing"],
        ["--stream", "--edits", "0", "--escape-slashes"],
        ["--binary", "--escape-slashes", "--edit-gap", "0.02", "--ready-delay", "0..0.3", "--avatar-url", "http://127.0.0.1/a.png"],
    ])
    func `every text is answered once, however the gateway words its replies`(form: [String]) async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--reply-delay", "0..0.05"] + form, ["--duration", "3s", "--set", "behaviour.text.body=20B..2KiB"])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        try judged.expectAgreement()
        let run = judged.run
        #expect(try run.count("messages.sent") > 50 && run.count("messages.answered") == run.count("messages.sent"))
        #expect(try run.count("frames.unknown") == 0 && run.count("frames.malformed") == 0)
    }
}
