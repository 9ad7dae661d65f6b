import StentorBase

/// What travels on a ``ReorderLane``.
protocol LaneItem {
    /// Whether the next item that is not aside overtakes it.
    var isLate: Bool { get }
    /// Whether it overtakes nothing, for instance a second copy.
    var isAside: Bool { get }
    /// Gives its memory back; called when it is taken from the queue.
    mutating func release()
}

/// The order of one receiver's items: one after another, a late one overtaken by the next that is not aside.
///
///     idle ──late──▶ holding ──next item done──▶ the held one ──▶ idle
///                    holding ──2 s without another──▶ the held one ──▶ idle
///
/// At most one item is held; a second late one is taken as any other.
struct ReorderLane<Item: LaneItem> {
    /// How long a late item waits to be overtaken.
    static var hold: Duration { .seconds(2) }

    private var queue: [Item] = []
    private var queueStart = 0
    private var held: Item?
    private var heldUntil = Instant.distantFuture
    private var isHeldNext = false
    private var isOvertakerShown = false

    /// Queues an item.
    mutating func put(_ item: Item) {
        queue.append(item)
    }

    /// Takes out every item that has not begun.
    mutating func takePending() -> [Item] {
        let pending = (held.map { [$0] } ?? []) + queue[queueStart...]
        (held, queue, queueStart, isHeldNext) = (nil, [], 0, false)
        return pending
    }

    /// When an item can begin; nil while there is none.
    var need: Instant? {
        if isHeldNext || queueStart < queue.count { return .distantPast }
        return held == nil ? nil : heldUntil
    }

    /// The item to begin now, and whether it was overtaken; nil when none is due. Tell ``ended(isAside:isShown:at:)`` before the next.
    mutating func takeNext(at now: Instant) -> (item: Item, isOvertaken: Bool)? {
        if isHeldNext, let item = held {
            isHeldNext = false
            held = nil
            return (item, isOvertakerShown)
        }
        while queueStart < queue.count {
            let item = popFirst()
            guard item.isLate, held == nil else { return (item, false) }
            held = item
            heldUntil = now + Self.hold
        }
        guard let item = held, now >= heldUntil else { return nil }
        held = nil
        return (item, false)
    }

    /// The item that was taken last is done with.
    ///
    /// - Parameters:
    ///   - isAside: Whether it overtakes nothing.
    ///   - isShown: Whether it reached its receiver.
    mutating func ended(isAside: Bool, isShown: Bool, at now: Instant) {
        guard held != nil else { return }
        heldUntil = now + Self.hold
        isHeldNext = !isAside
        isOvertakerShown = isShown
    }

    private mutating func popFirst() -> Item {
        let item = queue[queueStart]
        queue[queueStart].release()
        queueStart += 1
        if queueStart == queue.count {
            queue.removeAll(keepingCapacity: true)
            queueStart = 0
        } else if queueStart >= 64, queueStart * 2 > queue.count {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
        return item
    }
}
