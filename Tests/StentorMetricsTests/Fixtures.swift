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

/// A snapshot in which everything was measured, by more labels than are kept.
func fullRun() -> RunSnapshot {
    let generator = GeneratorNumbers(
        cpuShareByLoop: .init(repeating: 0.5, count: 100), busiestLoopShare: 0.5, residentBytes: 1, residentBytesPerDevice: 1,
        openDescriptors: 2, descriptorLimit: 3, portsLeft: 4)
    var run = snapshot(generator: generator) { shard in
        for metric in Metric.allCases {
            for phase in Phase.allCases { for value in 1...50 { shard.record(metric, UInt64(value * value * 1000), phase: phase) } }
        }
        for family in LabelFamily.allCases where family.closedLabels.isEmpty {
            for index in 0..<50 { shard.count(family, "label\(index)") }
        }
        for counter in Counter.allCases { shard.count(counter) }
    }
    run.gates = [
        GateResult(expression: "messages.lost == 0", value: 0, valueText: "0", count: 1, phase: nil, verdict: .pass, reason: "")
    ]
    run.gatewayResidentBytes = 1
    run.outages = [
        Outage(
            name: "cut", startSeconds: 1, endSeconds: 3, devicesLost: 1, readyAfter50Seconds: 1, readyAfter90Seconds: 1,
            readyAfter99Seconds: 1, readyAfter100Seconds: 1, attempts: 1, peakDialsPerSecond: 1, retrySynchronisation: 1)
    ]
    return run
}
