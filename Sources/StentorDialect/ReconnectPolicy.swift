import StentorBase

/// How long a device waits before it dials again.
///
/// The delay before attempt n (1, 2, 3 …) is a pure function of n and of the random numbers that the jitter draws.
public struct ReconnectPolicy: Equatable, Sendable {
    /// How the delay grows with the attempts.
    public enum Growth: String, CaseIterable, Sendable {
        /// Always the base.
        case fixed
        /// Base, twice the base, four times the base …, up to the cap.
        case exponential
    }

    /// How delays are spread, so that devices that were lost together do not come back together (AWS, "Exponential Backoff and Jitter", 2015).
    public enum Jitter: String, CaseIterable, Sendable {
        /// The delay itself.
        case none
        /// Half of the delay, and a random part of the other half.
        case equal
        /// A random part of the delay.
        case full
    }

    /// How the delay grows.
    public var growth: Growth
    /// The unit of growth; not negative.
    public var base: Duration
    /// The longest delay before jitter; not negative.
    public var cap: Duration
    /// How delays are spread.
    public var jitter: Jitter
    /// Attempts in a row before the device gives up; nil: no limit.
    public var attemptLimit: Int?
    /// By how many attempts the growth is ahead: the delay before attempt n is `base · 2^(n − 1 + headStart)`.
    public var headStart: Int
    /// The largest exponent of the growth; a bound for dialects that name one, beside the cap.
    public var exponentLimit: Int

    /// Makes a policy; see the properties.
    public init(
        growth: Growth, base: Duration, cap: Duration, jitter: Jitter = .none, attemptLimit: Int? = nil, headStart: Int = 0,
        exponentLimit: Int = 62
    ) {
        self.growth = growth
        self.base = base
        self.cap = cap
        self.jitter = jitter
        self.attemptLimit = attemptLimit
        self.headStart = headStart
        self.exponentLimit = exponentLimit
    }

    /// The delay before an attempt, before jitter.
    ///
    /// - Parameter attempt: 1 for the first dial after a loss.
    public func plainDelay(attempt: Int) -> Duration {
        guard growth == .exponential else { return min(base, cap) }
        let exponent = min(max(0, attempt - 1 + headStart), exponentLimit, 62)
        let (product, overflow) = base.wholeNanoseconds.multipliedReportingOverflow(by: 1 << exponent)
        return overflow ? cap : min(.nanoseconds(product), cap)
    }

    /// The delay before an attempt; draws one random number unless the jitter is `none`.
    ///
    /// - Parameter attempt: 1 for the first dial after a loss.
    public func delay(attempt: Int, random: inout SeededRandom) -> Duration {
        let plain = plainDelay(attempt: attempt)
        switch jitter {
        case .none: return plain
        case .equal: return random.duration(in: .nanoseconds(plain.wholeNanoseconds / 2)...plain)
        case .full: return random.duration(in: .zero...plain)
        }
    }
}

/// A device's place in its policy: how often it has dialled since it was last ready.
public struct Backoff: Equatable, Sendable {
    /// Attempts since the device was last ready; 0 before the first.
    public private(set) var attempt = 0

    /// Starts with no attempt made.
    public init() {}

    /// Counts the next attempt, then gives the delay before it; nil when the limit is reached and the device gives up.
    public mutating func nextDelay(_ policy: ReconnectPolicy, random: inout SeededRandom) -> Duration? {
        if let limit = policy.attemptLimit, attempt >= limit { return nil }
        attempt += 1
        return policy.delay(attempt: attempt, random: &random)
    }

    /// Starts anew: the session was accepted.
    ///
    /// An open connection alone is no reason to call this.
    public mutating func readyReached() {
        attempt = 0
    }
}
