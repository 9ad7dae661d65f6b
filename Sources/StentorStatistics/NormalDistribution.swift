import StentorBase

/// The standard normal distribution.
public enum NormalDistribution {
    /// The probability of a value up to `z`.
    public static func probability(upTo z: Double) -> Double { 0.5 * FloatingPointMath.complementaryError(-z / Self.squareRootOf2) }

    /// The probability of a value at least as far from 0 as `z`, on both sides.
    public static func twoSided(_ z: Double) -> Double { FloatingPointMath.complementaryError(abs(z) / Self.squareRootOf2) }

    /// The value that is not exceeded with a probability.
    ///
    /// Bisection of ``probability(upTo:)``, to the last bit that matters; the tail is solved on its own side, where it is exact.
    ///
    /// - Parameter probability: Between 0 and 1, both excluded; the ends give ∓∞.
    public static func quantile(_ probability: Double) -> Double {
        guard probability > 0 else { return -.infinity }
        guard probability < 1 else { return .infinity }
        guard probability <= 0.5 else { return -quantile(1 - probability) }
        return Root.bisect(-40...0) { Self.probability(upTo: $0) >= probability }
    }

    /// The 97.5 % quantile, 1.96: half the width of a 95 % interval in standard errors.
    public static let z95 = 1.959963984540054

    private static let squareRootOf2 = 2.0.squareRoot()
}

/// Where a rising condition becomes true.
enum Root {
    /// The end of the range up to which the condition is false, by bisection to the precision of a `Double`.
    static func bisect(_ range: ClosedRange<Double>, _ isReached: (Double) -> Bool) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        for _ in 0..<200 {
            let middle = low + (high - low) / 2
            guard middle > low, middle < high else { break }
            if isReached(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
