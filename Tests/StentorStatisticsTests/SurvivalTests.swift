import StentorStatistics
import Testing

struct SurvivalTests {
    /// Remission in weeks under 6-mercaptopurine and under placebo: Freireich et al. 1963, the example of the textbooks.
    static let treated = lifetimes([6, 6, 6, 7, 10, 13, 16, 22, 23], censored: [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35])
    static let placebo = lifetimes([1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23], censored: [])

    static func lifetimes(_ events: [Double], censored: [Double]) -> [Lifetime] {
        events.map { Lifetime(time: $0, isEvent: true) } + censored.map { Lifetime(time: $0, isEvent: false) }
    }

    @Test func `the curve is that of the textbook`() throws {
        let curve = try #require(SurvivalCurve(Self.treated))
        let expected = [(6.0, 0.857), (7, 0.807), (10, 0.753), (13, 0.690), (16, 0.627), (22, 0.538), (23, 0.448)]
        #expect(curve.steps.map(\.time) == expected.map(\.0))
        for (step, (_, share)) in zip(curve.steps, expected) { #expect(abs(step.waiting.value - share) < 5e-4) }
        // Greenwood's standard error at 10 weeks: 0.0963.
        let third = curve.steps[2]
        #expect(abs(third.waiting.value * third.greenwood.squareRoot() - 0.0963) < 5e-5)
        #expect(curve.time(byWhich: 0.5)?.value == 23)
        #expect(SurvivalCurve(Self.placebo)?.time(byWhich: 0.5)?.value == 8)
        #expect(curve.time(byWhich: 0.9) == nil)
        #expect(curve.waiting(after: 5) == 1)
        #expect(curve.waiting(after: 8) == curve.steps[1].waiting.value)
    }

    @Test func `the log-rank test is that of the textbook`() throws {
        let test = try #require(LogRank(base: Self.treated, candidate: Self.placebo))
        #expect(abs(test.statistic - 16.79) < 0.005)
        #expect(test.p < 1e-4)
        #expect(abs((test.paceRatio ?? 0) - (21 / 10.75) / (9 / 19.25)) < 0.005)
        #expect(LogRank(base: [], candidate: Self.placebo) == nil)
    }

    @Test func `without censoring the restricted mean is the mean, with the variance of the values over n`() throws {
        let values = [1.0, 2, 4, 9]
        let curve = try #require(SurvivalCurve(Self.lifetimes(values, censored: [])))
        let (mean, variance) = curve.restrictedMean(upTo: 9)
        #expect(agree(mean, 4))
        #expect(agree(variance, (9 + 4 + 0 + 25) / 16))
        #expect(agree(curve.restrictedMean(upTo: 3).mean, (1 + 2 + 3 + 3) / 4))
        #expect(curve.restrictedMean(upTo: 0.5).mean == 0.5)
    }

    @Test func `nobody is no curve, and nobody ready is a level one`() {
        #expect(SurvivalCurve([]) == nil)
        let waiting = SurvivalCurve([Lifetime(time: 5, isEvent: false)])
        #expect(waiting?.steps == [] && waiting?.time(byWhich: 0.5) == nil && waiting?.restrictedMean(upTo: 5).mean == 5)
    }
}

struct PairedDifferenceTests {
    private func pair(_ base: Double, _ candidate: Double, _ ends: (Bool, Bool) = (true, true)) -> PairedDifferences.Pair {
        .init(base: Lifetime(time: base, isEvent: ends.0), candidate: Lifetime(time: candidate, isEvent: ends.1))
    }

    @Test func `a censored side counts where it can only be the later one`() {
        let result = PairedDifferences([
            pair(1, 2), pair(2, 1), pair(3, 3), pair(1, 5, (true, false)), pair(5, 1, (true, false)), pair(5, 1, (false, true)),
            pair(1, 5, (false, true)), pair(4, 4, (false, false)),
        ])
        #expect(result.later == 2 && result.sooner == 2 && result.same == 1 && result.undecided == 3)
        #expect(result.median == nil && result.p == 1)
    }

    @Test func `the median's limits are the order statistics of the sign test`() {
        // For 10 values: ranks 2 and 9, with 97.9 %.
        let result = PairedDifferences((1...10).map { pair(0, Double($0)) })
        #expect(result.median == Estimate(value: 5.5, low: 2, high: 9))
        #expect(agree(result.p, 2.0 / 1024))
        #expect(PairedDifferences((1...6).map { pair(0, Double($0)) }).median == Estimate(value: 3.5, low: 1, high: 6))
    }
}
