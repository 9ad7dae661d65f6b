import Glibc

/// Places on a logarithmic axis.
enum Logarithm {
    /// Where a positive value stands between the ends of a range of positive values, 0...1.
    static func share(_ value: Double, in range: ClosedRange<Double>) -> Double {
        let (low, high) = (log10(range.lowerBound), log10(range.upperBound))
        return high > low ? (log10(value) - low) / (high - low) : 0
    }
}
