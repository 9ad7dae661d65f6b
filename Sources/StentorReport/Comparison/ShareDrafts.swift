import StentorBase
import StentorMetrics
import StentorStatistics

/// Compares a share, or a count of what should not happen.
struct ShareDrafts {
    let share: ComparedShare

    private struct Run {
        let part: Int
        let population: Int
        var value: Double? { population > 0 ? Double(part) / Double(population) : nil }
    }

    /// The row; nil when a side has nothing that could have happened.
    func draft(_ base: [RunMeasurements], _ candidate: [RunMeasurements]) -> NumberDraft? {
        let runs = [base, candidate].map { $0.map { Run(part: share.part($0) ?? 0, population: share.population($0) ?? 0) } }
        let sums = runs.map { side in (side.reduce(0) { $0 + $1.part }, side.reduce(0) { $0 + $1.population }) }
        guard let left = Proportion(Double(sums[0].0), of: Double(sums[0].1)),
            let right = Proportion(Double(sums[1].0), of: Double(sums[1].1))
        else { return overflowing(runs, sums) }
        let within = dispersionWithin(base + candidate)
        let between = dispersionBetween(runs)
        let dispersion = max(within, between?.value ?? 1)
        let sides = zip([left, right], runs).map { proportion, side in
            NumberComparison.Side(
                value: proportion.share, count: proportion.population, byRun: side.map(\.value), events: Int(proportion.part))
        }
        let deviation = between.map { FloatingPointMath.squareRoot($0.variance) }
        let degrees = Self.degrees(within, between?.value ?? 0, between?.degrees ?? 0)
        let isExact = share.isRare && (dispersion == within || dispersion <= 1)
        let outcome = isExact ? exact(sums, within, deviation) : score(left, right, dispersion, degrees, deviation)
        return NumberDraft(
            name: share.name, unit: .share, better: share.better, isJudged: true, base: sides[0], candidate: sides[1], outcome: outcome)
    }

    /// Events that can happen more than once to a thing, such as duplicates, may outnumber them; a rate of such is not a share.
    private func overflowing(_ runs: [[Run]], _ sums: [(Int, Int)]) -> NumberDraft? {
        guard sums.allSatisfy({ $0.1 > 0 }) else { return nil }
        let sides = zip(sums, runs).map { sum, side in
            NumberComparison.Side(value: Double(sum.0) / Double(sum.1), count: Double(sum.1), byRun: side.map(\.value), events: sum.0)
        }
        return NumberDraft(
            name: share.name, unit: .share, better: share.better, isJudged: true, base: sides[0], candidate: sides[1],
            outcome: exact(sums, 1, nil))
    }

    private func exact(
        _ sums: [(Int, Int)], _ dispersion: Double, _ deviation: Double?
    ) -> Result<NumberDraft.Outcome, NumberDraft.Missing> {
        let counts = sums.compactMap { EventCount(Int((Double($0.0) / dispersion).rounded()), of: Double($0.1) / dispersion) }
        guard counts.count == 2 else { return .failure(.init(reason: "a side has nothing that could have happened")) }
        let (base, candidate) = (counts[0], counts[1])
        let shares = sums.map { Double($0.0) / Double($0.1) }
        // What was divided and rounded gives the reach, not the value.
        let reach = Estimate.difference(candidate.rate, minus: base.rate)
        let value = shares[1] - shares[0]
        return .success(
            .init(
                difference: Estimate(value: value, low: value - (reach.value - reach.low), high: value + (reach.high - reach.value)),
                effect: .cohensH(Proportion.effectSize(min(1, shares[1]), min(1, shares[0]))), p: EventCount.pValue(candidate, base),
                smallestShown: { level in
                    EventCount.leastShown(base: base, exposure: candidate.exposure, level: level).map {
                        Double($0) / candidate.exposure - base.rate.value
                    }
                }, runDeviation: deviation, method: .exact(dispersion: dispersion)))
    }

