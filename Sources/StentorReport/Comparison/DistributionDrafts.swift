import StentorBase
import StentorMetrics
import StentorStatistics

/// Compares the percentiles of a metric in a phase, or its mean where it counts things.
struct DistributionDrafts {
    let metric: Metric
    let phase: Phase
    let seed: UInt64
    let replicates: Int

    /// The percentiles that are compared.
    static let percentiles: [Percentile] = [.p50, .p95, .p99]
    /// Parts and twins of other metrics, which would say the same a second time.
    static let repeating: Set<Metric> = [
        .connectDNS, .connectTCP, .connectTLS, .connectUpgrade, .replyFirstService, .replyService,
    ]

    /// The rows of one metric; empty when a side has no sample.
    func drafts(_ base: [RunMeasurements], _ candidate: [RunMeasurements]) -> [NumberDraft] {
        let key = RunMeasurements.SeriesKey(metric, phase)
        let sides = [base, candidate].map { $0.map { Steps.regular($0.series[key] ?? []) } }
        guard let grid = BucketGrid(sides.joined().joined(), metric.unit), sides.allSatisfy({ $0.contains { !$0.isEmpty } }) else {
            return []
        }
        let runs = sides.map { $0.map { $0.map { $0.cells.map(grid.cell) } } }
        let statistics = self.statistics
        let usable = statistics.filter { statistic in runs.allSatisfy { $0.allSatisfy { Self.total($0) >= statistic.samplesNeeded } } }
        let cut = runs.map { $0.map { BlockedRun($0, grid.values, usable.map(\.statistic)) } }
        let blocked = cut.map { $0.compactMap(\.self) }
        let isCut = !usable.isEmpty && zip(blocked, runs).allSatisfy { $0.count == $1.count }
        guard isCut else {
            return statistics.map { statistic in
                missing(statistic, runs, grid, usable.contains { $0.name == statistic.name } ? Self.tooShort : nil)
            }
        }
        let lengths = sides.joined().map { Steps.lengthSeconds($0) }
        let (left, right) = (BlockedSide(blocked[0], grid.values), BlockedSide(blocked[1], grid.values))
        let bootstrap = BlockBootstrap(base: left, candidate: right, usable.map(\.statistic), seed: seed, replicates: replicates)
        let delta = CliffsDelta.value(base: left.counts, candidate: right.counts).map { Finding.Effect.cliffsDelta($0) }
        let plans = zip(blocked.joined().map(\.plan), lengths)
        let method = NumberComparison.Method.blockBootstrap(
            blockSeconds: plans.map { Double($0.0.length) * $0.1 }.max() ?? 0,
            autocorrelationSeconds: plans.map { $0.0.autocorrelationTime * $0.1 }.max() ?? 0)
        return statistics.map { statistic in
            guard let index = usable.firstIndex(where: { $0.name == statistic.name }) else { return missing(statistic, runs, grid, nil) }
            let result = bootstrap.result(index)
            let difference = result.difference
            return draft(
                statistic, side(left, statistic, result.base), side(right, statistic, result.candidate),
                .success(
                    .init(
                        difference: difference.estimate, effect: delta, p: difference.p,
                        smallestShown: { difference.smallestShown(level: $0) }, runDeviation: result.spread?.deviation, method: method)))
        }
    }

    private struct Named {
        let name: String
        let statistic: SampleStatistic
        let samplesNeeded: Double
    }

    private var statistics: [Named] {
        guard metric.unit != .count else { return [Named(name: "mean", statistic: .mean, samplesNeeded: 2)] }
        return Self.percentiles.map {
            Named(name: $0.rawValue, statistic: .quantile(Double($0.perMille) / 1000), samplesNeeded: Double($0.samplesNeeded))
        }
    }

    static let tooShort =
        "the series is too short for what it remembers: it needs \(BlockPlan.blocksNeeded) blocks of an autocorrelation time each"

    static func total(_ steps: [[CellCount]]) -> Double { steps.joined().reduce(0) { $0 + $1.count } }

