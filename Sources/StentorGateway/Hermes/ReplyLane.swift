import StentorBase

/// One reply, or the confirmation of an upload.
struct Turn {
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
}

/// The order in which one device gets its turns: one after another, a late one overtaken by the next that is not aside.
///
///     idle ──late──▶ holding ──next turn done──▶ the held one ──▶ idle
///                    holding ──2 s without another──▶ the held one ──▶ idle
///
/// At most one turn is held; a second late one is taken as any other. The lane outlives the sockets of its device.
struct ReplyLane {
    /// How long a late turn waits to be overtaken.
    static let hold = Duration.seconds(2)

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

    private var queue: [Turn] = []
    private var queueStart = 0
    private var held: Turn?
    private var heldUntil = Instant.distantFuture
    private var isHeldNext = false
    private var isOvertakerShown = false

    /// Queues a turn.
    mutating func put(_ turn: Turn) {
        queue.append(turn)
    }

    /// Takes out every turn that has not ended.
    mutating func takePending() -> [Turn] {
        let pending = (current.map { [$0.turn] } ?? []) + (held.map { [$0] } ?? []) + queue[queueStart...]
        (current, held, queue, queueStart, isHeldNext) = (nil, nil, [], 0, false)
        return pending
    }

    /// When something is to be done; nil while there is nothing to do.
    var need: Instant? {
        if let current { return current.next }
        if isHeldNext || queueStart < queue.count { return .distantPast }
        return held == nil ? nil : heldUntil
    }

    /// The turn to begin now, and whether it was overtaken; nil while one goes on or none is due. Call again after each end.
    mutating func takeNext(at now: Instant) -> (turn: Turn, isOvertaken: Bool)? {
        guard current == nil else { return nil }
        if isHeldNext, let turn = held {
            isHeldNext = false
            held = nil
            return (turn, isOvertakerShown)
        }
        while queueStart < queue.count {
            let turn = popFirst()
            guard turn.isLate, held == nil else { return (turn, false) }
            held = turn
            heldUntil = now + Self.hold
        }
        guard let turn = held, now >= heldUntil else { return nil }
        held = nil
        return (turn, false)
    }

    /// Ends the turn that goes on and gives it.
    mutating func finish(at now: Instant) -> Progress {
        guard let ended = current else { preconditionFailure("ReplyLane: finish while idle") }
        current = nil
        if held != nil {
            heldUntil = now + Self.hold
            isHeldNext = !ended.turn.isAside
            isOvertakerShown = ended.isShown
        }
        return ended
    }

    private mutating func popFirst() -> Turn {
        let turn = queue[queueStart]
        queue[queueStart].text = []
        queueStart += 1
        if queueStart == queue.count {
            queue.removeAll(keepingCapacity: true)
            queueStart = 0
        } else if queueStart >= 64, queueStart * 2 > queue.count {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
        return turn
    }
}
