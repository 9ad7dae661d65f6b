import StentorBase

/// The linear trend of a series: the Theil–Sen slope, with a 95 % confidence interval that allows for autocorrelation.
///
/// The slope is the median of the slopes between all pairs of points (Theil 1950; Sen, JASA 63, 1968), so a few odd points do not move
/// it. The interval takes the slopes whose ranks are (N ∓ z·√Var S) / 2, with Kendall's Var S (Hollander and Wolfe, Nonparametric
/// Statistical Methods, § 9.3) times the correction of Hamed and Rao (J. Hydrology 204, 1998) for neighbours that resemble each other.
/// `Docs/statistics.md` has the formulas and how often it errs.
public struct Trend: Sendable, Equatable {
    /// A point of a series.
    public struct Point: Sendable, Equatable {
        /// When, in hours from any origin.
        public let hours: Double
        /// The value.
        public let value: Double

        /// Makes a point.
        public init(hours: Double, value: Double) { (self.hours, self.value) = (hours, value) }
    }

    /// The change per hour.
    public let slope: Double
    /// The lower end of the interval; never below the smallest slope between two points.
    public let low: Double
    /// The upper end of the interval; never above the largest slope between two points.
    public let high: Double
    /// The median of the values: what a relative change refers to.
    public let level: Double
    /// How many points there are.
    public let count: Int

    /// The fewest points that a trend is estimated from.
    public static let pointsNeeded = 8
    /// The 97.5 % quantile of the normal distribution.
    private static let z = 1.959964

    /// Estimates the trend of points in the order of time; nil with fewer than ``pointsNeeded``, or when time stands still.
    ///
    /// Takes time with the square of the number of points.
    public init?(_ points: [Point]) {
        guard points.count >= Self.pointsNeeded else { return nil }
        var slopes: [Double] = []
        slopes.reserveCapacity(points.count * (points.count - 1) / 2)
        for (index, later) in points.enumerated() {
            for earlier in points[..<index] where later.hours > earlier.hours {
                slopes.append((later.value - earlier.value) / (later.hours - earlier.hours))
            }
        }
        guard !slopes.isEmpty else { return nil }
        slopes.sort()
        let slope = Self.median(ofSorted: slopes)
        let residuals = points.map { $0.value - slope * $0.hours }
        let variance = Self.kendallVariance(points.map(\.value)) * Self.inflation(residuals)
        let reach = Self.z * FloatingPointMath.squareRoot(variance)
        let pairs = Double(slopes.count)
        let lowRank = max(1, Int(((pairs - reach) / 2).rounded(.down)))
        let highRank = min(slopes.count, Int(((pairs + reach) / 2).rounded(.up)))
        (self.slope, low, high) = (slope, slopes[lowRank - 1], slopes[highRank - 1])
        level = Self.median(ofSorted: points.map(\.value).sorted())
        count = points.count
    }

    private init(slope: Double, low: Double, high: Double, level: Double, count: Int) {
        (self.slope, self.low, self.high, self.level, self.count) = (slope, low, high, level, count)
    }

    /// The same trend as fractions of the level; nil when the level is 0 or less.
    public var relative: Trend? { level > 0 ? scaled(by: 1 / level) : nil }

    /// The same trend with slope and interval multiplied, for instance by the hours of a day.
    public func scaled(by factor: Double) -> Trend {
        Trend(slope: slope * factor, low: low * factor, high: high * factor, level: level, count: count)
    }

    private static func median(ofSorted values: [Double]) -> Double {
        (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
    }

    /// The variance of Kendall's S for independent values, with the correction for ties.
    private static func kendallVariance(_ values: [Double]) -> Double {
        func term(_ n: Int) -> Double { Double(n * (n - 1) * (2 * n + 5)) / 18 }
        var ties: [Double: Int] = [:]
        for value in values { ties[value, default: 0] += 1 }
        return ties.values.reduce(term(values.count)) { $0 - term($1) }
    }

    /// How much larger the variance of S is because neighbours resemble each other: Hamed and Rao, with ρₖ = ρᵏ.
    ///
    /// ρ is the correlation of neighbouring residuals by rank, freed of the bias −(2 + 4ρ)/n that taking out a line brings (Marriott
    /// and Pope, Biometrika 41, 1954), and kept within 0...0.9: an apparent negative correlation must not narrow the interval.
    private static func inflation(_ residuals: [Double]) -> Double {
        let n = Double(residuals.count)
        let rho = min(0.9, max(0, (n * neighbourCorrelation(ranks(residuals)) + 2) / (n - 4)))
        guard rho > 0 else { return 1 }
        var (sum, power) = (0.0, 1.0)
        for lag in 1..<(residuals.count - 2) {
            power *= rho
            let rest = n - Double(lag)
            sum += rest * (rest - 1) * (rest - 2) * power
        }
        return 1 + 2 / (n * (n - 1) * (n - 2)) * sum
    }

    private static func neighbourCorrelation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        let spread = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard spread > 0 else { return 0 }
        return zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / spread
    }

    /// Ranks from 0; equal values share the mean of their ranks.
    private static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = values
        var first = 0
        while first < order.count {
            var end = first + 1
            while end < order.count, values[order[end]] == values[order[first]] { end += 1 }
            for position in first..<end { ranks[order[position]] = Double(first + end - 1) / 2 }
            first = end
        }
        return ranks
    }
}
