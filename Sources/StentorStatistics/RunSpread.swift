/// How much runs of one version differ from each other: the noise floor.
public struct RunSpread: Sendable, Equatable {
    /// The standard deviation S between the runs of a side. It includes what chance within a run adds.
    public let deviation: Double
    /// Degrees of freedom: runs less sides.
    public let degrees: Double

    /// Estimates the spread of runs, the same on both sides: S² = Σ (θᵣ − θ̄)² / Σ (k − 1).
    ///
    /// - Parameter sides: The runs' estimates, side by side.
    /// - Returns: Nil when no side has two runs: nothing is known then.
    public init?(_ sides: [[Double]]) {
        let several = sides.filter { $0.count > 1 }
        guard !several.isEmpty else { return nil }
        var squares = 0.0
        for runs in several {
            let mean = runs.reduce(0, +) / Double(runs.count)
            squares += runs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
        degrees = Double(several.reduce(0) { $0 + $1.count - 1 })
        deviation = (squares / degrees).squareRoot()
    }
}

/// A difference whose uncertainty has two levels: chance within runs, and what makes runs of one version differ.
public struct TwoLevelDifference: Sendable, Equatable {
    /// The difference and its 95 % interval.
    public let estimate: Estimate
    /// Half of the interval in standard errors' units, on the side towards 0.
    public let standardError: Double
    /// Degrees of freedom of the interval.
    public let degrees: Double
    /// The chance of a difference at least as far from 0 if there is none.
    public let p: Double

    /// Widens an interval that knows chance within runs only.
    ///
    /// The variance is h², what chance within the runs explains, or S² (1/k₁ + 1/k₂), what was seen between runs, whichever is larger: the mean of runs
    /// has both in it, so that the second is an estimate of the whole, but one of few degrees of freedom ν. The interval has those of t, ν times the
    /// square of the larger over the second, as Satterthwaite's rule (Biometrics Bulletin 2, 1946) gives for a known part and an estimated one.
    /// Runs are not drawn again themselves: with k of them a draw has only (k − 1)/k of the variance, half of it for two.
    ///
    /// - Parameters:
    ///   - within: The difference with an interval of normal reach: 1.96 standard errors.
    ///   - degreesWithin: Degrees of freedom of that, for instance blocks less runs.
    ///   - spread: Between runs; nil: not known, and the interval is that of these very runs.
    ///   - runs: How many runs each side has.
    public init(within: Estimate, degreesWithin: Double, spread: RunSpread?, runs: (base: Int, candidate: Int)) {
        let share = 1 / Double(runs.base) + 1 / Double(runs.candidate)
        let between = spread.map { $0.deviation * $0.deviation * share } ?? 0
        let z = NormalDistribution.z95
        let errors = (low: (within.value - within.low) / z, high: (within.high - within.value) / z)
        let variance = (errors.low * errors.low + errors.high * errors.high) / 2
        var degrees = degreesWithin
        if between > 0, let spread {
            let ratio = max(1, variance / between)
            degrees = min(degreesWithin, spread.degrees * ratio * ratio)
        }
        let more = max(0, between - variance)
        let t = StudentDistribution.critical(twoSided: 0.05, degrees: degrees)
        let low = (errors.low * errors.low + more).squareRoot()
        let high = (errors.high * errors.high + more).squareRoot()
        estimate = Estimate(value: within.value, low: within.value - t * low, high: within.value + t * high)
        let towardsZero = within.value > 0 ? low : high
        (standardError, self.degrees) = (towardsZero, degrees)
        if within.value == 0 {
            p = 1
        } else {
            p = towardsZero > 0 ? StudentDistribution.twoSided(within.value / towardsZero, degrees: degrees) : 0
        }
    }

    /// The smallest difference that would be shown eight times of ten at an error rate: (t₁₋ₐ⸝₂ + t₀.₈) standard errors.
    public func smallestShown(level: Double) -> Double {
        let t = StudentDistribution.critical(twoSided: level, degrees: degrees)
        return (t + StudentDistribution.critical(twoSided: 0.4, degrees: degrees)) * standardError
    }
}
