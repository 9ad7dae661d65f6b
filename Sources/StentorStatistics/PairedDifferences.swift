/// Differences of the same things on both sides: what makes a device slow by itself falls out.
public struct PairedDifferences: Sendable, Equatable {
    /// A thing's lifetimes on both sides.
    public struct Pair: Sendable, Equatable {
        /// On the base's side.
        public let base: Lifetime
        /// On the candidate's side.
        public let candidate: Lifetime

        /// Makes a pair.
        public init(base: Lifetime, candidate: Lifetime) { (self.base, self.candidate) = (base, candidate) }
    }

    /// Pairs in which the candidate ended sooner.
    public let sooner: Int
    /// Pairs in which the candidate ended later.
    public let later: Int
    /// Pairs that ended at the same time.
    public let same: Int
    /// Pairs of which a censored side leaves open which was sooner.
    public let undecided: Int
    /// The median of candidate less base, of the pairs in which both ended; nil with fewer than six, for which no 95 % interval exists.
    public let median: Estimate?
    /// The exact sign test (Dixon and Mood, JASA 41, 1946) of sooner against later; 1 when there are neither.
    public let p: Double

    /// Compares pairs.
    public init(_ pairs: [Pair]) {
        var (sooner, later, same, undecided) = (0, 0, 0, 0)
        var differences: [Double] = []
        for pair in pairs {
            let difference = pair.candidate.time - pair.base.time
            switch (pair.base.isEvent, pair.candidate.isEvent) {
            case (true, true):
                differences.append(difference)
                if difference < 0 { sooner += 1 } else if difference > 0 { later += 1 } else { same += 1 }
            // Who still waits when the other has ended is the later one.
            case (true, false): if difference >= 0 { later += 1 } else { undecided += 1 }
            case (false, true): if difference <= 0 { sooner += 1 } else { undecided += 1 }
            case (false, false): undecided += 1
            }
        }
        (self.sooner, self.later, self.same, self.undecided) = (sooner, later, same, undecided)
        median = Self.median(differences.sorted())
        p = BinomialDistribution.twoSided(sooner, of: sooner + later, share: 0.5)
    }

    /// The median with the order statistics between which it lies with at least 95 %, whatever the distribution (Thompson 1936).
    private static func median(_ sorted: [Double]) -> Estimate? {
        let n = sorted.count
        guard n >= 6 else { return nil }
        // The largest rank k with P(X ≤ k − 1) ≤ 2.5 % for n fair tosses.
        var (low, high) = (1, n)
        while high - low > 1 {
            let middle = (low + high) / 2
            if BinomialDistribution.probability(upTo: middle - 1, of: n, share: 0.5) <= 0.025 { low = middle } else { high = middle }
        }
        let value = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2
        return Estimate(value: value, low: sorted[low - 1], high: sorted[n - low])
    }
}
