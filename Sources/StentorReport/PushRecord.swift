/// What became of the pushes, as the report tells it.
public struct PushRecord: Sendable, Equatable {
    /// Requests begun.
    public var attempts: Int
    /// Requests that failed.
    public var failed: Int
    /// The newest failure in one line without secrets, untrusted; nil when there was none.
    public var lastError: String?

    /// Makes a record.
    public init(attempts: Int, failed: Int, lastError: String? = nil) {
        (self.attempts, self.failed, self.lastError) = (attempts, failed, lastError)
    }
}
