import StentorBase

/// The gamma distribution with unit scale, and what follows from it: χ² and exact limits of a Poisson count.
public enum GammaDistribution {
    /// The regularised incomplete gamma function P(a, x), the probability of a value up to `x`.
    ///
    /// The series below a + 1, the continued fraction of the upper tail above (Abramowitz and Stegun 6.5.29 and 6.5.31).
    ///
    /// - Parameters:
    ///   - x: From 0 on.
    ///   - shape: a, above 0.
    public static func probability(upTo x: Double, shape: Double) -> Double {
        guard x > 0 else { return 0 }
        return x < shape + 1 ? series(x, shape) : 1 - fraction(x, shape)
    }

    /// The probability of a value beyond `x`, exact in the far tail.
    public static func probability(beyond x: Double, shape: Double) -> Double {
        guard x > 0 else { return 1 }
        return x < shape + 1 ? 1 - series(x, shape) : fraction(x, shape)
    }

    private static func scale(_ x: Double, _ a: Double) -> Double {
        FloatingPointMath.exponential(a * FloatingPointMath.logarithm(x) - x - FloatingPointMath.logGamma(a))
    }

    private static func series(_ x: Double, _ a: Double) -> Double {
        var term = 1 / a
        var sum = term
        var n = a
        while term > sum * 1e-17 {
            n += 1
            term *= x / n
            sum += term
        }
        return min(1, sum * scale(x, a))
    }

    private static func fraction(_ x: Double, _ a: Double) -> Double {
        let tiny = 1e-300
        var b = x + 1 - a
        var c = 1 / tiny
        var d = 1 / b
        var value = d
        for step in 1...100_000 {
            let n = Double(step)
            let term = -n * (n - a)
            b += 2
            d = term * d + b
            if abs(d) < tiny { d = tiny }
            c = b + term / c
            if abs(c) < tiny { c = tiny }
            d = 1 / d
            value *= d * c
            if abs(d * c - 1) < 1e-15 { break }
        }
        return value * scale(x, a)
    }
}

/// The χ² distribution.
public enum ChiSquareDistribution {
    /// The probability of a value beyond `x`.
    public static func probability(beyond x: Double, degrees: Double) -> Double {
        GammaDistribution.probability(beyond: x / 2, shape: degrees / 2)
    }
}
