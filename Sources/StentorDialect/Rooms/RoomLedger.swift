import StentorBase

/// The accounts of one room: who was to get each text, and what became of it, per text and member.
///
/// A text is owed to those who are members when it is handed to the kernel: one *delivery* each. Whether a member's join and a text of
/// another connection reach the server in this order can be told only when some time lies between them, so someone who came less than
/// `settle` before is *uncertain*: owed nothing, and counted only if it gets the text. After every call holds, over all texts:
///
///     expected = delivered + late + lost + away + in doubt
///
/// Pure: members are slots, 0 ..< members; the caller says who did what, and when.
struct RoomLedger {
    /// How the server behaves, and how much is remembered.
    struct Options: Equatable, Sendable {
        /// Whether a sender gets its own texts.
        var ownEcho = true
        /// How long after a join, and after leaving, the server may not know yet.
        var settle = Duration.seconds(1)
        /// Whether the server sends texts from before to who joins.
        var replaysHistory = false
        /// How long after its deadline a text is remembered, to tell late deliveries and second ones.
        var memory = Duration.seconds(60)
        /// How many texts of one sender are remembered at most.
        var memoryLimit = 64
    }

    /// A text for which nothing more is owed.
    struct Settled: Equatable {
        /// Whose it is.
        let sender: Int
        let sequence: Int
        let due: Instant
        let phaseTag: UInt8
        /// When the first and the last of those who have it got it; nil: nobody did.
        let first: Instant?
        let last: Instant?
        /// Whether all who were to get it have it; otherwise some were away.
        let isComplete: Bool
    }

    /// What handing a text over means.
    struct Fanout: Equatable {
        /// Deliveries that it is owed.
        var expected = 0
        /// Of these, to members who cannot get anything at the moment.
        var away = 0
        /// Members of whom it cannot be told whether they will get it.
        var uncertain = 0
        /// Set when nobody can get it.
        var settled: Settled?
    }

    /// What the arrival of a text means.
    enum Receipt: Equatable {
        /// The text reached this member for the first time; set with the one that settles it.
        case delivered(Delivery, Settled?)
        case duplicated
        /// It is from before the member's time, and the server keeps a history.
        case replayed
        /// The member was not to get it, or it was never sent.
        case unexpected
        /// It is too old to be remembered.
        case unknown
    }

    /// What a member's going means.
    struct Departure: Equatable {
        /// Deliveries to it that cannot come any more.
        var away = 0
        /// Texts that were owed to it last.
        var settled: [Settled] = []
    }

    private var members: [RoomMember] = []
    private let options: Options

    /// Starts a room without members.
    init(_ options: Options = Options()) {
        self.options = options
    }

    /// Adds someone who may become a member; to be called before the first text.
    ///
    /// - Returns: Its slot.
    mutating func addMember() -> Int {
        members.append(RoomMember())
        return members.count - 1
    }

    /// Whether a delivery to a member is still owed.
    func isExpecting(_ member: Int) -> Bool { members[member].owed > 0 }

    /// When ``deadlinePassed(_:at:)`` is due for a sender; nil: nothing of it is owed.
    func deadline(_ sender: Int) -> Instant? { members[sender].open.first?.deadline }

    // MARK: Members

    /// A member's join is with the kernel.
    mutating func joined(_ member: Int, at now: Instant) {
        members[member].joinedAt = now
        members[member].leftAt = nil
        members[member].isMember = true
        members[member].isSilent = false
    }

    /// A member has left, or its connection is gone; does nothing for one that is no member.
    mutating func left(_ member: Int, at now: Instant) -> Departure {
        guard members[member].isMember else { return Departure() }
        members[member].isMember = false
        members[member].leftAt = now
        return excuse(member)
    }

    /// A member's socket plays dead, or no longer: what it is owed meanwhile is no fault of the server.
    mutating func silenceChanged(_ member: Int, isSilent: Bool) -> Departure {
        members[member].isSilent = isSilent
        return isSilent ? excuse(member) : Departure()
    }

    private mutating func excuse(_ member: Int) -> Departure {
        var departure = Departure()
        guard members[member].owed > 0 else { return departure }
        for sender in members.indices {
            for index in members[sender].open.indices.reversed() where members[sender].open[index].fates[member] == .owed {
                members[sender].open[index].excuse(member)
                departure.away += 1
                if let settled = close(index, of: sender) { departure.settled.append(settled) }
            }
        }
        members[member].owed = 0
        return departure
    }

