import StentorBase

/// The difference of a statistic between two sides, by drawing blocks of their series again.
public struct BlockBootstrap: Sendable {
    /// A statistic on both sides.
    public struct Result: Sendable {
        /// The statistic of all samples of the base.
        public let base: Double
        /// The statistic of all samples of the candidate.
        public let candidate: Double
        /// The difference and its interval.
        public let difference: TwoLevelDifference
        /// Between the runs of a side; nil when no side has two.
        public let spread: RunSpread?
    }

    /// How often blocks are drawn.
    public static let defaultReplicates = 2000

    private let base: BlockedSide
    private let candidate: BlockedSide
    private let statistics: [SampleStatistic]
    private var differences: [[Double]] = []

    /// Draws.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same result.
    ///   - replicates: How often; fewer are faster and shakier.
    public init(
        base: BlockedSide, candidate: BlockedSide, _ statistics: [SampleStatistic], seed: UInt64,
        replicates: Int = BlockBootstrap.defaultReplicates
    ) {
        (self.base, self.candidate, self.statistics) = (base, candidate, statistics)
        var random = SeededRandom(seed: seed)
        let centres = statistics.map { (base.value($0), candidate.value($0)) }
        let (baseStretch, candidateStretch) = (base.stretch, candidate.stretch)
        differences = statistics.map { _ in [] }
        for _ in 0..<replicates {
            let (left, right) = (base.replicate(statistics, &random), candidate.replicate(statistics, &random))
            for index in statistics.indices {
                let (baseCentre, candidateCentre) = centres[index]
                let ofBase = (left[index] - baseCentre) * baseStretch
                let ofCandidate = (right[index] - candidateCentre) * candidateStretch
                differences[index].append(candidateCentre - baseCentre + ofCandidate - ofBase)
            }
        }
    }

    /// The result for the n-th statistic.
    ///
    /// Within runs the interval is the percentile interval of the draws, widened by the resolution of the histogram, a cell's width w as the
    /// variance w²/12 a side; ``TwoLevelDifference`` adds what is between runs.
    public func result(_ index: Int) -> Result {
        let statistic = statistics[index]
        let (ofBase, ofCandidate) = (base.value(statistic), candidate.value(statistic))
        let difference = ofCandidate - ofBase
        let sorted = differences[index].sorted()
        let z = NormalDistribution.z95
        let cells = [base.resolution(statistic), candidate.resolution(statistic)].reduce(0) { $0 + $1 * $1 / 12 }
        func reach(_ distance: Double) -> Double { (max(0, distance) * max(0, distance) + z * z * cells).squareRoot() }
        let within = Estimate(
            value: difference, low: difference - reach(difference - Self.quantile(0.025, ofSorted: sorted)),
            high: difference + reach(Self.quantile(0.975, ofSorted: sorted) - difference))
        let blocks = (base.runs + candidate.runs).reduce(0) { $0 + $1.plan.count - 1 }
        let spread = spread(statistic)
        return Result(
            base: ofBase, candidate: ofCandidate,
            difference: TwoLevelDifference(
                within: within, degreesWithin: Double(blocks), spread: spread, runs: (base.runs.count, candidate.runs.count)),
            spread: spread)
    }

    private func spread(_ statistic: SampleStatistic) -> RunSpread? {
        RunSpread([base, candidate].map { side in side.runs.indices.map { side.value(statistic, ofRun: $0) } })
    }

    /// The quantile of sorted values, between neighbours (type 7 of Hyndman and Fan, American Statistician 50, 1996).
    static func quantile(_ share: Double, ofSorted values: [Double]) -> Double {
        guard let last = values.last else { return 0 }
        let place = share * Double(values.count - 1)
        let index = Int(place)
        guard index + 1 < values.count else { return last }
        return values[index] + (place - Double(index)) * (values[index + 1] - values[index])
    }
}
