import TestSupport
import Testing

/// Prompts of an independent gateway.
@Suite(.slots(1), .requiresPeer("gateways"))
struct PromptRunTests {
    @Test func `prompts are answered in all their kinds`() async throws {
        let answers = "behaviour.prompts={think: 50ms..200ms, answers: {approve: 50%, deny: 25%, other: 20%, ignore: 5%}}"
        let judged = try await JudgedRun.run(
            gateway: ["--prompt-every", "0.5"], ["--set", answers, "--set", "behaviour.text.every=1s", "--set", "gates=[]"])
        judged.run.expectPass()
        try judged.expectAgreement()
        #expect(try judged.run.count("prompts.answered") > 20 && judged.run.count("prompts.ignored") > 0)
        #expect(try judged.run.count("prompts.open") == judged.run.count("prompts.received") - judged.theirs("prompts", "answered"))
    }

    @Test func `prompts that expire while the device thinks are expired, by both counts`() async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--prompt-every", "1", "--prompt-expiry", "0.7"],
            ["--duration", "6s", "--set", "behaviour.prompts={think: 2s..3s}", "--set", "behaviour.text.every=1s", "--set", "gates=[]"])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        // Cards expire at the gateway after their devices left, too.
        try judged.expectAgreement(except: ["prompts expired"])
        let (expired, open) = (try judged.run.count("prompts.expired"), try judged.run.count("prompts.open"))
        let theirs = try judged.theirs("prompts", "expired")
        #expect(expired > 20 && expired <= theirs && theirs <= expired + open)
        #expect(try judged.run.count("prompts.superseded") == 0)
        #expect(try judged.run.count("prompts.answered") == 0)
        #expect(try judged.theirs("prompts", "late_answers") == 0, "who was told that a prompt expired answers it no more")
    }

    @Test func `a gateway that substitutes answers is found out`() async throws {
        // A text for an approval card is no valid answer: the gateway denies instead.
        let judged = try await JudgedRun.run(
            gateway: ["--prompt-every", "0.5", "--prompt-kinds", "exec_approval_few,slash_confirm"],
            ["--set", "behaviour.prompts={think: 50ms, answers: {other: 100%}}", "--set", "gates=[]"])
        judged.run.expectPass()
        try judged.expectAgreement()
    }
}
