import StentorBase
import StentorStatistics
import TestSupport
import Testing

/// The same statistics by scipy and lifelines, which share no code with Stentor.
@Suite(.slots(1)) struct `Scipy and lifelines` {
    static let packages = PythonPackages(
        "statistics", ["scipy==1.14.1", "lifelines==0.30.0"], imports: "import scipy.stats, lifelines")

    /// Lifetimes with ties and censoring; the candidate ends sooner.
    private static func lifetimes(seed: UInt64, mean: Duration, count: Int) -> [Lifetime] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            // Tenths of a second give ties.
            let time = (random.exponential(mean: mean).inSeconds * 10).rounded() / 10 + 0.1
            let end = random.unit() * 30
            return Lifetime(time: min(time, (end * 10).rounded() / 10 + 0.1), isEvent: time <= end)
        }
    }

    private static func json(_ lifetimes: [Lifetime]) -> String {
        "[[\(lifetimes.map { "\($0.time)" }.joined(separator: ","))],[\(lifetimes.map { $0.isEvent ? "1" : "0" }.joined(separator: ","))]]"
    }

    @Test(packages.whereInstallable, arguments: [UInt64(1), 2, 3]) func `agree on Kaplan–Meier, log-rank and restricted mean`(
        seed: UInt64
    ) async throws {
        let base = Self.lifetimes(seed: seed, mean: .seconds(9), count: 180)
        let candidate = Self.lifetimes(seed: seed + 100, mean: .seconds(6), count: 150)
        let script = """
            import json, sys
            from lifelines import KaplanMeierFitter
            from lifelines.statistics import logrank_test
            from lifelines.utils import restricted_mean_survival_time
            from scipy import stats
            (bt, be), (ct, ce) = json.loads(sys.argv[1]), json.loads(sys.argv[2])
            fit = KaplanMeierFitter().fit(bt, be)
            band = fit.confidence_interval_
            times = [t for t in fit.survival_function_.index if fit.event_table.loc[t, "observed"] > 0]
            test = logrank_test(bt, ct, be, ce)
            mean = restricted_mean_survival_time(fit, t=8.0)
            other = stats.ecdf(stats.CensoredData(
                uncensored=[t for t, e in zip(bt, be) if e], right=[t for t, e in zip(bt, be) if not e]))
            print(json.dumps({
                "times": times, "share": [fit.survival_function_.loc[t].iloc[0] for t in times],
                "low": [band.loc[t].iloc[0] for t in times], "high": [band.loc[t].iloc[1] for t in times],
                "scipy": [float(other.sf.evaluate(t)) for t in times],
                "median": fit.median_survival_time_, "statistic": test.test_statistic, "p": test.p_value,
                "mean": mean}))
            """
        let facts = try Facts(try await Self.packages.run(script, [Self.json(base), Self.json(candidate)]))
        let curve = try #require(SurvivalCurve(base))
        #expect(curve.steps.map(\.time) == facts["times"].elements.compactMap(\.number))
        #expect(curve.steps.count > 50)
        expect(curve.steps.map(\.waiting.value), facts["share"])
        expect(curve.steps.map(\.waiting.value), facts["scipy"])
        expect(curve.steps.map(\.waiting.low), facts["low"])
        expect(curve.steps.map(\.waiting.high), facts["high"])
        let test = try #require(LogRank(base: base, candidate: candidate))
        expect(
            [test.statistic, test.p, try #require(curve.time(byWhich: 0.5)).value, curve.restrictedMean(upTo: 8).mean],
            .list(["statistic", "p", "median", "mean"].map { facts[$0] }))
    }

    @Test(packages.whereInstallable) func `agree on Wilson, exact binomial tests, t and Poisson limits`() async throws {
        let script = """
            import json
            from scipy import stats
            def wilson(k, n):
                interval = stats.binomtest(k, n).proportion_ci(method="wilson")
                return [interval.low, interval.high]
            print(json.dumps({
                "wilson": sum([wilson(k, n) for k, n in [(0, 40), (1, 40), (13, 40), (40, 40), (120, 12000), (11990, 12000)]], []),
                "binomial": [min(1, 2 * min(stats.binom.cdf(k, n, p), stats.binom.sf(k - 1, n, p)))
                             for k, n, p in [(3, 20, 0.5), (0, 9, 0.4), (130, 230, 0.5), (700, 1000, 0.66)]],
                "t": [2 * stats.t.sf(t, d) for t, d in [(0.3, 3), (2.5, 7), (12, 40), (1.9, 4.7)]],
                "garwood": sum([[stats.chi2.ppf(0.025, 2 * x) / 2, stats.chi2.ppf(0.975, 2 * x + 2) / 2] for x in [1, 4, 77, 1500]], []),
            }))
            """
        let facts = try Facts(try await Self.packages.run(script))
        let shares = [(0.0, 40.0), (1, 40), (13, 40), (40, 40), (120, 12000), (11990, 12000)]
        expect(try shares.flatMap { try ends(try #require(Proportion($0, of: $1)).wilson()) }, facts["wilson"])
        let trials = [(3, 20, 0.5), (0, 9, 0.4), (130, 230, 0.5), (700, 1000, 0.66)]
        expect(trials.map { BinomialDistribution.twoSided($0, of: $1, share: $2) }, facts["binomial"])
        let values = [(0.3, 3.0), (2.5, 7), (12, 40), (1.9, 4.7)]
        expect(values.map { StudentDistribution.twoSided($0, degrees: $1) }, facts["t"])
        expect(try [1, 4, 77, 1500].flatMap { try ends(try #require(EventCount($0, of: 1)).rate) }, facts["garwood"])
    }

    private func ends(_ estimate: Estimate) throws -> [Double] { [estimate.low, estimate.high] }

    private func expect(_ ours: [Double], _ theirs: Facts, _ place: SourceLocation = #_sourceLocation) {
        let theirs = theirs.elements.compactMap(\.number)
        #expect(ours.count == theirs.count, sourceLocation: place)
        for (left, right) in zip(ours, theirs) {
            #expect(agree(left, right, within: 1e-6), "\(left) and \(right)", sourceLocation: place)
        }
    }
}
