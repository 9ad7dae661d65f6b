import StentorBase

/// The beta distribution, and the tails of the binomial one that follow from it.
public enum BetaDistribution {
    /// The regularised incomplete beta function Iₓ(a, b), the probability of a value up to `x`.
    ///
    /// Continued fraction by Lentz's method, on the side where it converges fast (Abramowitz and Stegun 26.5.8).
    ///
    /// - Parameters:
    ///   - x: 0...1; other values are clamped.
    ///   - a: Above 0.
    ///   - b: Above 0.
    public static func probability(upTo x: Double, a: Double, b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        // Iₓ(a, b) = 1 − I₁₋ₓ(b, a)
        guard x <= (a + 1) / (a + b + 2) else { return 1 - probability(upTo: 1 - x, a: b, b: a) }
        let logScale =
            FloatingPointMath.logGamma(a + b) - FloatingPointMath.logGamma(a) - FloatingPointMath.logGamma(b)
            + a * FloatingPointMath.logarithm(x) + b * FloatingPointMath.logarithm(onePlus: -x)
        return min(1, FloatingPointMath.exponential(logScale) / a / fraction(x, a, b))
    }

    /// The value that is not exceeded with a probability, by bisection.
    public static func quantile(_ probability: Double, a: Double, b: Double) -> Double {
        guard probability > 0 else { return 0 }
        guard probability < 1 else { return 1 }
        return Root.bisect(0...1) { Self.probability(upTo: $0, a: a, b: b) >= probability }
    }

    /// 1 + d₁ / (1 + d₂ / (1 + …)).
    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        var (value, upper, lower) = (1.0, 1.0, 0.0)
        for step in 1...10_000 {
            let m = Double(step / 2)
            let term =
                step.isMultiple(of: 2)
                ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            lower = 1 + term * lower
            lower = 1 / (abs(lower) < tiny ? tiny : lower)
            upper = 1 + term / upper
            if abs(upper) < tiny { upper = tiny }
            value *= upper * lower
            if abs(upper * lower - 1) < 1e-15 { break }
        }
        return value
    }
}

/// The number of successes of independent trials.
public enum BinomialDistribution {
    /// The probability of at most so many successes.
    ///
    /// - Parameters:
    ///   - successes: Below 0 the answer is 0, from `trials` on 1.
    ///   - trials: At least 0.
    ///   - share: The probability of a success, 0...1.
    public static func probability(upTo successes: Int, of trials: Int, share: Double) -> Double {
        guard successes >= 0 else { return 0 }
        guard successes < trials else { return 1 }
        return BetaDistribution.probability(upTo: 1 - share, a: Double(trials - successes), b: Double(successes + 1))
    }

    /// The exact two-sided p-value: twice the smaller tail, at most 1.
    public static func twoSided(_ successes: Int, of trials: Int, share: Double) -> Double {
        guard trials > 0 else { return 1 }
        let below = probability(upTo: successes, of: trials, share: share)
        let above = probability(upTo: trials - successes, of: trials, share: 1 - share)
        return min(1, 2 * min(below, above))
    }
}

/// Student's t distribution.
public enum StudentDistribution {
    /// The probability of a value at least as far from 0 as `t`, on both sides.
    ///
    /// - Parameter degrees: Degrees of freedom, above 0; ∞ gives the normal distribution.
    public static func twoSided(_ t: Double, degrees: Double) -> Double {
        guard degrees < 1e6 else { return NormalDistribution.twoSided(t) }
        guard t.isFinite else { return 0 }
        return BetaDistribution.probability(upTo: degrees / (degrees + t * t), a: degrees / 2, b: 0.5)
    }

    /// The t that is exceeded on both sides together with a probability, for instance 0.05 for a 95 % interval.
    public static func critical(twoSided probability: Double, degrees: Double) -> Double {
        guard probability > 0 else { return .infinity }
        guard degrees < 1e6 else { return -NormalDistribution.quantile(probability / 2) }
        return Root.bisect(0...1e7) { twoSided($0, degrees: degrees) <= probability }
    }
}
