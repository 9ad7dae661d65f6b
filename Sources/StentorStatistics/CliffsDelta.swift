/// How far two distributions lie apart, whatever their shape.
public enum CliffsDelta {
    /// P(candidate > base) − P(candidate < base), −1...1 (Cliff, Psychological Bulletin 114, 1993); 0.147 is small, 0.33 medium, 0.474 large
    /// (Romano et al. 2006).
    ///
    /// - Parameters:
    ///   - base: Counts of the base's samples by rising value.
    ///   - candidate: Counts of the candidate's samples, by the same values.
    /// - Returns: Nil when a side has no sample.
    public static func value(base: [Double], candidate: [Double]) -> Double? {
        let (baseTotal, candidateTotal) = (base.reduce(0, +), candidate.reduce(0, +))
        guard baseTotal > 0, candidateTotal > 0 else { return nil }
        var (below, sum) = (0.0, 0.0)
        for (ofBase, ofCandidate) in zip(base, candidate) {
            sum += ofCandidate * (below - (baseTotal - below - ofBase))
            below += ofBase
        }
        return sum / baseTotal / candidateTotal
    }
}
