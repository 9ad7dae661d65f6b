import StentorMetrics
import StentorStatistics

/// By how much a whole distribution moved: the difference of each quantile, from the quick samples to the slow ones.
///
/// The shift function (Doksum, Annals of Statistics 2, 1974) with a band from the blocks of the comparison itself:
/// at 50, 95 and 99 % it has the differences and intervals of `p50`, `p95` and `p99`, to the last digit.
public struct QuantileShift: Sendable {
    /// One quantile on both sides.
    public struct Point: Sendable, Equatable {
        /// Which one, 0...1.
        public let share: Double
        /// Its value in the base, in the metric's unit.
        public let base: Double
        /// Its value in the candidate.
        public let candidate: Double
        /// Candidate less base with its pointwise 95 % interval.
        public let difference: Estimate
    }

    /// What was measured.
    public let metric: Metric
    /// When.
    public let phase: Phase
    /// Samples of the base, over all runs.
    public let baseCount: Double
    /// Samples of the candidate.
    public let candidateCount: Double
    /// The quantiles that both sides have enough samples for, rising; empty when there are none, and ``missing`` says why.
    public let points: [Point]
    /// Why there are no points; nil when there are.
    public let missing: String?

    /// As numbers are named: `reply`, `usable in ramp`.
    public var name: String { metric.name + (phase == .steady ? "" : " in \(phase.name)") }

    /// The quantiles that are looked at: 5, 10 … 95 and 99 %.
    public static let shares = (1...19).map { Double($0 * 5) / 100 } + [0.99]

    /// The shifts of all distributions that are judged and that both sides have samples of.
    ///
    /// - Parameters:
    ///   - base: The runs that the comparison was made of.
    ///   - candidate: The same.
    ///   - replicates: How often blocks are drawn again; as often as for the comparison, or the bands differ from its intervals.
    public static func all(
        base: [RunMeasurements], candidate: [RunMeasurements], replicates: Int = BlockBootstrap.defaultReplicates
    ) -> [QuantileShift] {
        Comparison.keys.enumerated().compactMap { stream, key in
            guard key.metric.better != .neither, key.metric.unit != .count, !DistributionDrafts.repeating.contains(key.metric) else {
                return nil
            }
            let drafts = DistributionDrafts(
                metric: key.metric, phase: key.phase, seed: Comparison.seed(base + candidate, stream), replicates: replicates)
            return drafts.shift(base, candidate)
        }
    }
}

extension DistributionDrafts {
    /// The shift of the distribution; nil when a side has no sample.
    func shift(_ base: [RunMeasurements], _ candidate: [RunMeasurements]) -> QuantileShift? {
        let key = RunMeasurements.SeriesKey(metric, phase)
        let sides = [base, candidate].map { $0.map { Steps.regular($0.series[key] ?? []) } }
        guard let grid = BucketGrid(sides.joined().joined(), metric.unit), sides.allSatisfy({ $0.contains { !$0.isEmpty } }) else {
            return nil
        }
        let runs = sides.map { $0.map { $0.map { $0.cells.map(grid.cell) } } }
        let least = runs.joined().map(Self.total).min() ?? 0
        let shares = QuantileShift.shares.filter { Self.samplesNeeded($0) <= least }
        // Blocks as the numbers have them, so that a quantile that is also a number has its interval.
        let judged = Self.percentiles.filter { Double($0.samplesNeeded) <= least }.map {
            SampleStatistic.quantile(Double($0.perMille) / 1000)
        }
        let blocked = runs.map { $0.compactMap { judged.isEmpty ? nil : BlockedRun($0, grid.values, judged) } }
        guard !shares.isEmpty, zip(blocked, runs).allSatisfy({ $0.count == $1.count }) else {
            return shift(runs, [], judged.isEmpty ? "a run has fewer than \(Int(Self.samplesNeeded(0.5))) samples" : Self.tooShort)
        }
        let (left, right) = (BlockedSide(blocked[0], grid.values), BlockedSide(blocked[1], grid.values))
        let bootstrap = BlockBootstrap(
            base: left, candidate: right, shares.map(SampleStatistic.quantile), seed: seed, replicates: replicates)
        let points = shares.enumerated().map { index, share in
            let result = bootstrap.result(index)
            return QuantileShift.Point(
                share: share, base: result.base, candidate: result.candidate, difference: result.difference.estimate)
        }
        return shift(runs, points, nil)
    }

    private func shift(_ runs: [[[[CellCount]]]], _ points: [QuantileShift.Point], _ missing: String?) -> QuantileShift {
        let counts = runs.map { $0.reduce(0) { $0 + Self.total($1) } }
        return QuantileShift(
            metric: metric, phase: phase, baseCount: counts[0], candidateCount: counts[1], points: points, missing: missing)
    }

    /// One sample is expected beyond the quantile, on its thinner side.
    private static func samplesNeeded(_ share: Double) -> Double { (1 / min(share, 1 - share) * (1 - 1e-12)).rounded(.up) }
}
