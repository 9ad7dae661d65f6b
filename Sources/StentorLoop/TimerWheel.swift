import StentorBase

/// Timers in four levels of 256 slots; a tick is 2^17 ns (131 µs), so the levels span 34 ms, 8.6 s, 37 min and 6.5 days.
///
/// Insertion, removal and expiry cost constant time. A timer fires at its exact deadline, not at the end of its tick: within the
/// current tick only what is due fires, and ``nextWake`` is the earliest deadline of the next occupied slot.
/// Structure: Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7.
struct TimerWheel {
    private static let tickShift: Int64 = 17
    private static let slots = 256
    private static let levels = 4
    /// The list of timers taken out of a slot to be fired.
    private static let firing = Int32(levels * slots)

    private var heads = [Unmanaged<LoopTimer>?](repeating: nil, count: levels * slots + 1)
    private var occupied = [UInt64](repeating: 0, count: levels * slots / 64)
    private var currentTick: Int64
    private(set) var count = 0
    /// The timers that were given out to be fired.
    private(set) var tally = TimerTally()

    init(now: Instant) {
        currentTick = now.nanoseconds >> Self.tickShift
    }

    /// Sets the deadline of a timer and puts it into the wheel if it is not there already, or lies there too late.
    mutating func schedule(_ timer: LoopTimer, at deadline: Instant) {
        timer.deadline = deadline
        let tick = deadline.nanoseconds >> Self.tickShift
        if timer.list >= 0, timer.list != Self.firing {
            guard tick < timer.armedTick else { return }
            unlink(timer)
        } else if timer.list == Self.firing {
            unlink(timer)
        }
        insert(timer, tick: tick)
    }

    /// Forgets a timer; harmless when it is not scheduled.
    mutating func cancel(_ timer: LoopTimer) {
        timer.deadline = nil
        if timer.list >= 0 { unlink(timer) }
    }

    /// Fires what is due at `now`; returns when nothing due is left. `fire` may schedule and cancel timers of this wheel through the loop.
    ///
    /// Written as steps, because the wheel must not be held exclusively while a timer's code runs.
    ///
    /// - Parameter clock: The time as it is by now, which how late a timer is counts to; nil: `now`.
    mutating func nextDue(at now: Instant, clock: Instant? = nil) -> LoopTimer? {
        let nowTick = max(currentTick, now.nanoseconds >> Self.tickShift)
        while true {
            if let timer = popFiring(at: now, clock: clock ?? now) { return timer }
            if takeSlot(at: now) { continue }
            guard currentTick < nowTick else { return nil }
            step(towards: nowTick)
        }
    }

    /// When the loop must look again, or nil when no timer is scheduled. Never later than the earliest deadline.
    var nextWake: Instant? {
        guard count > 0 else { return nil }
        var wake = Instant.distantFuture
        if let slot = nextOccupied(level: 0, from: Int(currentTick & 255), inclusive: true) {
            var node = heads[slot]
            while let timer = node?.takeUnretainedValue() {
                wake = min(wake, timer.deadline ?? .distantPast)
                node = timer.next
            }
        }
        for level in 1..<Self.levels {
            if let tick = nextOccupiedTick(level: level) { wake = min(wake, Instant(nanoseconds: tick << Self.tickShift)) }
        }
        return wake
    }

    /// Takes all timers out without firing them.
    mutating func removeAll() {
        for list in heads.indices {
            while let timer = heads[list]?.takeUnretainedValue() {
                timer.deadline = nil
                unlink(timer)
            }
        }
    }

    // MARK: - Expiry

    private mutating func popFiring(at now: Instant, clock: Instant) -> LoopTimer? {
        while let timer = heads[Int(Self.firing)]?.takeUnretainedValue() {
            unlink(timer)
            guard let deadline = timer.deadline else { continue }
            if deadline <= now {
                timer.deadline = nil
                tally.fired(due: deadline, at: clock)
                return timer
            }
            insert(timer, tick: deadline.nanoseconds >> Self.tickShift)
        }
        return nil
    }

