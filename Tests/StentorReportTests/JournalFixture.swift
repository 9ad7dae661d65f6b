import StentorBase
import StentorMetrics

@testable import StentorReport

/// Makes the seconds of runs that never were, and writes them to a directory.
struct JournalFixture {
    let directory: RunDirectory
    private(set) var totals = Totals()
    private(set) var elapsed = 0.0
    private let shard = MetricShard()
    private var states: DeviceState?
    var outages: [Outage] = []
    var phase = Phase.steady
    var generator = GeneratorNumbers(cpuShareByLoop: [0.25, 0.5], residentBytes: 30_000_000, openDescriptors: 50, descriptorLimit: 1024)
    var gates: [Gate] = []

    init(below parent: String) throws(UserFailure) {
        directory = try RunDirectory.make(below: parent, profile: "nightly-soak", startedAtSeconds: 1_796_010_130.25)
    }

    static let wallStart = 1_796_010_131.0

    /// A second in which something was recorded.
    mutating func second(length: Double = 1, _ record: (MetricShard) -> Void = { _ in }) -> JournalSecond {
        record(shard)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        totals.add(delta)
        totals.endSecond()
        let start = elapsed
        elapsed += length
        return JournalSecond(snapshot: snapshot(), outages: outages, startSeconds: start, wallSeconds: Self.wallStart + elapsed)
    }

    /// The state of the run now.
    func snapshot() -> RunSnapshot {
        var snapshot = RunSnapshot(
            identity: ReportFixture.identity, elapsedSeconds: elapsed, phase: phase, totals: totals, generator: generator)
        snapshot.gates = gates.map { $0.evaluate(snapshot) }
        return snapshot
    }

    /// Values of many sizes in several metrics and phases, the same for the same number.
    static func various(_ number: Int, _ shard: MetricShard) {
        var random = SeededRandom(seed: 7, stream: UInt64(number))
        for _ in 0..<40 {
            let nanoseconds = UInt64(random.unit() * random.unit() * 3e9)
            shard.record(.reply, nanoseconds, phase: number % 3 == 0 ? .recovery : .steady)
            shard.record(.usable, nanoseconds / 50, phase: .steady)
            shard.record(.uploadRate, 1 + nanoseconds / 7, phase: .steady)
            shard.record(.edits, UInt64(random.unit() * 9), phase: .steady)
        }
        shard.record(.loopLag, UInt64(number) * 1000, phase: .steady)
        shard.count(.messagesSent, by: 40)
        shard.count(.messagesAnswered, by: 40)
    }
}
