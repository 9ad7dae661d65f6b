import StentorBase

/// A share: so many of so many.
public struct Proportion: Sendable, Equatable {
    /// How many had the property; 0 ... ``population``. Not whole when it was divided by a dispersion.
    public let part: Double
    /// Of how many, above 0.
    public let population: Double

    /// Makes a share; nil when nothing was counted.
    public init?(_ part: Double, of population: Double) {
        guard population > 0, part >= 0, part <= population else { return nil }
        (self.part, self.population) = (part, population)
    }

    /// The share, 0...1.
    public var share: Double { part / population }

    /// The score interval of Wilson (JASA 22, 1927), without a continuity correction.
    ///
    /// (p + z²/2n ± z√(p(1 − p)/n + z²/4n²)) / (1 + z²/n). It stays within 0...1 and says something also for 0 of n.
    ///
    /// - Parameter z: The half width in standard errors; 1.96 for 95 %.
    public func wilson(z: Double = NormalDistribution.z95) -> Estimate {
        guard z.isFinite else { return Estimate(value: share, low: 0, high: 1) }
        let (p, n) = (share, population)
        let scale = 1 + z * z / n
        let middle = (p + z * z / (2 * n)) / scale
        let half = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot() / scale
        // At both ends the limit is the share itself; rounding must not move it past.
        return Estimate(value: p, low: part == 0 ? 0 : max(0, min(p, middle - half)), high: part == n ? 1 : min(1, max(p, middle + half)))
    }

    /// The same share of a smaller population: dependent events say less than independent ones.
    ///
    /// - Parameter dispersion: How many times the variance is that of independent events; below 1 counts as 1.
    public func thinned(by dispersion: Double) -> Proportion {
        let factor = max(1, dispersion)
        return Proportion(part / factor, of: population / factor) ?? self
    }

    /// The difference of two shares with Newcombe's interval (method 10), and its p-value: the least error rate at which the interval excludes 0.
    ///
    /// - Parameter degrees: Degrees of freedom of the dispersion, if that was estimated from a few runs; ∞ when it was not.
    public static func difference(
        _ candidate: Proportion, minus base: Proportion, degrees: Double = .infinity
    ) -> (estimate: Estimate, p: Double) {
        func interval(_ z: Double) -> Estimate { .difference(candidate.wilson(z: z), minus: base.wilson(z: z)) }
        let estimate = interval(StudentDistribution.critical(twoSided: 0.05, degrees: degrees))
        guard candidate.share != base.share else { return (estimate, 1) }
        let reach = Root.bisect(0...1000) { !interval($0).excludesZero }
        return (estimate, StudentDistribution.twoSided(reach, degrees: degrees))
    }

    /// Cohen's h, the effect size of two shares: 2 asin √p₂ − 2 asin √p₁, −π...π; 0.2 is small, 0.8 large (Cohen 1988, § 6.2).
    public static func effectSize(_ candidate: Double, _ base: Double) -> Double {
        2 * FloatingPointMath.arcSine(candidate.squareRoot()) - 2 * FloatingPointMath.arcSine(base.squareRoot())
    }
}
