/// Whether two groups end at the same pace over the whole of their time.
///
/// The log-rank test (Mantel, Cancer Chemotherapy Reports 50, 1966): over the times at which something ended, the events of the candidate less
/// those it would have if both groups ended at one pace, Σ (d₂ − d n₂ / n), squared, over the variance Σ n₁ n₂ d (n − d) / (n² (n − 1)).
public struct LogRank: Sendable, Equatable {
    /// χ² with one degree of freedom.
    public let statistic: Double
    /// The chance of a statistic at least as large if both end at one pace.
    public let p: Double
    /// How much faster the candidate ends, (O₂ / E₂) / (O₁ / E₁): above 1 it ends sooner (Peto and Pike 1973); nil when a group has no event.
    public let paceRatio: Double?

    /// Tests two groups.
    ///
    /// - Returns: Nil when nothing ended, or a group is empty.
    public init?(base: [Lifetime], candidate: [Lifetime]) {
        guard !base.isEmpty, !candidate.isEmpty else { return nil }
        let all = (base.map { ($0, false) } + candidate.map { ($0, true) }).sorted { $0.0.time < $1.0.time }
        var atRisk = (all: Double(all.count), candidate: Double(candidate.count))
        var (observed, expected, variance) = ((all: 0.0, candidate: 0.0), 0.0, 0.0)
        var first = 0
        while first < all.count {
            var end = first
            var (ended, endedOfCandidate, ofCandidate) = (0.0, 0.0, 0.0)
            while end < all.count, all[end].0.time == all[first].0.time {
                let isCandidate = all[end].1
                if isCandidate { ofCandidate += 1 }
                if all[end].0.isEvent { (ended, endedOfCandidate) = (ended + 1, endedOfCandidate + (isCandidate ? 1 : 0)) }
                end += 1
            }
            if ended > 0 {
                let share = atRisk.candidate / atRisk.all
                observed = (observed.all + ended, observed.candidate + endedOfCandidate)
                expected += ended * share
                if atRisk.all > 1 { variance += ended * share * (1 - share) * (atRisk.all - ended) / (atRisk.all - 1) }
            }
            atRisk = (atRisk.all - Double(end - first), atRisk.candidate - ofCandidate)
            first = end
        }
        guard variance > 0 else { return nil }
        let excess = observed.candidate - expected
        statistic = excess * excess / variance
        p = ChiSquareDistribution.probability(beyond: statistic, degrees: 1)
        let ofBase = (observed: observed.all - observed.candidate, expected: observed.all - expected)
        let hasRatio = ofBase.observed > 0 && ofBase.expected > 0 && expected > 0 && observed.candidate > 0
        paceRatio = hasRatio ? (observed.candidate / expected) / (ofBase.observed / ofBase.expected) : nil
    }
}
