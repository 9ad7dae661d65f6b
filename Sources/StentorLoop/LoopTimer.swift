import StentorBase

/// A one-shot timer of an event loop. Loop thread only.
///
/// Moving the deadline later is free: the timer stays where it is and is put back when its old place comes up, so a deadline that
/// moves with every message costs one store. While scheduled the loop keeps the timer alive.
public final class LoopTimer {
    /// When it fires, or nil while it is not scheduled.
    public internal(set) var deadline: Instant?

    let fire: () -> Void
    /// The tick for which it lies in the wheel, its list, and its neighbours there.
    var armedTick: Int64 = 0
    var list: Int32 = -1
    var next: Unmanaged<LoopTimer>?
    var previous: Unmanaged<LoopTimer>?

    /// Makes an idle timer with what it does when it fires.
    public init(_ fire: @escaping () -> Void) {
        self.fire = fire
    }

    /// Whether it will fire.
    public var isScheduled: Bool { deadline != nil }
}
