/// All that the shards counted since the start of the run, merged, and a sliding window of the last seconds.
///
/// A value for the collector's thread. Use, once a second: ``add(_:)`` for each shard's delta, then ``endSecond()``.
public struct Totals: Sendable {
    /// All since the start.
    public private(set) var whole = ShardDelta()
    /// The last finished second, all shards together: one line of `intervals.hlog` and of `timeline.csv`.
    public private(set) var lastSecond = ShardDelta()
    private var current = ShardDelta()
    private var window: SlidingWindow

    /// Makes empty totals.
    ///
    /// - Parameter windowSeconds: How many seconds the live view covers, 1...3600; other values are clamped. Default 10.
    public init(windowSeconds: Int = 10) {
        window = SlidingWindow(seconds: windowSeconds)
    }

    /// Adds what a shard handed over.
    public mutating func add(_ delta: ShardDelta) {
        whole.mergeNumbers(delta)
        current.merge(delta)
    }

    /// Ends the current second: it becomes ``lastSecond`` and the newest of the live view.
    ///
    /// Call it once for each second that passed; a second of which nothing came still counts for the rates.
    public mutating func endSecond() {
        lastSecond = current
        // They are written once and must not stay for the length of the window.
        current.dropRecords()
        current = window.push(current)
    }

    /// The live view over the window.
    public func live() -> LiveNumbers {
        LiveNumbers(seconds: window.count, recent: window.merged())
    }

    /// Whether the messages add up: sent = answered + late + lost + in_doubt.
    ///
    /// False is a defect of the accounting.
    public var messagesBalance: Bool {
        whole.count(.messagesSent)
            == whole.count(.messagesAnswered) + whole.count(.messagesLate) + whole.count(.messagesLost) + whole.count(.messagesInDoubt)
    }
}