    /// Moves the current slot's timers to the firing list if any of them is due (or was moved to later).
    private mutating func takeSlot(at now: Instant) -> Bool {
        let slot = Int(currentTick & 255)
        var node = heads[slot]
        var found = false
        while let timer = node?.takeUnretainedValue() {
            node = timer.next
            let deadline = timer.deadline ?? .distantPast
            guard deadline <= now || deadline.nanoseconds >> Self.tickShift > currentTick else { continue }
            unlink(timer)
            link(timer, into: Self.firing)
            found = true
        }
        return found
    }

    /// Moves to the next tick at which there is something to do, or to `nowTick`.
    private mutating func step(towards nowTick: Int64) {
        var next = nowTick
        for level in 0..<Self.levels {
            if let tick = nextOccupiedTick(level: level) { next = min(next, tick) }
        }
        currentTick = next
        if next & 255 == 0 { cascade() }
    }

    /// The first tick, after the current one, of the next occupied slot of a level.
    private func nextOccupiedTick(level: Int) -> Int64? {
        let shift = Int64(8 * level)
        let position = Int((currentTick >> shift) & 255)
        guard let slot = nextOccupied(level: level, from: position, inclusive: false) else { return nil }
        let ahead = Int64((slot & 255) - position + (slot & 255 > position ? 0 : 256))
        return ((currentTick >> shift) + ahead) << shift
    }

    /// At the start of a window: spreads the slots of the higher levels that begin now over the lower ones.
    private mutating func cascade() {
        for level in 1..<Self.levels {
            let position = Int((currentTick >> Int64(8 * level)) & 255)
            let list = level * Self.slots + position
            while let timer = heads[list]?.takeUnretainedValue() {
                unlink(timer)
                insert(timer, tick: (timer.deadline ?? .distantPast).nanoseconds >> Self.tickShift)
            }
            if position != 0 { break }
        }
    }

    // MARK: - Lists

    private mutating func insert(_ timer: LoopTimer, tick: Int64) {
        let wanted = max(tick, currentTick)
        let ahead = min(wanted - currentTick, (1 << 32) - (1 << 24))
        let placed = currentTick + ahead
        timer.armedTick = placed
        // The level whose slots reach that far, counted in slots: in ticks, a place 256 slots ahead would be the slot that is current now.
        var level = 0
        while level < Self.levels - 1, (placed >> Int64(8 * level)) - (currentTick >> Int64(8 * level)) > 255 { level += 1 }
        link(timer, into: Int32(level * Self.slots + Int((placed >> Int64(8 * level)) & 255)))
    }

    private mutating func link(_ timer: LoopTimer, into list: Int32) {
        let reference = Unmanaged.passRetained(timer)
        let head = heads[Int(list)]
        timer.list = list
        timer.previous = nil
        timer.next = head
        head?.takeUnretainedValue().previous = reference
        heads[Int(list)] = reference
        count += 1
        if list < Self.firing { occupied[Int(list) >> 6] |= 1 << UInt64(list & 63) }
    }

    private mutating func unlink(_ timer: LoopTimer) {
        let list = Int(timer.list)
        if let previous = timer.previous { previous.takeUnretainedValue().next = timer.next } else { heads[list] = timer.next }
        timer.next?.takeUnretainedValue().previous = timer.previous
        timer.next = nil
        timer.previous = nil
        timer.list = -1
        count -= 1
        if heads[list] == nil, list < Int(Self.firing) { occupied[list >> 6] &= ~(1 << UInt64(list & 63)) }
        // SAFETY: balances passRetained in link(_:into:); the caller holds a strong reference of its own.
        Unmanaged.passUnretained(timer).release()
    }

    /// The first occupied slot of a level at or after `from`, going round once; an index into `heads`.
    private func nextOccupied(level: Int, from: Int, inclusive: Bool) -> Int? {
        let base = level * 4
        var index = inclusive ? from : (from + 1) & 255
        var left = inclusive ? 256 : 255
        while left > 0 {
            let word = occupied[base + (index >> 6)] >> UInt64(index & 63)
            if word != 0 {
                let ahead = word.trailingZeroBitCount
                return ahead < left ? level * Self.slots + index + ahead : nil
            }
            let skipped = min(left, 64 - (index & 63))
            left -= skipped
            index = (index + skipped) & 255
        }
        return nil
    }
}
