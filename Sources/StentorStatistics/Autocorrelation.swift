/// How long a series remembers.
public enum Autocorrelation {
    /// The integrated autocorrelation time τ = 1 + 2 Σ ρₖ, in steps of the series: n values say as much as n / τ independent ones.
    ///
    /// The sum ends at the first M ≥ 5 τ(M), Sokal's automatic window (Monte Carlo Methods in Statistical Mechanics, 1989): beyond it there is
    /// only noise. Never below 1, so that an apparent negative correlation narrows no interval.
    ///
    /// - Returns: At least 1; 1 for a series that does not vary.
    public static func time(_ series: [Double]) -> Double {
        let n = series.count
        guard n > 3 else { return 1 }
        let mean = series.reduce(0, +) / Double(n)
        let centred = series.map { $0 - mean }
        let spread = centred.reduce(0) { $0 + $1 * $1 }
        guard spread > 0 else { return 1 }
        var time = 1.0
        for lag in 1..<(n / 2) {
            var sum = 0.0
            for index in lag..<n { sum += centred[index] * centred[index - lag] }
            time += 2 * sum / spread
            if Double(lag) >= 5 * max(1, time) { break }
        }
        // Taking out the mean pushes each of the 5 τ correlations down by about τ/n, which is given back, within reason.
        return max(1, time) * (time > 1 ? 1 + min(0.5, 10 * time / Double(n)) : 1)
    }
}
