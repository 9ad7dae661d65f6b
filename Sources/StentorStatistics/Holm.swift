/// Many comparisons at once: with 20 of them, one would differ at 5 % by chance alone.
public enum Holm {
    /// The p-values adjusted by Holm's step-down method (Scandinavian Journal of Statistics 6, 1979), in their order.
    ///
    /// The i-th smallest of m is multiplied by m − i + 1, and is never below the one before. Those at or below 0.05 are significant, and the
    /// chance of even one false one among all is at most 5 %, however the numbers depend on each other.
    public static func adjusted(_ pValues: [Double]) -> [Double] {
        let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
        var adjusted = pValues
        var least = 0.0
        for (rank, index) in order.enumerated() {
            least = max(least, min(1, pValues[index] * Double(pValues.count - rank)))
            adjusted[index] = least
        }
        return adjusted
    }
}
