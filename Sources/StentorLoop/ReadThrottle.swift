/// How much a stream that reads slowly may still read before its next pause.
final class ReadThrottle {
    /// How long the pauses are.
    static let period = Duration.milliseconds(100)

    /// Bytes until the next pause; never 0 while the stream reads.
    private(set) var left: Int
    private let step: Int
    /// Ends the pause.
    var timer: LoopTimer?

    init(bytesPerSecond: Int) {
        step = max(1, bytesPerSecond / 10)
        left = step
    }

    /// Accounts for what was read; whether a pause is due.
    func take(_ count: Int) -> Bool {
        left -= count
        return left <= 0
    }

    func refill() { left = step }
}
