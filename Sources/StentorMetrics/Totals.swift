import StentorBase

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
    /// The steady phase window by window, for drifts.
    private(set) var steady: SteadySeries

    /// Makes empty totals.
    ///
    /// - Parameters:
    ///   - windowSeconds: How many seconds the live view covers, 1...3600; other values are clamped. Default 10.
    ///   - gates: What will be judged: of what they watch, the steady phase is kept window by window. Nil: of everything.
    public init(windowSeconds: Int = 10, gates: [Gate]? = nil) {
        steady = SteadySeries(gates.map { Array(Set($0.compactMap(\.watchedMetric))) } ?? Metric.allCases)
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
    ///
    /// - Parameter now: When it ended; the windows of drifts go by it.
    public mutating func endSecond(at now: Instant = .now()) {
        steady.add(current, at: now)
        lastSecond = current
        // They are written once and must not stay for the length of the window.
        current.dropRecords()
        current = window.push(current)
    }

    /// The live view over the window.
    public func live() -> LiveNumbers {
        LiveNumbers(seconds: window.count, recent: window.merged())
    }

    /// The accounts of `Docs/metrics.md`: a count and the outcomes that it is the sum of.
    private static let accounts: [(whole: Counter, parts: [Counter])] = [
        (.messagesSent, [.messagesAnswered, .messagesLate, .messagesLost, .messagesInDoubt]),
        (.deliveriesExpected, [.deliveriesDelivered, .deliveriesLate, .deliveriesLost, .deliveriesAway, .deliveriesInDoubt]),
        (.uploadsSent, [.uploadsConfirmed, .uploadsLate, .uploadsCorrupt, .uploadsLost, .uploadsInDoubt]),
        (.downloadsStarted, [.downloadsComplete, .downloadsCorrupt, .downloadsIncomplete, .downloadsByURL, .downloadsOpen]),
        (.promptsReceived, [.promptsAnswered, .promptsSubstituted, .promptsExpired, .promptsSuperseded, .promptsOpen]),
    ]

    /// The accounts that do not close, each by the count that its outcomes should add up to.
    ///
    /// Any is a defect of the accounting, and no number of the run can be trusted.
    public var openAccounts: [Counter] {
        Self.accounts.filter { account in
            whole.count(account.whole) != account.parts.reduce(0) { $0 + whole.count($1) }
        }.map(\.whole)
    }
}
