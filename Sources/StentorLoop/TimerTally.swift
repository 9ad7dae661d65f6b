import StentorBase

/// How many timers a loop has fired, and how many of them late.
public struct TimerTally: Sendable, Equatable {
    /// A timer that fires more than this after its deadline is late: a tenth of what makes a run invalid.
    public static let lateBound = Duration.milliseconds(10)

    /// Timers fired since the loop's start.
    public private(set) var fired = 0
    /// Those of them that fired more than ``lateBound`` after their deadline.
    public private(set) var late = 0

    /// Starts at zero.
    public init() {}

    /// Counts a timer that fires now.
    mutating func fired(due deadline: Instant, at now: Instant) {
        fired += 1
        if now.nanoseconds(since: deadline) > Self.lateBound.wholeNanoseconds { late += 1 }
    }
}
