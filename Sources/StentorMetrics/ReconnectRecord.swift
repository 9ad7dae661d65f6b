import StentorBase

/// One device that lost a ready connection without meaning to, and what became of it: a row of `reconnects.csv`.
///
/// Times are seconds since the start of the run, on the monotonic clock. Noted with ``MetricShard/note(_:)`` when the
/// device is ready again, or when it is no longer watched; which outage it belongs to follows from ``lostSeconds``.
public struct ReconnectRecord: Sendable, Equatable {
    /// The device's stable id, as the profile forms it.
    public var device: String
    /// When the device noticed the loss.
    public var lostSeconds: Double
    /// When it was ready again; if it never was, until when it was watched: the end of the run, or the moment it gave up or left.
    public var endSeconds: Double
    /// Whether it was ready at ``endSeconds``; false: censored.
    public var isReady: Bool
    /// Dials from the loss to the end.
    public var attempts: Int
    /// Why the connection ended.
    public var cause: LossCause
    /// Where the time between ``lostSeconds`` and ``endSeconds`` went; the last stage of a censored way back is as long as it was watched.
    public var stages: ReturnStages

    /// Makes a record.
    public init(
        device: String, lostSeconds: Double, endSeconds: Double, isReady: Bool, attempts: Int, cause: LossCause,
        stages: ReturnStages = ReturnStages()
    ) {
        (self.device, self.lostSeconds, self.endSeconds, self.isReady) = (device, lostSeconds, endSeconds, isReady)
        (self.attempts, self.cause, self.stages) = (attempts, cause, stages)
    }
}