    private func score(
        _ base: Proportion, _ candidate: Proportion, _ dispersion: Double, _ degrees: Double, _ deviation: Double?
    ) -> Result<NumberDraft.Outcome, NumberDraft.Missing> {
        let (left, right) = (base.thinned(by: dispersion), candidate.thinned(by: dispersion))
        let (estimate, p) = Proportion.difference(right, minus: left, degrees: degrees)
        // Half the width is a standard error also where a share of 0 has none by itself.
        let error = (estimate.high - estimate.low) / 2 / StudentDistribution.critical(twoSided: 0.05, degrees: degrees)
        return .success(
            .init(
                difference: estimate, effect: .cohensH(Proportion.effectSize(candidate.share, base.share)), p: p,
                smallestShown: { level in
                    (StudentDistribution.critical(twoSided: level, degrees: degrees)
                        + StudentDistribution.critical(twoSided: 0.4, degrees: degrees)) * error
                }, runDeviation: deviation, method: .score(dispersion: dispersion)))
    }

    /// Degrees of freedom of the larger of two dispersions, as ``TwoLevelDifference`` has them.
    private static func degrees(_ within: Double, _ between: Double, _ runs: Double) -> Double {
        guard between > 0 else { return .infinity }
        let ratio = max(1, within / between)
        return runs * ratio * ratio
    }

    /// How many times the variance of the part is that of independent events, because they come in bursts; at least 1.
    ///
    /// Estimated over the steady rows, in blocks that the series does not remember: elsewhere outages make bursts on both sides, in the same places.
    /// Events of other rows count as independent.
    private func dispersionWithin(_ runs: [RunMeasurements]) -> Double {
        guard !share.partColumns.isEmpty else { return 1 }
        var (variance, independent) = (0.0, 0.0)
        for run in runs {
            let rows = run.rows.map { row in
                let part = share.partColumns.reduce(0) { $0 + (row.added[$1] ?? 0) }
                return (
                    isSteady: row.isSteady, part: part, all: share.restColumns.reduce(share.isRare ? 0 : part) { $0 + (row.added[$1] ?? 0) }
                )
            }
            let steady = rows.filter(\.isSteady)
            let (part, all) = steady.reduce((0.0, 0.0)) { ($0.0 + $1.part, $0.1 + $1.all) }
            let others = rows.filter { !$0.isSteady }.reduce(0) { $0 + max(0, $1.part) }
            let rate = all > 0 ? part / all : 0
            let expected = share.isRare ? part : part * (1 - rate)
            let residuals = steady.map { all > 0 ? $0.part - rate * $0.all : $0.part - part / Double(max(1, steady.count)) }
            let seen = BlockPlan(residuals).map { plan in
                var blocks = [Double](repeating: 0, count: plan.count)
                for (step, residual) in residuals.enumerated() { blocks[plan.block(of: step)] += residual }
                return blocks.reduce(0) { $0 + $1 * $1 } / plan.varianceShare
            }
            variance += max(expected, seen ?? expected) + others
            independent += expected + others
        }
        return independent > 0 ? max(1, variance / independent) : 1
    }

    /// The same between the runs of a side: χ² over its degrees of freedom; nil when no side has two runs.
    private func dispersionBetween(_ runs: [[Run]]) -> (value: Double, degrees: Double, variance: Double)? {
        var (chiSquare, degrees, squares) = (0.0, 0.0, 0.0)
        for side in runs {
            let known = side.filter { $0.population > 0 }
            let all = known.reduce(0) { $0 + $1.population }
            guard known.count > 1 else { continue }
            let rate = Double(known.reduce(0) { $0 + $1.part }) / Double(all)
            degrees += Double(known.count - 1)
            for run in known {
                let excess = Double(run.part) - Double(run.population) * rate
                let expected = Double(run.population) * rate * (share.isRare ? 1 : 1 - rate)
                if expected > 0 { chiSquare += excess * excess / expected }
                squares += (excess / Double(run.population)) * (excess / Double(run.population))
            }
        }
        return degrees > 0 ? (chiSquare / degrees, degrees, squares / degrees) : nil
    }
}
