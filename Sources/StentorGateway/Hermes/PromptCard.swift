import StentorBase

extension PromptOffer {
    /// The kind on the wire.
    var kind: StaticString {
        switch self {
        case .execApproval, .execApprovalFew: "exec_approval"
        case .slashConfirm: "slash_confirm"
        case .clarify, .clarifyFree: "clarify"
        }
    }

    /// An option of a card.
    struct Option {
        let id: StaticString
        let label: StaticString
        let isDanger: Bool

        init(_ id: StaticString, _ label: StaticString, isDanger: Bool = false) {
            self.id = id
            self.label = label
            self.isDanger = isDanger
        }
    }

    /// The options in the order of the card.
    var options: [Option] {
        switch self {
        case .execApproval:
            [Option("once", "Once"), Option("session", "Session"), Option("always", "Always", isDanger: true), Option("deny", "Deny")]
        case .execApprovalFew: [Option("once", "Once"), Option("deny", "Deny")]
        case .slashConfirm: [Option("once", "Once"), Option("always", "Always", isDanger: true), Option("cancel", "Cancel")]
        case .clarify: [Option("c0", "C0"), Option("c1", "C1"), Option("c2", "C2"), Option("other", "Other")]
        case .clarifyFree: []
        }
    }

    /// What replaces an invalid answer; nil: nothing does, the card stays open.
    var fallback: StaticString? {
        switch self {
        case .execApproval, .execApprovalFew: "deny"
        case .slashConfirm: "cancel"
        case .clarify, .clarifyFree: nil
        }
    }

    /// Whether it is one of the clarify cards.
    var isClarify: Bool { self == .clarify || self == .clarifyFree }
}

/// A card that was offered to a device.
struct PromptCard {
    /// How a card came to its end.
    enum End {
        /// With this option applied; nil for a free text.
        case answered(StaticString?)
        /// Without an answer in time.
        case expired
    }

    /// The id that the device answers to.
    let id: UUIDBits
    /// What it asks.
    let offer: PromptOffer
    /// When it expires.
    let deadline: Instant
    /// How it ended; nil while it is open.
    var end: End?
    /// Whether the device was away when it ended.
    var isEndMissed = false

    /// Closed cards remembered per device, so that a late or repeated answer is known as such.
    static let remembered = 64
}

extension GatewayOutput {
    /// Writes the frame that offers a card.
    mutating func prompt(_ card: PromptCard) -> Range<Int> {
        let start = begin("prompt")
        member("id", card.id)
        member("kind", "\(card.offer.kind)")
        member("text", "may I? (\(card.offer.rawValue))")
        open("options")
        append("[")
        for (index, option) in card.offer.options.enumerated() {
            append(index == 0 ? "{\"id\":\"" : ",{\"id\":\"")
            append(option.id)
            append("\",\"label\":\"")
            append(option.label)
            append("\"")
            if option.isDanger { append(",\"style\":\"danger\"") }
            append("}")
        }
        append("]")
        return end(start)
    }

    /// Writes the frame that ends a card.
    mutating func promptDone(_ id: UUIDBits, _ how: PromptCard.End) -> Range<Int> {
        let start = begin("prompt_done")
        member("id", id)
        switch how {
        case .answered(let option):
            if let option { member("option_id", "\(option)") }
        case .expired:
            member("expired", true)
        }
        return end(start)
    }
}
