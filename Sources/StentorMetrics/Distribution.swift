/// The summary of one metric in one phase, in the unit that is shown: seconds, bytes, bytes per second or a number.
///
/// What is not known is nil, never 0: a percentile with too few samples is nil (see ``Percentile/samplesNeeded``).
public struct Distribution: Sendable, Equatable {
    /// What was measured.
    public let metric: Metric
    /// How many samples there are.
    public let count: UInt64
    /// How many values were too large to be samples.
    public let outOfRange: UInt64
    /// The sum of the samples.
    public let sum: Double
    /// The smallest sample; nil without samples.
    public let min: Double?
    /// The mean; nil without samples.
    public let mean: Double?
    /// The largest sample; nil without samples.
    public let max: Double?
    /// Samples at or below each of ``Metric/bounds``: the `le` buckets of Prometheus without `+Inf`.
    public let cumulativeCounts: [UInt64]
    private let percentiles: [Double?]

    /// Summarises a histogram.
    public init(_ metric: Metric, _ histogram: Histogram) {
        let unit = metric.unit
        self.metric = metric
        count = histogram.count
        outOfRange = histogram.outOfRange
        sum = unit.shown(Double(histogram.sum))
        min = histogram.min.map { unit.shown(Double($0)) }
        mean = histogram.mean.map { unit.shown($0) }
        max = histogram.max.map { unit.shown(Double($0)) }
        cumulativeCounts = histogram.counts(upTo: metric.bounds)
        percentiles = Percentile.allCases.map { histogram.percentile($0).map { unit.shown(Double($0)) } }
    }

    /// A percentile; nil when there are too few samples.
    public subscript(percentile: Percentile) -> Double? {
        switch percentile {
        case .p50: percentiles[0]
        case .p90: percentiles[1]
        case .p95: percentiles[2]
        case .p99: percentiles[3]
        case .p999: percentiles[4]
        }
    }

    /// A percentile as people read it: `12.3 ms`, or `n/a (n=8)` when there are too few samples.
    public func text(_ percentile: Percentile) -> String {
        self[percentile].map(metric.unit.text) ?? "n/a (n=\(count))"
    }
}
