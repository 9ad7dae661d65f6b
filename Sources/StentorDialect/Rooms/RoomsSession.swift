import StentorBase
import StentorWire

/// The words of one member of a room.
///
/// What it sees, it tells the room's ledger; what that makes known about other members goes to their owners.
final class RoomsSession: DeviceSession {
    /// Its place in the room.
    private(set) var slot = 0
    private let id: String
    private let room: Room
    // The factory is the crew's and outlives all its sessions.
    private unowned let factory: RoomsSessionFactory
    private weak var owner: (any SessionOwner)?
    private var assembly = MessageAssembly()
    private var streamedKind = MessageKind.text

    let messageKind = MessageKind.text

    init(_ id: String, in room: Room, factory: RoomsSessionFactory) {
        (self.id, self.room, self.factory) = (id, room, factory)
        slot = room.add(self)
    }

    func attach(_ owner: any SessionOwner) { self.owner = owner }

    // MARK: Membership

    func connectionOpened() { assembly.begin() }

    func greeting() -> [UInt8]? { factory.message(.join, room: room.name, sender: id) }

    /// The join is handed over; the protocol has no answer to it.
    func greetingSent(at now: Instant, facts: inout [DeviceFact]) {
        room.ledger.joined(slot, at: now)
        facts.append(.ready)
    }

    func farewell(at now: Instant, facts: inout [DeviceFact]) -> [UInt8]? {
        tell(room.ledger.left(slot, at: now), at: now, facts: &facts)
        return factory.message(.leave, room: room.name, sender: id)
    }

    func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact]) {
        assembly.begin()
        tell(room.ledger.left(slot, at: now), at: now, facts: &facts)
    }

    func silenceChanged(isSilent: Bool, at now: Instant, facts: inout [DeviceFact]) {
        tell(room.ledger.silenceChanged(slot, isSilent: isSilent), at: now, facts: &facts)
    }

    // MARK: Texts

    func text(sequence: Int, id: String, bytes: Int) -> [UInt8] {
        factory.message(.message, room: room.name, sender: self.id, text: TextBody.make(sequence: sequence, bytes: bytes))
    }

    func textSent(_ text: SentText, at now: Instant, facts: inout [DeviceFact]) {
        let fanout = room.ledger.sent(text, by: slot, at: now)
        facts.append(.deliveriesExpected(fanout.expected, away: fanout.away, uncertain: fanout.uncertain))
        if let settled = fanout.settled { tell(settled, at: now, facts: &facts) }
    }

    var isExpecting: Bool { room.ledger.isExpecting(slot) }

    var deadline: Instant? { room.ledger.deadline(slot) }

    func deadlinePassed(at now: Instant, facts: inout [DeviceFact]) {
        var idle: [Int] = []
        let lost = room.ledger.deadlinePassed(slot, at: now) { idle.append($0) }
        if lost > 0 { facts.append(.deliveriesLost(lost)) }
        for member in idle where member != slot { room.session(member).owner?.sessionSettled(at: now) }
    }

    // MARK: Messages

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        guard kind == .text else { return facts.append(.wrongKind) }
        guard let frame = RoomsFrame.read(bytes) else { return facts.append(.malformedFrame) }
        factory.received.note(frame.type.rawValue)
        switch frame.type {
        case .join, .leave: break
        case .unknown: facts.append(.unknownFrame)
        case .message: take(frame, bytes, at: now, facts: &facts)
        }
    }

    func streamBegan(_ kind: MessageKind) {
        assembly.begin()
        streamedKind = kind
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) { assembly.append(bytes) }

    func streamEnded(at now: Instant, facts: inout [DeviceFact]) {
        guard let whole = assembly.take() else { return facts.append(.malformedFrame) }
        whole.withUnsafeBytes { messageReceived(streamedKind, $0, at: now, facts: &facts) }
    }

    /// What is not from a device of this run, or has no marker, is someone else's word.
    private func take(_ frame: RoomsFrame, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        let sender = frame.sender.withUnescaped(in: bytes) { factory.member($0) }
        let sequence = frame.text?.withUnescaped(in: bytes) { ReplyMarker.find(in: $0) } ?? nil
        guard let sender, let sequence else { return facts.append(.unmatchedReply) }
        let isRoom = frame.room.withUnescaped(in: bytes) { room.hasName($0) }
        guard isRoom, sender.room == room.number else { return facts.append(.deliveryUnexpected) }
        switch room.ledger.received(sequence, of: sender.slot, by: slot, at: now) {
        case .delivered(let delivery, let settled):
            facts.append(.delivered(delivery))
            if let settled { tell(settled, at: now, facts: &facts) }
        case .duplicated: facts.append(.deliveryDuplicated)
        case .replayed: facts.append(.deliveryReplayed)
        case .unexpected: facts.append(.deliveryUnexpected)
        case .unknown: facts.append(.unmatchedReply)
        }
    }

    // MARK: What others learn

    private func tell(_ departure: RoomLedger.Departure, at now: Instant, facts: inout [DeviceFact]) {
        if departure.away > 0 { facts.append(.deliveriesAway(departure.away)) }
        for settled in departure.settled { tell(settled, at: now, facts: &facts) }
    }

    private func tell(_ settled: RoomLedger.Settled, at now: Instant, facts: inout [DeviceFact]) {
        var news: [DeviceFact] = []
        if let first = settled.first, let last = settled.last {
            if settled.isComplete { news.append(.fannedOut(due: settled.due, at: last, phaseTag: settled.phaseTag)) }
            news.append(.replyEnded(sequence: settled.sequence, firstShownAt: first, endedAt: last, edits: 0))
        } else {
            news.append(.replyExcused(sequence: settled.sequence))
        }
        guard settled.sender != slot else { return facts.append(contentsOf: news) }
        for fact in news { room.session(settled.sender).owner?.sessionLearned(fact, at: now) }
    }
}