    private func side(_ side: BlockedSide, _ statistic: Named, _ value: Double) -> NumberComparison.Side {
        NumberComparison.Side(
            value: value, count: side.sampleCount, byRun: side.runs.indices.map { side.value(statistic.statistic, ofRun: $0) }, events: nil)
    }

    private func missing(_ statistic: Named, _ runs: [[[[CellCount]]]], _ grid: BucketGrid, _ reason: String?) -> NumberDraft {
        let sides = runs.map { side in
            let count = side.reduce(0) { $0 + Self.total($1) }
            let byRun = side.map { Self.total($0) >= statistic.samplesNeeded ? grid.value(statistic.statistic, $0) : nil }
            let value = count >= statistic.samplesNeeded ? grid.value(statistic.statistic, Array(side.joined())) : nil
            return NumberComparison.Side(value: value, count: count, byRun: byRun, events: nil)
        }
        let few = "a run has fewer than \(Int(statistic.samplesNeeded)) samples"
        return draft(statistic, sides[0], sides[1], .failure(.init(reason: reason ?? few)))
    }

    private func draft(
        _ statistic: Named, _ base: NumberComparison.Side, _ candidate: NumberComparison.Side,
        _ outcome: Result<NumberDraft.Outcome, NumberDraft.Missing>
    ) -> NumberDraft {
        NumberDraft(
            name: "\(metric.name).\(statistic.name)" + (phase == .steady ? "" : " in \(phase.name)"), unit: metric.unit,
            better: metric.better, isJudged: !Self.repeating.contains(metric), base: base, candidate: candidate, outcome: outcome)
    }
}

/// Intervals as steps of equal length.
enum Steps {
    /// Joins seconds to the length of the longest intervals, which of a long run are ten.
    static func regular(_ intervals: [RunMeasurements.Interval]) -> [RunMeasurements.Interval] {
        let longest = intervals.map(\.lengthSeconds).max() ?? 0
        guard longest > 5 else { return intervals }
        var steps: [RunMeasurements.Interval] = []
        var last: Int?
        for interval in intervals {
            // The middle says to which step it belongs, whatever the rounding of its ends.
            let step = Int((interval.startSeconds + interval.lengthSeconds / 2) / longest)
            if step == last, let former = steps.last {
                steps[steps.count - 1] = .init(
                    startSeconds: former.startSeconds, lengthSeconds: longest, cells: former.cells + interval.cells)
            } else {
                steps.append(.init(startSeconds: interval.startSeconds, lengthSeconds: longest, cells: interval.cells))
            }
            last = step
        }
        return steps
    }

    /// How long a step is, in the median.
    static func lengthSeconds(_ steps: [RunMeasurements.Interval]) -> Double {
        steps.isEmpty ? 0 : steps.map(\.lengthSeconds).sorted()[steps.count / 2]
    }
}

/// The buckets in use by the runs of a comparison, as a grid of the values that are shown.
struct BucketGrid {
    let values: ValueGrid
    private let index: [Int: Int]

    /// Nil when there is no sample.
    init?(_ intervals: some Sequence<RunMeasurements.Interval>, _ unit: Unit) {
        var used: Set<Int> = []
        for interval in intervals { for cell in interval.cells { used.insert(cell.cell) } }
        guard !used.isEmpty else { return nil }
        let buckets = used.sorted()
        index = Dictionary(uniqueKeysWithValues: buckets.enumerated().map { ($0.element, $0.offset) })
        values = ValueGrid(
            low: buckets.map { unit.shown(Double(Histogram.lowestValue(ofBucket: $0))) },
            high: buckets.map { unit.shown(Double(Histogram.highestValue(ofBucket: $0))) })
    }

    func cell(_ bucket: CellCount) -> CellCount { CellCount(cell: index[bucket.cell] ?? 0, count: bucket.count) }

    /// A statistic of samples that are not drawn from.
    func value(_ statistic: SampleStatistic, _ steps: [[CellCount]]) -> Double? { values.value(statistic, of: steps) }
}
