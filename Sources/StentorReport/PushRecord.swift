/// What became of the pushes, as the report tells it.
public struct PushRecord: Sendable, Equatable {
    /// What became of the last request, after the end of the run.
    public enum End: String, Sendable {
        /// The last numbers were pushed, and stay.
        case kept
        /// The group was deleted.
        case deleted
        /// It failed; the Pushgateway shows older numbers, or none.
        case failed
    }

    /// Requests begun.
    public var attempts: Int
    /// Requests that failed.
    public var failed: Int
    /// Failures since the last success.
    public var failedInARow: Int
    /// The wait that the newest failure set, in seconds; nil when there is none.
    public var backOffSeconds: Double?
    /// The newest HTTP status; nil when no request was ever answered.
    public var lastStatus: Int?
    /// The newest failure in one line without secrets, untrusted; nil when there was none.
    public var lastError: String?
    /// What became of the last request; nil while the run goes on.
    public var end: End?

    /// Makes a record.
    public init(
        attempts: Int, failed: Int, failedInARow: Int = 0, backOffSeconds: Double? = nil, lastStatus: Int? = nil, lastError: String? = nil,
        end: End? = nil
    ) {
        (self.attempts, self.failed, self.failedInARow, self.backOffSeconds) = (attempts, failed, failedInARow, backOffSeconds)
        (self.lastStatus, self.lastError, self.end) = (lastStatus, lastError, end)
    }
}
