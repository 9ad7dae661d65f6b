import CStentorSystem

/// A point on the monotonic clock, in whole nanoseconds since an arbitrary origin (boot).
///
/// Latencies are differences of instants, so a step of the wall clock cannot change them. Values are comparable within one
/// process and, on one machine, between processes.
public struct Instant: Comparable, Hashable, Sendable {
    /// Nanoseconds since the clock's origin.
    public let nanoseconds: Int64

    /// The earliest representable instant.
    public static let distantPast = Instant(nanoseconds: .min)
    /// The latest representable instant; a deadline at it never passes.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// Makes an instant from a reading of the monotonic clock.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads `CLOCK_MONOTONIC`.
    public static func now() -> Instant {
        Instant(nanoseconds: stentor_monotonic_ns())
    }

    /// Nanoseconds from `earlier` to this instant; negative when `earlier` is later. Saturates at the ends of `Int64`.
    public func nanoseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        guard overflow else { return difference }
        return nanoseconds > earlier.nanoseconds ? .max : .min
    }

    /// The instant `nanoseconds` later; saturates instead of overflowing.
    public func advanced(byNanoseconds delta: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        guard overflow else { return Instant(nanoseconds: sum) }
        return delta > 0 ? .distantFuture : .distantPast
    }

    /// Orders instants in time.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The instant a duration later; saturates.
    public static func + (left: Instant, right: Duration) -> Instant {
        left.advanced(byNanoseconds: right.wholeNanoseconds)
    }

    /// The time from `right` to `left`.
    public static func - (left: Instant, right: Instant) -> Duration {
        .nanoseconds(left.nanoseconds(since: right))
    }
}

extension Duration {
    /// This duration in whole nanoseconds, truncated towards zero; saturates at ±292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds > 0 ? .max : .min }
        return sum
    }

    /// This duration in seconds.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// The wall clock, for names and time stamps only; never for latencies.
public enum WallClock {
    /// Nanoseconds since 1970-01-01T00:00:00Z, read from `CLOCK_REALTIME`.
    public static func nanosecondsSinceEpoch() -> Int64 {
        stentor_realtime_ns()
    }
}
