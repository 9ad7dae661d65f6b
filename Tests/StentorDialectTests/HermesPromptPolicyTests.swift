import StentorDialect
import Testing

private func answer(_ kind: String, _ options: [String], _ choice: PromptAnswer, text: String = "words") -> PromptResponse? {
    HermesPromptPolicy.response(to: PromptCard(id: "p", kind: kind, options: options.map { .init(id: $0) }), choice: choice, text: text)
}

struct HermesPromptPolicyTests {
    @Test(arguments: [
        (["once", "session", "always", "deny"], PromptAnswer.approve, "once"), (["deny", "session"], .approve, "session"),
        (["deny"], .approve, "deny"), ([], .approve, "once"), (["once", "deny"], .deny, "deny"), (["once"], .deny, "deny"),
        (["ONCE", "deny"], .other, "once"),
    ])
    func `an execution is approved once or denied`(options: [String], choice: PromptAnswer, expected: String) {
        #expect(answer("exec_approval", options, choice) == PromptResponse(optionID: expected))
    }

    @Test(arguments: [
        (["once", "always", "cancel"], PromptAnswer.approve, "once"), (["cancel", "always"], .approve, "always"),
        (["once", "cancel"], .deny, "cancel"), (["once", "cancel"], .other, "once"),
    ])
    func `a command is confirmed once or cancelled`(options: [String], choice: PromptAnswer, expected: String) {
        #expect(answer("slash_confirm", options, choice) == PromptResponse(optionID: expected))
    }

    @Test func `a question takes the first choice, the last or own words`() {
        let options = ["c0", "c1", "c2", "other"]
        #expect(answer("clarify", options, .approve) == PromptResponse(optionID: "c0"))
        #expect(answer("clarify", options, .deny) == PromptResponse(optionID: "c2"))
        #expect(answer("clarify", options, .other) == PromptResponse(optionID: "other", text: "words"))
        #expect(answer("clarify", options, .other, text: " \n") == PromptResponse(optionID: "c0"))
        #expect(answer("clarify", ["c0", "c1"], .other) == PromptResponse(optionID: "c0"))
        #expect(answer("clarify", ["other"], .approve) == PromptResponse(optionID: "other", text: "words"))
        #expect(answer("clarify", ["other"], .approve, text: "") == nil)
    }

    @Test func `a question without options takes words, never blank ones`() {
        #expect(answer("clarify", [], .approve) == PromptResponse(optionID: nil, text: "words"))
        #expect(answer("clarify", [], .deny, text: "  ") == nil)
    }

    @Test(arguments: ["exec_approval", "slash_confirm", "clarify", "new_kind"])
    func `to ignore sends nothing`(kind: String) {
        #expect(answer(kind, ["once", "c0"], .ignore) == nil)
    }
}
