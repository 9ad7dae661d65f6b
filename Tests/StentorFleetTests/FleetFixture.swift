import StentorBase
import StentorMetrics
import StentorProfile

@testable import StentorFleet

/// A shard, and all that it ever counted.
final class Book {
    let shard = MetricShard()
    private var whole = ShardDelta()
    private var empty = ShardDelta()

    /// All counts and samples so far.
    func totals() -> ShardDelta {
        empty.clear()
        shard.drain(into: &empty)
        whole.merge(empty)
        return whole
    }

    func count(_ counter: Counter) -> Int64 { totals().count(counter) }

    /// The counts that are not zero, by name.
    func counts(_ prefix: String) -> [String: Int64] {
        let totals = totals()
        var counts: [String: Int64] = [:]
        for counter in Counter.allCases where counter.name.hasPrefix(prefix) && totals.count(counter) != 0 {
            counts[counter.name] = totals.count(counter)
        }
        return counts
    }

    /// How many samples a metric has, and their sum, in a phase.
    func samples(_ metric: Metric, in phase: Phase) -> Samples {
        let histogram = totals().histogram(metric, in: phase)
        return Samples(count: Int(histogram.count), milliseconds: (Double(histogram.sum) / 1e6).rounded())
    }

    struct Samples: Equatable {
        let count: Int
        let milliseconds: Double
    }
}

/// An instant so many milliseconds after an arbitrary origin.
func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: 1_000_000_000_000).advanced(byNanoseconds: milliseconds * 1_000_000)
}
