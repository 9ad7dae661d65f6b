/// The stages of a way back, from the cause of a loss to ready again, in seconds on the monotonic clock.
///
///     cause ──detect──▶ lost ──back-off, lag──▶ dial ──dial──▶ connected ──upgrade──▶ open ──hello──▶ said ──greeting──▶ ready
///
/// Attempts that failed stand in ``failed``; the stages behind it are those of the last attempt. ``sum`` is the whole time from the loss to its end,
/// to the nanosecond: no time belongs to two stages or to none.
public struct ReturnStages: Sendable, Equatable {
    /// From the cut to the notice of it. 0: the device made the cut itself; nil: only the other side knows when it was.
    public var detect: Double?
    /// What the policy, its jitter or `Retry-After` asked to wait, over all attempts.
    public var backoff = 0.0
    /// How much later than that the dials began: the generator's own delay.
    public var lag = 0.0
    /// The attempts that failed, from the start of their dials to the failure.
    public var failed = 0.0
    /// Name, TCP and TLS of the last attempt.
    public var dial = 0.0
    /// From the upgrade request to its answer.
    public var upgrade = 0.0
    /// From the answer to the moment at which the kernel has the hello.
    public var hello = 0.0
    /// From the hello to ready.
    public var greeting = 0.0

    /// Makes stages that have taken no time.
    public init(detect: Double? = nil) {
        self.detect = detect
    }

    /// From the loss to its end; ``detect`` came before that.
    public var sum: Double { backoff + lag + failed + dial + upgrade + hello + greeting }
}
