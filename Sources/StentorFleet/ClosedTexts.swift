import StentorBase

/// The texts of one device that were answered last, so that a second reply or one that was overtaken can be told with its times.
struct ClosedTexts {
    /// A text with its reply.
    struct Text: Equatable {
        let sequence: Int
        let due: Instant
        let sent: Instant
        let replied: Instant
    }

    /// How many are kept: what a server repeats, it repeats soon.
    static let capacity = 8
    /// How many of them a timeline tells.
    private static let told = 4

    // Takes no memory before the first reply.
    private var texts: [Text] = []
    private var next = 0

    /// Takes a text that was answered; the oldest one gives way.
    mutating func add(_ text: Text) {
        if texts.isEmpty { texts.reserveCapacity(Self.capacity) }
        if texts.count < Self.capacity { texts.append(text) } else { texts[next] = text }
        next = (next + 1) % Self.capacity
    }

    /// The text of a number; nil when it is not kept.
    subscript(sequence: Int) -> Text? { texts.last { $0.sequence == sequence } }

    /// The latest ones answered since an instant.
    func since(_ instant: Instant) -> [Text] {
        texts.filter { $0.replied >= instant }.sorted { $0.replied < $1.replied }.suffix(Self.told)
    }
}
