import StentorBase
import StentorWire

/// Tells message ids apart by length and a 64-bit hash, so that no id is kept.
struct HermesMessageKey: Equatable {
    private var hash: UInt64
    private var count: Int

    /// The key of an id; nil is the empty id.
    init(_ id: JSONText?, in bytes: UnsafeRawBufferPointer) {
        var key = HermesMessageKey("")
        id?.unescapedRuns(in: bytes) { run in
            key.take(run)
            return true
        }
        self = key
    }

    /// The key of an id.
    init(_ id: String) {
        hash = 0xCBF2_9CE4_8422_2325
        count = 0
        var id = id
        id.withUTF8 { take(UnsafeRawBufferPointer($0)) }
    }

    /// FNV-1a.
    private mutating func take(_ run: UnsafeRawBufferPointer) {
        for byte in run { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        count += run.count
    }

    /// Whether the server named no id.
    var isEmpty: Bool { count == 0 }
}

/// What is kept of a message that is open, or was not long ago.
struct HermesOpenMessage {
    enum Phase {
        case open, suspended, ended
    }

    static let keptLimit = 4096

    let key: HermesMessageKey
    var phase = Phase.open
    var firstShownAt: Instant
    var lastAt: Instant
    var edits = 0
    var sequence: Int?
    var hasText = false
    var isConfirmation = false
    /// By turns: part of the open turn, or of none.
    var isOfTurn = false
    var isForeign = false
    /// The text so far, or its end, while it is unknown what it answers.
    var kept: [UInt8] = []

    init(key: HermesMessageKey, at now: Instant) {
        self.key = key
        firstShownAt = now
        lastAt = now
    }

    /// Whether neither a marker nor a confirmation was found yet.
    var isUnknown: Bool { sequence == nil && !isConfirmation }

    mutating func keep(_ text: UnsafeRawBufferPointer, replacing: Bool) {
        if replacing { kept.removeAll(keepingCapacity: true) }
        kept.append(contentsOf: text.suffix(Self.keptLimit))
        if kept.count > Self.keptLimit { kept.removeFirst(kept.count - Self.keptLimit) }
    }
}

/// The open turn of a device that has one at a time.
struct HermesTurn {
    let sequence: Int
    var firstShownAt: Instant?
    /// When its last piece came; nil before the first, and after a lost connection.
    var lastAt: Instant?
    var edits = 0
    var hasText = false
    var hasBegun = false

    init(sequence: Int) {
        self.sequence = sequence
    }

    mutating func take(at now: Instant, hasText: Bool, isEdit: Bool) {
        firstShownAt = firstShownAt ?? now
        lastAt = now
        if hasText { self.hasText = true }
        if isEdit { edits += 1 }
    }
}
