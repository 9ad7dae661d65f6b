import StentorBase
import StentorWire

// Cards: offered, answered, expired, sent again.
extension HermesMachine {
    /// Offers a card to a device.
    mutating func offer(_ kind: PromptOffer, to device: HermesDevice, at now: Instant) {
        let card = PromptCard(id: UUIDBits(&random), offer: kind, deadline: now + options.promptExpiry)
        forgetOldest(of: device)
        device.cards.append(card)
        counts.promptsSent += 1
        push(device, output.prompt(card))
    }

    /// Makes room: closed cards are remembered up to a limit, open ones always.
    private func forgetOldest(of device: HermesDevice) {
        guard device.cards.count >= PromptCard.remembered, let oldest = device.cards.firstIndex(where: { $0.end != nil }) else { return }
        device.cards.remove(at: oldest)
    }

    /// Ends the cards whose time is over, also while their device is away.
    mutating func expireCards(of device: HermesDevice, at now: Instant) {
        for place in device.cards.indices where device.cards[place].end == nil && device.cards[place].deadline <= now {
            counts.promptsExpired += 1
            finish(device, place, .expired)
        }
    }

    private mutating func finish(_ device: HermesDevice, _ place: Int, _ end: PromptCard.End) {
        device.cards[place].end = end
        device.cards[place].isEndMissed = !push(device, output.promptDone(device.cards[place].id, end))
    }

    /// After a reconnect: sends the cards still open, and what was missed about closed ones.
    mutating func resendCards(to device: HermesDevice) {
        for place in device.cards.indices {
            let card = device.cards[place]
            if let end = card.end {
                guard card.isEndMissed, options.promptResend != .none else { continue }
                finish(device, place, end)
            } else if options.promptResend == .card {
                counts.promptsResent += 1
                push(device, output.prompt(card))
            }
        }
    }

    /// Takes a text as the answer to an open clarify card, if that is asked for; true if it was.
    mutating func answersClarify(_ device: HermesDevice, _ text: [UInt8]) -> Bool {
        guard options.textAnswersClarify, let place = device.cards.firstIndex(where: { $0.end == nil && $0.offer.isClarify }),
            !String(decoding: text, as: UTF8.self).allSatisfy(\.isWhitespace)
        else { return false }
        counts.promptsSuperseded += 1
        finish(device, place, .answered(device.cards[place].offer == .clarify ? "other" : nil))
        return true
    }

    /// Takes the answer to a card.
    mutating func takeAnswer(_ index: Int, of device: HermesDevice, in bytes: UnsafeRawBufferPointer, at now: Instant) {
        let option = fields.string(.optionID, in: bytes)
        let hasText = fields.string(.text, in: bytes).map { !$0.allSatisfy(\.isWhitespace) } ?? false
        if let option, option != option.lowercased() { violation(index, "option_id_case", option) }
        if option == "other", !hasText { violation(index, "other_without_text") }
        guard let place = card(answeredIn: bytes, of: device) else {
            return violation(index, "unknown_prompt", fields.string(.promptID, in: bytes) ?? "")
        }
        switch device.cards[place].end {
        case .expired: counts.lateAnswers += 1
        case .answered: counts.repeatedAnswers += 1
        case nil: apply(index, option, hasText: hasText, place, device)
        }
    }

    private func card(answeredIn bytes: UnsafeRawBufferPointer, of device: HermesDevice) -> Int? {
        guard let text = fields.text(.promptID) else { return nil }
        var unescaped: [UInt8] = []
        text.append(to: &unescaped, in: bytes)
        guard let id = unescaped.withUnsafeBytes({ UUIDBits(lowerCase: $0) }) else { return nil }
        return device.cards.lastIndex { $0.id == id }
    }

    private mutating func apply(_ index: Int, _ option: String?, hasText: Bool, _ place: Int, _ device: HermesDevice) {
        let offer = device.cards[place].offer
        if offer == .clarifyFree {
            guard hasText else { return violation(index, "answer_invalid", option ?? "") }
            counts.promptsAnswered += 1
            return finish(device, place, .answered(option.flatMap { Self.known($0) }))
        }
        let chosen = offer.options.first { "\($0.id)" == option }?.id
        if let chosen, option != "other" || hasText {
            counts.promptsAnswered += 1
            return finish(device, place, .answered(chosen))
        }
        guard let fallback = offer.fallback else {
            // A clarify has nothing to put in its place, so it stays open.
            if option != "other" { violation(index, "answer_invalid", option ?? "") }
            return
        }
        counts.promptsAnswered += 1
        counts.promptsSubstituted += 1
        finish(device, place, .answered(fallback))
    }

    /// The one option that a free text may carry.
    private static func known(_ option: String) -> StaticString? {
        option == "other" ? "other" : nil
    }
}
