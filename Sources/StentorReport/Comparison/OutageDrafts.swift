import StentorBase
import StentorMetrics
import StentorStatistics

/// Compares one outage: what the curves say, and three numbers that are judged.
struct OutageDrafts {
    /// An outage in one run.
    struct Occurrence {
        let run: RunMeasurements
        /// From 0.
        let index: Int
        let returns: [RunMeasurements.Return]

        init(_ run: RunMeasurements, _ index: Int) {
            (self.run, self.index) = (run, index)
            returns = run.returns.filter { $0.outage == index + 1 }
        }

        var facts: RunMeasurements.OutageFacts { run.outages[index] }
        var lifetimes: [Lifetime] { returns.map(\.lifetime) }
    }

    let name: String
    private let base: [Occurrence]
    private let candidate: [Occurrence]
    private let horizon: Double

    private init(name: String, base: [Occurrence], candidate: [Occurrence]) {
        (self.name, self.base, self.candidate) = (name, base, candidate)
        horizon = Self.horizon([base, candidate].map { $0.flatMap(\.lifetimes) })
    }

    /// Up to when both curves are known: one that came down to nothing is known for ever, any other as long as somebody was watched.
    private static func horizon(_ sides: [[Lifetime]]) -> Double {
        let longest = sides.map { $0.map(\.time).max() ?? 0 }
        let open = zip(sides, longest).filter { side, end in side.contains { $0.time == end && !$0.isEvent } }
        return open.map(\.1).min() ?? longest.max() ?? 0
    }

    /// The outages that both sides have, matched by name and by order among those of one name; and those that have no match.
    static func matched(_ base: [RunMeasurements], _ candidate: [RunMeasurements]) -> (drafts: [OutageDrafts], unmatched: [String]) {
        let sides = [base, candidate].map { runs in runs.flatMap { run in named(run).map { ($0, Occurrence(run, $1)) } } }
        var names: [String] = []
        for (name, _) in sides.joined() where !names.contains(name) { names.append(name) }
        var (drafts, unmatched): ([OutageDrafts], [String]) = ([], [])
        for name in names {
            let found = sides.map { $0.filter { $0.0 == name }.map(\.1) }
            if found.allSatisfy({ $0.contains { !$0.returns.isEmpty } }) {
                drafts.append(OutageDrafts(name: name, base: found[0], candidate: found[1]))
            } else {
                unmatched.append(name)
            }
        }
        return (drafts, unmatched)
    }

    private static func named(_ run: RunMeasurements) -> [(String, Int)] {
        var seen: [String: Int] = [:]
        return run.outages.enumerated().map { index, outage in
            let number = seen[outage.name, default: 0] + 1
            seen[outage.name] = number
            return (number == 1 ? outage.name : "\(outage.name) #\(number)", index)
        }
    }

    /// All that is shown of it.
    var comparison: OutageComparison {
        let (left, right) = (base.flatMap(\.lifetimes), candidate.flatMap(\.lifetimes))
        let pairs = self.pairs
        return OutageComparison(
            name: name, base: side(base), candidate: side(candidate), horizonSeconds: horizon,
            logRank: LogRank(base: left, candidate: right), paired: PairedDifferences(pairs), pairedDevices: pairs.count)
    }

    private func side(_ occurrences: [Occurrence]) -> OutageComparison.Side {
        let returns = occurrences.flatMap(\.returns)
        let curve = SurvivalCurve(returns.map(\.lifetime))
        let attempts = returns.reduce(0) { $0 + $1.attempts }
        let censoredSeconds = returns.filter { !$0.lifetime.isEvent }.map(\.lifetime.time).sorted()
        let censored = censoredSeconds.count
        return OutageComparison.Side(
            devices: returns.count, censored: censored, censoredSeconds: censoredSeconds, curve: curve, median: curve?.time(byWhich: 0.5),
            restrictedMean: curve.map(restrictedMean), attempts: attempts, wastedDials: attempts - (returns.count - censored),
            textsLost: offences(occurrences, isDuplicate: false), textsDuplicated: offences(occurrences, isDuplicate: true),
            herds: occurrences.map {
                OutageComparison.Herd(
                    readyAfterSeconds: $0.facts.readyAfterSeconds, peakDialsPerSecond: $0.facts.peakDialsPerSecond,
                    retrySynchronisation: $0.facts.retrySynchronisation)
            })
    }

    private func restrictedMean(_ curve: SurvivalCurve) -> Estimate {
        let (mean, variance) = curve.restrictedMean(upTo: horizon)
        let reach = NormalDistribution.z95 * variance.squareRoot()
        return Estimate(value: mean, low: mean - reach, high: mean + reach)
    }

