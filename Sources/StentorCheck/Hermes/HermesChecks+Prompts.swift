import StentorClient

// § 6: cards are asked for by the words that simulated gateways know; a gateway that offers none is not judged.
extension HermesChecks {
    /// A card that was offered.
    struct Card {
        let id: String
        let kind: String
        let options: [String]
    }

    /// Asks for a card, and waits for it.
    ///
    /// - Throws: `.open` when none comes: a gateway need not know the words.
    static func card(_ words: String, _ device: HermesPeer) async throws(CheckFault) -> Card {
        device.say(words)
        let frame: CheckObject
        do throws(CheckFault) {
            frame = try await device.until("card", "prompt")
        } catch {
            if device.peer.end != nil { throw error }
            throw .open("no card came when asked for")
        }
        guard let id = frame["id"], let kind = frame["kind"] else { throw .seen("a card without id or kind") }
        let options = frame.objects("options")
        return Card(id: id, kind: kind, options: options.compactMap { $0["id"] })
    }

    /// Answers a card and gives the option that was really applied.
    private static func apply(
        _ option: String?, text: String? = nil, to card: Card, _ device: HermesPeer
    ) async throws(CheckFault) -> String {
        device.answer(card.id, option, text: text)
        let done = try await device.until("prompt_done", "prompt_done") { $0["id"] == card.id }
        try expect(!done.isTrue("expired"), "expired")
        return done["option_id"] ?? ""
    }

    static let prompts = [
        CheckPoint.rule("an exec_approval takes one of its options") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await card("please approve", device)
            try expect(card.kind == "exec_approval", "a card of kind \(CheckText.short(card.kind))")
            try expect(Set(card.options).isSubset(of: ["once", "session", "always", "deny"]), "options \(card.options)")
            guard let option = card.options.first else { throw .seen("no options") }
            let applied = try await apply(option, to: card, device)
            try expect(applied == option, "\(CheckText.short(applied)) for '\(option)'")
            return "\(option) of \(card.options.count)"
        },
        .rule("an answer that is no option of an exec_approval becomes deny") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await card("please approve", device)
            let applied = try await apply("not_an_option", to: card, device)
            try expect(applied == "deny", CheckText.short(applied))
            return applied
        },
        .rule("an answer that is no option of a slash_confirm becomes cancel") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await card("please confirm", device)
            try expect(card.kind == "slash_confirm", "a card of kind \(CheckText.short(card.kind))")
            let applied = try await apply("not_an_option", to: card, device)
            try expect(applied == "cancel", CheckText.short(applied))
            return applied
        },
        .rule("a clarify takes a choice") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await card("please clarify", device)
            try expect(card.kind == "clarify", "a card of kind \(CheckText.short(card.kind))")
            guard let option = card.options.first(where: { $0 != "other" }) else { throw .open("it has no choices") }
            let applied = try await apply(option, to: card, device)
            try expect(applied == option, "\(CheckText.short(applied)) for '\(option)'")
            return option
        },
        .rule("a clarify without options takes a free text") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await card("please clarify free", device)
            guard card.options.isEmpty else { throw .open("it came with options") }
            _ = try await apply(nil, text: "in own words", to: card, device)
            return "taken"
        },
        .custom("a repeated answer brings no second prompt_done") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await card("please approve", device)
            _ = try await apply(card.options.first ?? "deny", to: card, device)
            device.answer(card.id, "deny")
            _ = await device.peer.quiet(for: bench.target.quiet)
            let count = device.frames("prompt_done").count
            try expect(count == 1, "\(count)")
            return "one"
        },
    ]
}
