import StentorBase

@testable import StentorMetrics

/// What the collector does once a second.
func collect(_ shards: [MetricShard], into totals: inout Totals) {
    for shard in shards {
        var delta = ShardDelta()
        shard.drain(into: &delta)
        totals.add(delta)
    }
    totals.endSecond()
}

/// A snapshot of what a closure records.
func snapshot(
    phase: Phase = .steady, identity: RunIdentity = .sample, generator: GeneratorNumbers = .init(), _ record: (MetricShard) -> Void
) -> RunSnapshot {
    let shard = MetricShard()
    record(shard)
    var totals = Totals()
    collect([shard], into: &totals)
    return RunSnapshot(identity: identity, elapsedSeconds: 12.5, phase: phase, totals: totals, generator: generator)
}

extension RunIdentity {
    static let sample = RunIdentity(
        runID: "20261130T034210Z-soak", profile: "soak", profileDigest: "ab12", version: "1.0.0", dialect: "hermes", targetHost: "gw",
        startedAtSeconds: 1_796_010_130)
}

/// Normal noise with a memory: each value holds `memory` of the one before.
func normalNoise(_ count: Int, memory: Double = 0, _ random: inout SeededRandom) -> [Double] {
    func normal() -> Double {
        // Irwin and Hall: the sum of twelve uniform numbers has variance 1 and is close to normal.
        (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
    }
    var value = normal() / FloatingPointMath.squareRoot(1 - memory * memory)
    return (0..<count).map { _ in
        defer { value = memory * value + normal() }
        return value
    }
}
