import StentorBase
import StentorMetrics
import StentorProfile

@testable import StentorFleet

/// A profile of devices and a load; further lines are added at the end.
func profile(
    devices: Int = 10, load: String, connectRate: String = "1000/s", url: String = "ws://127.0.0.1:1/ws", seed: Int = 7, _ more: String = ""
) throws -> Profile {
    let text = """
        version: 1
        name: test
        seed: \(seed)
        target: {url: "\(url)", connect_within: 5s, ready_within: 5s}
        devices: {count: \(devices)}
        connect_rate: \(connectRate)
        load:
        \(load.split(separator: "\n").map { "  - {\($0)}" }.joined(separator: "\n"))
        \(more)

        """
    return try Profile.decode(Array(text.utf8), file: "test.yaml", options: DecodingOptions())
}

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
