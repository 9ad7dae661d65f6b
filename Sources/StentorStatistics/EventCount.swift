/// Rare events of which there should be none, and of how many things they happened to.
///
/// As a rate of a Poisson process: its exact limits and its exact comparison, which hold for 0 and 1 events too.
public struct EventCount: Sendable, Equatable {
    /// How many events.
    public let events: Int
    /// Of how many things, above 0.
    public let exposure: Double

    /// Makes a count; nil when there was nothing that could have happened to.
    public init?(_ events: Int, of exposure: Double) {
        guard exposure > 0, events >= 0 else { return nil }
        (self.events, self.exposure) = (events, exposure)
    }

    /// Events per thing with exact limits (Garwood, Biometrika 28, 1936): the rates at which so few, or so many, have 2.5 %.
    public var rate: Estimate {
        let x = Double(events)
        let low = events == 0 ? 0 : Root.bisect(0...x) { GammaDistribution.probability(upTo: $0, shape: x) >= 0.025 }
        let high = Root.bisect(x...(2 * x + 20)) { GammaDistribution.probability(upTo: $0, shape: x + 1) >= 0.975 }
        return Estimate(value: x, low: low, high: high).scaled(by: 1 / exposure)
    }

    /// The exact conditional test that two rates are equal (Przyborowski and Wilenski, Biometrika 31, 1940): of all events, the
    /// candidate's are binomial with its share of the exposure. Two-sided, twice the smaller tail.
    public static func pValue(_ candidate: EventCount, _ base: EventCount) -> Double {
        BinomialDistribution.twoSided(
            candidate.events, of: candidate.events + base.events, share: candidate.exposure / (candidate.exposure + base.exposure))
    }

    /// How many events the candidate would have needed for a p-value at or below `level`, more than the base's rate lets expect; nil
    /// beyond its exposure.
    public static func leastShown(base: EventCount, exposure: Double, level: Double) -> Int? {
        let expected = base.rate.value * exposure
        var (low, high) = (Int(expected.rounded(.down)), Int(expected) + 1)
        func isShown(_ events: Int) -> Bool {
            guard let candidate = EventCount(events, of: exposure) else { return false }
            return Double(events) > expected && pValue(candidate, base) <= level
        }
        while !isShown(high) {
            guard Double(high) < exposure else { return nil }
            (low, high) = (high, high * 2)
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isShown(middle) { high = middle } else { low = middle }
        }
        return Double(high) <= exposure ? high : nil
    }
}
