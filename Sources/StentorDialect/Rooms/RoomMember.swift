import StentorBase

/// What a room knows of one member: when it was there, and its own texts.
struct RoomMember {
    /// When its latest join was handed over.
    var joinedAt = Instant.distantPast
    /// When it left after that; nil: it has not.
    var leftAt: Instant?
    /// Whether it is a member now.
    var isMember = false
    /// Whether its socket plays dead.
    var isSilent = false
    /// Deliveries to it that are still owed.
    var owed = 0
    /// Its latest text.
    var lastSequence = 0
    /// Its texts that are owed to someone, oldest first.
    var open: [RoomText] = []
    /// Other texts of it that are remembered.
    var past: [RoomText] = []
    /// Its texts up to this one are not remembered, unless they stand here.
    private(set) var forgotten = 0

    /// Where one of its texts is.
    enum Place {
        case open(Int), past(Int)
    }

    /// Where a text is; nil when it is not remembered, or was never sent.
    func place(of sequence: Int) -> Place? {
        if let index = open.lastIndex(where: { $0.sequence == sequence }) { return .open(index) }
        return past.lastIndex { $0.sequence == sequence }.map { .past($0) }
    }

    /// The text at a place.
    subscript(place: Place) -> RoomText {
        _read {
            switch place {
            case .open(let index): yield open[index]
            case .past(let index): yield past[index]
            }
        }
        _modify {
            switch place {
            case .open(let index): yield &open[index]
            case .past(let index): yield &past[index]
            }
        }
    }

    /// Forgets texts whose deadline is longer ago than a time, and the oldest beyond a limit.
    mutating func forget(at now: Instant, memory: Duration, limit: Int) {
        let excess = past.count + open.count - limit
        let old = past.prefix { $0.deadline + memory < now }.count
        let count = min(max(excess, old), past.count)
        guard count > 0 else { return }
        for text in past[..<count] { forgotten = max(forgotten, text.sequence) }
        past.removeFirst(count)
    }

    /// Whether a later text of it is with a member.
    func hasLater(than sequence: Int, at member: Int) -> Bool {
        guard sequence < lastSequence else { return false }
        return open.contains { $0.sequence > sequence && $0.fates[member] == .received }
            || past.contains { $0.sequence > sequence && $0.fates[member] == .received }
    }
}

/// One text of a room, and what became of it for each member.
struct RoomText {
    /// What became of a text for one member.
    enum Fate: UInt8 {
        /// It was not a member, or not for sure.
        case none
        case owed, received, lost, away
    }

    let sequence: Int
    let due: Instant
    let deadline: Instant
    let phaseTag: UInt8
    /// When it was handed to the kernel.
    let sentAt: Instant
    /// By slot.
    private(set) var fates: [Fate]
    private(set) var owedCount = 0
    private var lostCount = 0
    private var awayCount = 0
    private var first: Instant?
    private var last: Instant?
    private var isSettled = false

    init(_ text: SentText, sentAt: Instant, members: Int) {
        (sequence, due, deadline, phaseTag) = (text.sequence, text.due, text.deadline, text.phaseTag)
        self.sentAt = sentAt
        fates = Array(repeating: .none, count: members)
    }

    /// The member is to get it, or would be if it were not away.
    mutating func owe(_ member: Int, isAway: Bool) {
        fates[member] = isAway ? .away : .owed
        if isAway { awayCount += 1 } else { owedCount += 1 }
    }

    /// It arrived there.
    mutating func receive(_ member: Int, at now: Instant) {
        switch fates[member] {
        case .owed: owedCount -= 1
        case .lost: lostCount -= 1
        case .away: awayCount -= 1
        case .none, .received: break
        }
        fates[member] = .received
        first = first ?? now
        last = now
    }

    /// It cannot arrive any more.
    mutating func excuse(_ member: Int) {
        fates[member] = .away
        owedCount -= 1
        awayCount += 1
    }

    /// It did not arrive in time.
    mutating func lose(_ member: Int) {
        fates[member] = .lost
        owedCount -= 1
        lostCount += 1
    }

    /// What is to be said once, when nothing of it is owed or lost any more; nil before, and after the first time.
    mutating func takeSettled(of sender: Int) -> RoomLedger.Settled? {
        guard owedCount == 0, lostCount == 0, !isSettled else { return nil }
        isSettled = true
        return RoomLedger.Settled(
            sender: sender, sequence: sequence, due: due, phaseTag: phaseTag, first: first, last: last, isComplete: awayCount == 0)
    }
}
