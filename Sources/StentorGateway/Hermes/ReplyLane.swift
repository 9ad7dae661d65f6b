import StentorBase

/// One reply, or the confirmation of an upload.
struct Turn: LaneItem {
    /// Which of the copies of a reply this is.
    enum Copy { case only, first, second, confirmation }

    /// The whole text, UTF-8.
    var text: [UInt8]
    /// When it is meant to go out.
    let due: Instant
    /// The marker of the text that it answers.
    let sequence: Int?
    /// Which copy it is.
    let copy: Copy
    /// Whether the next turn overtakes it.
    let isLate: Bool

    /// Whether it overtakes nothing: second copies and confirmations.
    var isAside: Bool { copy == .second || copy == .confirmation }

    mutating func release() { text = [] }
}

/// The turns of one device: one after another, each in pieces. It outlives the sockets of its device.
struct ReplyLane {
    /// A turn that has begun, and how far it is.
    struct Progress {
        /// The turn.
        var turn: Turn
        /// The id of its message.
        let id: UUIDBits
        /// When its next frame is due.
        var next: Instant
        /// Pieces sent, of how many, and the bytes of text in them.
        var piece = 0
        let pieces: Int
        let scalarsPerPiece: Int
        var shownBytes = 0
        /// Whether the device was there for the last piece.
        var isShown = false
        /// Whether another turn went before it on purpose.
        var isOvertaken = false
    }

    /// The turn that has begun.
    var current: Progress?
    /// Whether the first copy of a doubled reply reached the device.
    var isFirstCopyShown = false

    private var order = ReorderLane<Turn>()

    /// Queues a turn.
    mutating func put(_ turn: Turn) {
        order.put(turn)
    }

    /// Takes out every turn that has not ended.
    mutating func takePending() -> [Turn] {
        let pending = (current.map { [$0.turn] } ?? []) + order.takePending()
        current = nil
        return pending
    }

    /// When something is to be done; nil while there is nothing to do.
    var need: Instant? { current?.next ?? order.need }

    /// The turn to begin now, and whether it was overtaken; nil while one goes on or none is due. Call again after each end.
    mutating func takeNext(at now: Instant) -> (turn: Turn, isOvertaken: Bool)? {
        guard current == nil, let (turn, isOvertaken) = order.takeNext(at: now) else { return nil }
        return (turn, isOvertaken)
    }

    /// Ends the turn that goes on and gives it.
    mutating func finish(at now: Instant) -> Progress {
        guard let ended = current else { preconditionFailure("ReplyLane: finish while idle") }
        current = nil
        order.ended(isAside: ended.turn.isAside, isShown: ended.isShown, at: now)
        return ended
    }
}
