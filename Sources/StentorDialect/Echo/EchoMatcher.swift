import StentorBase

/// Finds the text that an echo repeats, byte by byte and piece by piece, without having kept any.
///
/// A text is a pure function of its number and size (``TextBody``), so a pair of numbers stands for it. One that holds its whole marker is
/// found by that; shorter ones are compared with all texts of the same size: first those that wait within their deadline, oldest first, then those
/// past it, then those that have come back. Of these, some 64 are remembered; of the others 256.
struct EchoMatcher {
    /// What an incoming message is.
    enum Match: Equatable {
        /// Exactly the text of this number.
        case echo(Int)
        /// Something else, and one of the texts that wait was meant.
        case damaged
        /// Nothing that was sent.
        case foreign
    }

    private struct Entry {
        let sequence: Int
        let bytes: Int
        /// Set when the kernel has it.
        var deadline: Instant?
        var isBack = false
    }

    private static let backLimit = 64
    private static let limit = 256
    /// Enough of a message to hold a whole marker.
    private static let headBytes = ReplyMarker.longestBytes

    private var entries: [Entry] = []
    private var head: [UInt8] = []
    private var length = 0
    /// The text whose marker the message begins with, while all of it is the same.
    private var candidate: Int?
    /// Whether it begins with the marker of a text that is remembered.
    private var hasMarker = false

    /// A text is on its way to the kernel.
    mutating func queued(_ sequence: Int, bytes: Int) {
        entries.append(Entry(sequence: sequence, bytes: bytes))
        guard entries.count > Self.backLimit else { return }
        if let index = entries.firstIndex(where: \.isBack) {
            entries.remove(at: index)
        } else if entries.count > Self.limit {
            entries.removeFirst()
        }
    }

    /// The kernel has it.
    mutating func sent(_ sequence: Int, deadline: Instant) {
        guard let index = entries.lastIndex(where: { $0.sequence == sequence }) else { return }
        entries[index].deadline = deadline
    }

    /// The connection is gone: what the kernel did not get cannot come back.
    mutating func connectionLost() {
        entries.removeAll { $0.deadline == nil }
        begin()
    }

    /// A message begins.
    mutating func begin() {
        head.removeAll(keepingCapacity: true)
        (length, candidate, hasMarker) = (0, nil, false)
    }

    /// A piece of it came.
    mutating func append(_ piece: UnsafeRawBufferPointer) {
        var rest = piece
        if head.count < Self.headBytes {
            let part = UnsafeRawBufferPointer(rebasing: rest[..<min(rest.count, Self.headBytes - head.count)])
            head.append(contentsOf: part)
            rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
            length += part.count
            if head.count == Self.headBytes { chooseCandidate() }
        }
        guard !rest.isEmpty else { return }
        if let sequence = candidate, !TextBody.matches(rest, sequence: sequence, from: length) { candidate = nil }
        length += rest.count
    }

    /// The message is complete.
    mutating func finish(at now: Instant) -> Match {
        if head.count < Self.headBytes { chooseCandidate() }
        if let sequence = candidate {
            if let index = entries.lastIndex(where: { $0.sequence == sequence && $0.bytes == length }) { return .echo(take(index)) }
            // Whole in itself: an old text that is not remembered.
            if !hasMarker { return .foreign }
        }
        if !hasMarker, head.count == length, let index = short(at: now) { return .echo(take(index)) }
        let isMeant = hasMarker || entries.contains { !$0.isBack && $0.bytes == length }
        return isMeant ? .damaged : .foreign
    }

    /// The beginning of a message, enough to recognise a greeting.
    var beginning: [UInt8] { head }

    private mutating func take(_ index: Int) -> Int {
        entries[index].isBack = true
        return entries[index].sequence
    }

    private mutating func chooseCandidate() {
        head.withUnsafeBytes { head in
            guard head.starts(with: [UInt8(ascii: "["), UInt8(ascii: "#")]), let sequence = ReplyMarker.find(in: head) else { return }
            hasMarker = entries.lastIndex { $0.sequence == sequence } != nil
            if TextBody.matches(head, sequence: sequence, from: 0) { candidate = sequence }
        }
    }

    /// The text that a message without a whole marker repeats.
    private func short(at now: Instant) -> Int? {
        head.withUnsafeBytes { head in
            let same = entries.indices.filter { index in
                entries[index].bytes == head.count && TextBody.matches(head, sequence: entries[index].sequence, from: 0)
            }
            let waiting = same.filter { !entries[$0].isBack }
            return waiting.first { entries[$0].deadline.map { now <= $0 } ?? true } ?? waiting.first ?? same.last
        }
    }
}
