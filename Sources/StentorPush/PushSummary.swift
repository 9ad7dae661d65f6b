/// What became of the pushes.
public struct PushSummary: Sendable, Equatable {
    /// Requests begun, the last one included.
    public var attempts = 0
    /// Requests answered with 2xx.
    public var succeeded = 0
    /// All other requests.
    public var failed = 0
    /// The newest failure, in one line and without secrets; nil when there was none.
    ///
    /// It stays after a later success.
    public var lastError: String?
    /// The newest HTTP status; nil when no request was ever answered.
    public var lastStatus: Int?
    /// Failures since the last success.
    public var failedInARow = 0
    /// The wait that the newest failure set; nil when nothing waits to be tried again.
    public var backOff: Duration?
    /// Whether the last request of all, after the end of the run, succeeded; false before and when it did not.
    public var finishSucceeded = false

    /// Makes a summary of no pushes.
    public init() {}
}
