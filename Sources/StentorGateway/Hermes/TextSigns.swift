/// What a text of a device asks the gateway for, found in one pass over its bytes.
struct TextSigns: Equatable {
    /// The number in the first `[#n]`; nil without one, or with one that 18 digits cannot hold.
    var sequence: Int?
    /// The card that the words `please …` ask for.
    var card: PromptOffer?
    /// The size in `send photo BYTES`.
    var photoBytes: Int?

    /// Looks through a text. Words count in any case.
    init(_ text: UnsafeRawBufferPointer) {
        var cards: [PromptOffer] = []
        for at in 0..<text.count {
            switch text[at] {
            case UInt8(ascii: "["):
                if sequence == nil { sequence = Self.sequence(text, at) }
            case UInt8(ascii: "p"), UInt8(ascii: "P"):
                if let card = Self.card(text, at) { cards.append(card) }
            case UInt8(ascii: "s"), UInt8(ascii: "S"):
                if photoBytes == nil, Self.has("send photo ", text, at) { photoBytes = Self.number(text, at + 11)?.value }
            default: break
            }
        }
        // The order in which the protocol's conventions name them decides between several.
        card = cards.isEmpty ? nil : [.execApproval, .slashConfirm, .clarifyFree, .clarify].first { cards.contains($0) }
    }

    /// The number in the first `[#n]` of a text; nil without one.
    static func firstSequence(in text: UnsafeRawBufferPointer) -> Int? {
        for at in 0..<text.count where text[at] == UInt8(ascii: "[") {
            if let sequence = sequence(text, at) { return sequence }
        }
        return nil
    }

    private static func card(_ text: UnsafeRawBufferPointer, _ at: Int) -> PromptOffer? {
        guard has("please ", text, at) else { return nil }
        if has("approve", text, at + 7) { return .execApproval }
        if has("confirm", text, at + 7) { return .slashConfirm }
        if has("clarify", text, at + 7) { return has(" free", text, at + 14) ? .clarifyFree : .clarify }
        return nil
    }

    private static func sequence(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        guard at + 2 < text.count, text[at + 1] == UInt8(ascii: "#"), let (value, end) = number(text, at + 2) else { return nil }
        return end < text.count && text[end] == UInt8(ascii: "]") ? value : nil
    }

    /// The digits at `start` as a number of at most 18 digits, and where they end.
    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int) -> (value: Int, end: Int)? {
        var at = start
        var value = 0
        while at < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]), at - start < 18 {
            value = value * 10 + Int(text[at] - UInt8(ascii: "0"))
            at += 1
        }
        return at > start ? (value, at) : nil
    }

    /// Whether lower-case letters and blanks stand at a place, in any case.
    private static func has(_ words: StaticString, _ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        guard start + words.utf8CodeUnitCount <= text.count else { return false }
        return words.withUTF8Buffer { words in
            words.indices.allSatisfy { text[start + $0] | 0x20 == words[$0] }
        }
    }
}
