import StentorBase

/// One thing that was waited for: until it happened, or until nobody looked any more.
public struct Lifetime: Sendable, Equatable {
    /// How long it was watched, from 0 on.
    public let time: Double
    /// Whether it happened at that time; false: censored, it had not happened by then.
    public let isEvent: Bool

    /// Notes a lifetime.
    public init(time: Double, isEvent: Bool) { (self.time, self.isEvent) = (time, isEvent) }
}

/// The share that still waits, as a curve over time, from data in which some were not watched to the end.
///
/// Kaplan and Meier, JASA 53, 1958: S(t) = Π (1 − dᵢ / nᵢ) over the times tᵢ ≤ t at which dᵢ of the nᵢ that still waited ended. Greenwood's
/// variance (1926): S² Σ dᵢ / (nᵢ (nᵢ − dᵢ)). The band is that of the complementary log-log transform (Kalbfleisch and Prentice, § 1.4),
/// S^exp(∓1.96 · s / ln S), s² = Σ dᵢ / (nᵢ (nᵢ − dᵢ)); it stays within 0...1.
public struct SurvivalCurve: Sendable, Equatable {
    /// A step of the curve: a time at which something ended.
    public struct Step: Sendable, Equatable {
        /// When.
        public let time: Double
        /// How many were waiting just before.
        public let atRisk: Int
        /// How many ended then.
        public let events: Int
        /// The share that waits from then on, with its pointwise 95 % band.
        public let waiting: Estimate
        /// Greenwood's sum Σ d / (n (n − d)) up to here; ∞ once nobody waits.
        public let greenwood: Double
    }

    /// The steps, in the order of time; before the first, all wait.
    public let steps: [Step]
    /// How many were watched.
    public let count: Int
    /// How many ended.
    public let events: Int
    /// The longest time that anyone was watched.
    public let longest: Double

    /// Estimates a curve.
    ///
    /// - Returns: Nil without a lifetime.
    public init?(_ lifetimes: [Lifetime]) {
        guard !lifetimes.isEmpty else { return nil }
        let sorted = lifetimes.sorted { $0.time < $1.time }
        var steps: [Step] = []
        var (share, greenwood) = (1.0, 0.0)
        var first = 0
        while first < sorted.count {
            var (end, events) = (first, 0)
            while end < sorted.count, sorted[end].time == sorted[first].time {
                if sorted[end].isEvent { events += 1 }
                end += 1
            }
            let atRisk = sorted.count - first
            if events > 0 {
                share *= 1 - Double(events) / Double(atRisk)
                greenwood += Double(events) / (Double(atRisk) * Double(atRisk - events))
                if events == atRisk { share = 0 }
                steps.append(
                    Step(
                        time: sorted[first].time, atRisk: atRisk, events: events, waiting: Self.band(share, greenwood), greenwood: greenwood
                    ))
            }
            first = end
        }
        (self.steps, count, events) = (steps, sorted.count, steps.reduce(0) { $0 + $1.events })
        longest = sorted[sorted.count - 1].time
    }

    /// The share that waits just after a time.
    public func waiting(after time: Double) -> Double { steps.last { $0.time <= time }?.waiting.value ?? 1 }

    /// The time by which a share has ended, with the limits of Brookmeyer and Crowley (Biometrics 38, 1982): where the band crosses.
    ///
    /// - Parameter share: 0...1, for instance 0.5 for the median.
    /// - Returns: Nil when so many never ended; the upper limit is ∞ when the band does not come down so far.
    public func time(byWhich share: Double) -> Estimate? {
        // A product of fractions may miss its value by a rounding.
        let left = 1 - share + 1e-12
        guard let value = steps.first(where: { $0.waiting.value <= left })?.time else { return nil }
        let low = steps.first { $0.waiting.low <= left }?.time ?? value
        let high = steps.first { $0.waiting.high <= left }?.time ?? .infinity
        return Estimate(value: value, low: min(low, value), high: max(high, value))
    }

    /// The mean time until the end or until `limit`, whichever is sooner: the area below the curve (Irwin 1949).
    ///
    /// Variance: Σ Aᵢ² dᵢ / (nᵢ (nᵢ − dᵢ)), with Aᵢ the area right of tᵢ up to the limit (Klein and Moeschberger, § 4.5).
    ///
    /// - Parameter limit: At most ``longest``: beyond it the curve says nothing.
    public func restrictedMean(upTo limit: Double) -> (mean: Double, variance: Double) {
        let inside = steps.filter { $0.time < limit }
        let ends = inside.dropFirst().map(\.time) + [limit]
        let areas = zip(inside, ends).map { $0.waiting.value * ($1 - $0.time) }
        let mean = (inside.first?.time ?? limit) + areas.reduce(0, +)
        var (rest, variance) = (0.0, 0.0)
        for (step, area) in zip(inside, areas).reversed() {
            rest += area
            // The last one to end leaves no area, and its term is 0 · ∞.
            guard rest > 0, step.events < step.atRisk else { continue }
            variance += rest * rest * Double(step.events) / (Double(step.atRisk) * Double(step.atRisk - step.events))
        }
        return (mean, variance)
    }

    private static func band(_ share: Double, _ greenwood: Double) -> Estimate {
        // At both ends the transform has no variance.
        guard share > 0, share < 1 else { return Estimate(value: share, low: share, high: share) }
        let reach = NormalDistribution.z95 * greenwood.squareRoot() / FloatingPointMath.logarithm(share)
        return Estimate(
            value: share, low: FloatingPointMath.power(share, FloatingPointMath.exponential(-reach)),
            high: FloatingPointMath.power(share, FloatingPointMath.exponential(reach)))
    }
}
