/// A window in which devices were cut off: opened by a drill, or when ready devices collapse together.
///
/// Times are seconds of the monotonic clock. What was not reached or not measured is nil.
public struct Outage: Sendable, Equatable {
    /// The drill's name, or what the window was opened by.
    public var name: String
    /// From the start of the run to the start of the outage.
    public var startSeconds: Double
    /// From the start of the run to the end of the window, when 99 % of the devices were back; nil while it is open.
    public var endSeconds: Double?
    /// Ready devices that lost their connection.
    public var devicesLost: Int
    /// From the start of the outage until 50 % of the lost devices were ready again.
    public var readyAfter50Seconds: Double?
    /// The same for 90 %.
    public var readyAfter90Seconds: Double?
    /// The same for 99 %.
    public var readyAfter99Seconds: Double?
    /// The same for all of them.
    public var readyAfter100Seconds: Double?
    /// Dials of the lost devices within the window.
    public var attempts: Int?
    /// The most dials begun within one second of the window.
    public var peakDialsPerSecond: Int?
    /// Retry synchronisation: the share of the window's dials that began within its busiest 100 ms, 0...1; nil without dials.
    public var retrySynchronisation: Double?

    /// Makes an outage; what is not given was not reached or not measured.
    public init(
        name: String, startSeconds: Double, endSeconds: Double? = nil, devicesLost: Int, readyAfter50Seconds: Double? = nil,
        readyAfter90Seconds: Double? = nil, readyAfter99Seconds: Double? = nil, readyAfter100Seconds: Double? = nil, attempts: Int? = nil,
        peakDialsPerSecond: Int? = nil, retrySynchronisation: Double? = nil
    ) {
        (self.name, self.startSeconds, self.endSeconds, self.devicesLost) = (name, startSeconds, endSeconds, devicesLost)
        (self.readyAfter50Seconds, self.readyAfter90Seconds) = (readyAfter50Seconds, readyAfter90Seconds)
        (self.readyAfter99Seconds, self.readyAfter100Seconds) = (readyAfter99Seconds, readyAfter100Seconds)
        (self.attempts, self.peakDialsPerSecond) = (attempts, peakDialsPerSecond)
        self.retrySynchronisation = retrySynchronisation
    }

    /// How long the window was open; nil while it is.
    public var durationSeconds: Double? { endSeconds.map { $0 - startSeconds } }
}