    // MARK: Texts

    /// A text of a member is with the kernel; sequences and deadlines of one sender rise.
    mutating func sent(_ text: SentText, by sender: Int, at now: Instant) -> Fanout {
        var fanout = Fanout()
        var entry = RoomText(text, sentAt: now, members: members.count)
        for member in members.indices where member != sender || options.ownEcho {
            guard member == sender || !isUncertain(member, now) else {
                fanout.uncertain += 1
                continue
            }
            guard members[member].isMember else { continue }
            fanout.expected += 1
            if members[member].isSilent { fanout.away += 1 } else { members[member].owed += 1 }
            entry.owe(member, isAway: members[member].isSilent)
        }
        members[sender].forget(at: now, memory: options.memory, limit: options.memoryLimit)
        members[sender].lastSequence = text.sequence
        members[sender].open.append(entry)
        fanout.settled = close(members[sender].open.count - 1, of: sender)
        return fanout
    }

    /// A text of `sender` has arrived at a member.
    mutating func received(_ sequence: Int, of sender: Int, by member: Int, at now: Instant) -> Receipt {
        guard let place = members[sender].place(of: sequence) else {
            return sequence > 0 && sequence <= members[sender].forgotten ? .unknown : .unexpected
        }
        let (fate, sentAt) = (members[sender][place].fates[member], members[sender][place].sentAt)
        let before: Delivery.Before
        switch fate {
        case .owed: before = .inDoubt
        case .lost: before = .lost
        case .away: before = .away
        case .none where member != sender && isUncertain(member, sentAt): before = .uncertain
        case .received, .none:
            let isFromBefore = members[member].joinedAt > sentAt && (fate == .received || member != sender)
            guard !isFromBefore || !options.replaysHistory else { return .replayed }
            return fate == .received ? .duplicated : .unexpected
        }
        if fate == .owed { members[member].owed -= 1 }
        return arrived(place, of: sender, at: member, before, now)
    }

    /// Counts what of a sender's texts is past its deadline.
    ///
    /// - Parameter idle: Called with each member that is owed nothing any more.
    /// - Returns: Deliveries that are lost now.
    mutating func deadlinePassed(_ sender: Int, at now: Instant, idle: (Int) -> Void) -> Int {
        var lost = 0
        while let text = members[sender].open.first, text.deadline <= now {
            for member in members.indices where text.fates[member] == .owed {
                members[sender].open[0].lose(member)
                lost += 1
                members[member].owed -= 1
                if members[member].owed == 0 { idle(member) }
            }
            members[sender].past.append(members[sender].open.removeFirst())
        }
        return lost
    }

    // MARK: Arrivals

    private mutating func arrived(
        _ place: RoomMember.Place, of sender: Int, at member: Int, _ before: Delivery.Before, _ now: Instant
    ) -> Receipt {
        members[sender][place].receive(member, at: now)
        let text = members[sender][place]
        let delivery = Delivery(
            due: text.due, arrived: now, phaseTag: text.phaseTag, before: before, isLate: now > text.deadline,
            isReordered: members[sender].hasLater(than: text.sequence, at: member))
        switch place {
        case .open(let index): return .delivered(delivery, close(index, of: sender))
        case .past(let index): return .delivered(delivery, members[sender].past[index].takeSettled(of: sender))
        }
    }

    /// Whether the server may have taken a member for none at an instant, or none for a member.
    private func isUncertain(_ member: Int, _ instant: Instant) -> Bool {
        let state = members[member]
        guard state.joinedAt != .distantPast else { return false }
        if let left = state.leftAt, left <= instant { return instant - left < options.settle }
        let age = instant - state.joinedAt
        return age < options.settle && age > .zero - options.settle
    }

    /// Puts a text away that is owed to nobody any more.
    private mutating func close(_ index: Int, of sender: Int) -> Settled? {
        guard members[sender].open[index].owedCount == 0 else { return nil }
        let settled = members[sender].open[index].takeSettled(of: sender)
        members[sender].past.append(members[sender].open.remove(at: index))
        return settled
    }
}
