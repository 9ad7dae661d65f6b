import StentorBase
import StentorStatistics
import Testing

/// Whether two numbers agree to a relative error.
func agree(_ left: Double, _ right: Double, within relative: Double = 1e-9) -> Bool {
    left == right || abs(left - right) <= relative * max(abs(left), abs(right))
}

struct DistributionTests {
    @Test(arguments: [(0.975, 1.959963984540054), (0.5, 0), (0.001, -3.090232306167813), (1e-12, -7.034483825301131)])
    func `quantiles of the normal distribution are those of the tables`(share: Double, expected: Double) {
        #expect(abs(NormalDistribution.quantile(share) - expected) < 1e-9)
    }

    @Test(arguments: [
        (1.0, 12.706204736), (2.0, 4.302652730), (5.0, 2.570581836), (30.0, 2.042272456), (1e9, 1.959963985),
    ])
    func `critical values of Student's t are those of the tables`(degrees: Double, expected: Double) {
        #expect(agree(StudentDistribution.critical(twoSided: 0.05, degrees: degrees), expected))
        #expect(agree(StudentDistribution.twoSided(expected, degrees: degrees), 0.05, within: 1e-7))
    }

    @Test func `binomial tails are sums of their terms`() {
        for successes in 0...12 {
            var (sum, term) = (0.0, 1.0)
            for _ in 0..<12 { term *= 0.7 }
            for index in 0...successes {
                sum += term
                term *= Double(12 - index) / Double(index + 1) * 0.3 / 0.7
            }
            #expect(agree(BinomialDistribution.probability(upTo: successes, of: 12, share: 0.3), sum))
        }
    }

    @Test func `the gamma distribution of whole shape is a Poisson tail`() {
        // P(a, x) = P(N ≥ a) for N of mean x.
        let below = FloatingPointMath.exponential(-4) * (1 + 4 + 8)
        #expect(agree(GammaDistribution.probability(upTo: 4, shape: 3), 1 - below))
        #expect(agree(GammaDistribution.probability(beyond: 4, shape: 3), below))
        #expect(agree(ChiSquareDistribution.probability(beyond: 3.841458820694124, degrees: 1), 0.05))
    }
}

struct ProportionTests {
    @Test func `Wilson's limits are those of Newcombe's paper`() throws {
        // Newcombe 1998 (Statistics in Medicine 17, 857), table I, method 3.
        let some = try #require(Proportion(15, of: 148)).wilson()
        #expect(abs(some.low - 0.0624) < 5e-5 && abs(some.high - 0.1605) < 5e-5)
        let none = try #require(Proportion(0, of: 20)).wilson()
        #expect(none.low == 0 && abs(none.high - 0.1611) < 5e-5)
        let all = try #require(Proportion(20, of: 20)).wilson()
        #expect(all.high == 1 && abs(all.low - 0.8389) < 5e-5)
    }

    @Test func `differences are those of Newcombe's method 10`() throws {
        // The same volume, p. 873: 56/70 − 48/80, and 9/10 − 3/10.
        let first = Proportion.difference(try #require(Proportion(56, of: 70)), minus: try #require(Proportion(48, of: 80))).estimate
        #expect(abs(first.low - 0.0524) < 5e-5 && abs(first.high - 0.3339) < 5e-5)
        let second = Proportion.difference(try #require(Proportion(9, of: 10)), minus: try #require(Proportion(3, of: 10))).estimate
        #expect(abs(second.low - 0.1705) < 5e-5 && abs(second.high - 0.8090) < 5e-5)
    }

    @Test func `the p-value is 5 % where the interval just touches 0`() throws {
        for part in stride(from: 20.0, through: 60, by: 1) {
            let result = Proportion.difference(try #require(Proportion(part, of: 100)), minus: try #require(Proportion(40, of: 100)))
            #expect((result.p < 0.05) == result.estimate.excludesZero)
        }
    }

    @Test func `nothing and impossible parts are no share`() {
        #expect(Proportion(0, of: 0) == nil)
        #expect(Proportion(2, of: 1) == nil)
        #expect(Proportion(10, of: 100)?.thinned(by: 2).population == 50)
        #expect(Proportion(10, of: 100)?.thinned(by: 0.5).population == 100)
    }
}

struct EventCountTests {
    @Test(arguments: [(0, 0.0, 3.6889), (1, 0.0253, 5.5716), (10, 4.7954, 18.3904), (100, 81.3640, 121.6268)])
    func `limits of a count are Garwood's`(events: Int, low: Double, high: Double) throws {
        let rate = try #require(EventCount(events, of: 1)).rate
        #expect(abs(rate.low - low) < 1e-4 && abs(rate.high - high) < 1e-4)
    }

    @Test func `0 against 6 of as many is shown, 0 against 5 is not`() throws {
        let none = try #require(EventCount(0, of: 1000))
        #expect(agree(EventCount.pValue(try #require(EventCount(5, of: 1000)), none), 2.0 / 32))
        #expect(agree(EventCount.pValue(try #require(EventCount(6, of: 1000)), none), 2.0 / 64))
        #expect(EventCount.leastShown(base: none, exposure: 1000, level: 0.05) == 6)
        #expect(EventCount.leastShown(base: try #require(EventCount(0, of: 5)), exposure: 5, level: 0.05) == nil)
        #expect(EventCount.pValue(none, none) == 1)
    }
}

struct FamilyTests {
    @Test func `Holm steps down and never falls back`() {
        let adjusted = Holm.adjusted([0.01, 0.04, 0.03, 0.005])
        for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) { #expect(agree(value, expected)) }
        #expect(Holm.adjusted([]) == [])
        #expect(Holm.adjusted([0.9, 0.8]) == [1, 1])
    }

    @Test func `Cliff's delta counts who is greater`() {
        #expect(CliffsDelta.value(base: [1, 0], candidate: [0, 1]) == 1)
        #expect(CliffsDelta.value(base: [1, 1], candidate: [1, 1]) == 0)
        // Of the four pairs, (2, 1) alone is smaller; two are equal.
        #expect(CliffsDelta.value(base: [1, 1, 0], candidate: [1, 0, 1]) == 0.25)
        #expect(CliffsDelta.value(base: [0], candidate: [1]) == nil)
    }
}