    /// Texts that were in flight in the outage: due before its end, and not settled before its start.
    private func offences(_ occurrences: [Occurrence], isDuplicate: Bool) -> Int? {
        var count = 0
        for occurrence in occurrences {
            guard let offences = occurrence.run.offences else { return nil }
            let window = occurrence.facts.startSeconds...max(occurrence.facts.startSeconds, occurrence.facts.endSeconds ?? .infinity)
            count += offences.count {
                $0.isDuplicate == isDuplicate && $0.dueSeconds <= window.upperBound && $0.knownSeconds >= window.lowerBound
            }
        }
        return count
    }

    /// Device n of the base with device n of the candidate, of the runs in the same place; only a device's first loss counts.
    private var pairs: [PairedDifferences.Pair] {
        zip(base, candidate).flatMap { left, right -> [PairedDifferences.Pair] in
            let others = Dictionary(right.returns.map { ($0.device, $0.lifetime) }) { first, _ in first }
            var seen: Set<String> = []
            return left.returns.compactMap { own -> PairedDifferences.Pair? in
                guard seen.insert(own.device).inserted, let other = others[own.device] else { return nil }
                return PairedDifferences.Pair(base: own.lifetime, candidate: other)
            }
        }
    }

    // MARK: - Numbers

    /// `reconnect.mean`, `reconnect.median` and `attempts.mean` of the outage.
    var drafts: [NumberDraft] {
        let comparison = self.comparison
        let pace = comparison.logRank?.paceRatio.map { Finding.Effect.paceRatio($0) }
        return [
            draft("reconnect.mean", .seconds, .restrictedMean(upToSeconds: horizon), pace, comparison) { curve, _ in
                let (mean, variance) = curve.restrictedMean(upTo: horizon)
                let reach = NormalDistribution.z95 * variance.squareRoot()
                return Estimate(value: mean, low: mean - reach, high: mean + reach)
            },
            draft("reconnect.median", .seconds, .median, pace, comparison) { curve, _ in curve.time(byWhich: 0.5) },
            draft("attempts.mean", .count, .deviceMean, nil, comparison) { _, returns in Self.mean(returns.map { Double($0.attempts) }) },
        ]
    }

    private static func mean(_ values: [Double]) -> Estimate {
        let n = Double(values.count)
        let mean = values.reduce(0, +) / n
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, n - 1) / n
        let reach = NormalDistribution.z95 * variance.squareRoot()
        return Estimate(value: mean, low: mean - reach, high: mean + reach)
    }

    private func draft(
        _ what: String, _ unit: Unit, _ method: NumberComparison.Method, _ effect: Finding.Effect?, _ comparison: OutageComparison,
        _ estimate: (SurvivalCurve, [RunMeasurements.Return]) -> Estimate?
    ) -> NumberDraft {
        func estimates(_ occurrences: [Occurrence]) -> [Estimate?] {
            occurrences.map { occurrence in SurvivalCurve(occurrence.lifetimes).flatMap { estimate($0, occurrence.returns) } }
        }
        func whole(_ side: OutageComparison.Side, _ occurrences: [Occurrence]) -> Estimate? {
            side.curve.flatMap { estimate($0, occurrences.flatMap(\.returns)) }
        }
        let byRun = [estimates(base), estimates(candidate)]
        let (left, right) = (whole(comparison.base, base), whole(comparison.candidate, candidate))
        let sides = zip([(left, comparison.base), (right, comparison.candidate)], byRun).map { side, runs in
            NumberComparison.Side(value: side.0?.value, count: Double(side.1.devices), byRun: runs.map { $0?.value }, events: nil)
        }
        let enough = min(comparison.base.devices, comparison.candidate.devices) >= Self.devicesNeeded
        let outcome =
            enough ? self.outcome(left, right, byRun, method, effect) : .failure(.init(reason: "fewer than \(Self.devicesNeeded) devices"))
        return NumberDraft(
            name: "\(what) of \(name)", unit: unit, better: .lower, isJudged: true, base: sides[0], candidate: sides[1], outcome: outcome)
    }

    private func outcome(
        _ base: Estimate?, _ candidate: Estimate?, _ byRun: [[Estimate?]], _ method: NumberComparison.Method, _ effect: Finding.Effect?
    ) -> Result<NumberDraft.Outcome, NumberDraft.Missing> {
        guard let base, let candidate else { return .failure(.init(reason: "fewer than half of a side's devices were ready again")) }
        let within = Estimate.difference(candidate, minus: base)
        guard within.low.isFinite, within.high.isFinite else {
            return .failure(.init(reason: "too few devices were ready again for an interval"))
        }
        let spread = RunSpread(byRun.map { $0.compactMap { $0?.value } })
        let difference = TwoLevelDifference(
            within: within, degreesWithin: .infinity, spread: spread, runs: (byRun[0].count, byRun[1].count))
        return .success(
            .init(
                difference: difference.estimate, effect: effect, p: difference.p,
                smallestShown: { difference.smallestShown(level: $0) }, runDeviation: spread?.deviation, method: method))
    }

    /// The fewest devices on a side: with fewer, normal limits of means promise too much.
    private static let devicesNeeded = 20
}
