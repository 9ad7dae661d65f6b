/// The last few whole seconds, for the live view: rates and percentiles that forget.
struct SlidingWindow: Sendable {
    let capacity: Int
    private var seconds: [ShardDelta] = []
    private var next = 0

    init(seconds capacity: Int) {
        self.capacity = min(max(capacity, 1), 3600)
    }

    var count: Int { seconds.count }

    /// Takes a finished second and gives back the memory of the one that it replaces, cleared.
    mutating func push(_ second: consuming ShardDelta) -> ShardDelta {
        guard seconds.count == capacity else {
            seconds.append(second)
            return ShardDelta()
        }
        swap(&seconds[next], &second)
        next = (next + 1) % capacity
        second.clear()
        return second
    }

    func merged() -> ShardDelta {
        var all = ShardDelta()
        for second in seconds { all.merge(second) }
        return all
    }
}

/// The live view: what happened in the last seconds, over all phases.
public struct LiveNumbers: Sendable {
    /// How many whole seconds it covers; 0 before the first one.
    public let seconds: Int
    private let recent: ShardDelta

    init(seconds: Int, recent: ShardDelta) {
        (self.seconds, self.recent) = (seconds, recent)
    }

    /// Events per second over the window; nil before the first whole second.
    public func rate(_ counter: Counter) -> Double? {
        seconds == 0 ? nil : Double(recent.count(counter)) / Double(seconds)
    }

    /// The distribution of a metric over the window, phases together; for the eye only.
    public func distribution(_ metric: Metric) -> Distribution {
        Distribution(metric, recent.histogram(metric))
    }
}
