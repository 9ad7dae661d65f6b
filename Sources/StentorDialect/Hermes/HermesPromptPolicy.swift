/// Turns what a device means to do with a card into an answer that Hermes allows for the card's kind.
public enum HermesPromptPolicy {
    /// The answer to a card.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - choice: What the device means to do.
    ///   - text: The words for free text and for `other`.
    /// - Returns: What to send; nil when nothing is to be sent: the choice is to ignore, or words are needed and `text` is blank.
    public static func response(to card: PromptCard, choice: PromptAnswer, text: String) -> PromptResponse? {
        guard choice != .ignore else { return nil }
        let offered = card.options.map { $0.id.lowercased() }
        switch card.kind {
        case "exec_approval": return decision(offered, choice, refusal: "deny")
        case "slash_confirm": return decision(offered, choice, refusal: "cancel")
        default: return clarification(offered, choice, text)
        }
    }

    /// `once` if it is offered, or the first offer that is no refusal; the refusal needs no offer, as servers fall back on it.
    private static func decision(_ offered: [String], _ choice: PromptAnswer, refusal: String) -> PromptResponse {
        guard choice != .deny else { return PromptResponse(optionID: refusal) }
        if offered.isEmpty || offered.contains("once") { return PromptResponse(optionID: "once") }
        return PromptResponse(optionID: offered.first { $0 != refusal } ?? refusal)
    }

    private static func clarification(_ offered: [String], _ choice: PromptAnswer, _ text: String) -> PromptResponse? {
        let isBlank = text.allSatisfy(\.isWhitespace)
        guard !offered.isEmpty else { return isBlank ? nil : PromptResponse(optionID: nil, text: text) }
        let choices = offered.filter { $0 != "other" }
        let own = offered.contains("other") && !isBlank ? PromptResponse(optionID: "other", text: text) : nil
        if choice == .other, let own { return own }
        let chosen = choice == .deny ? choices.last : choices.first
        return chosen.map { PromptResponse(optionID: $0) } ?? own
    }
}
