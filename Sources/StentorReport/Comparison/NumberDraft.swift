import StentorBase
import StentorMetrics
import StentorStatistics

/// A number on both sides before it is judged together with the others.
struct NumberDraft {
    /// What the data say, before the family of numbers is known.
    struct Outcome {
        var difference: Estimate
        var effect: Finding.Effect?
        var p: Double
        /// The smallest difference that would be shown at an error rate.
        var smallestShown: (Double) -> Double?
        var runDeviation: Double?
        var method: NumberComparison.Method
    }

    let name: String
    let unit: Unit
    let better: Direction
    /// Whether it takes part in the verdict: neither the generator's own, nor a part or twin of another number.
    let isJudged: Bool
    let base: NumberComparison.Side
    let candidate: NumberComparison.Side
    /// What came out, or why nothing did.
    let outcome: Result<Outcome, Missing>

    /// Why a number cannot be compared.
    struct Missing: Error {
        let reason: String
    }

    /// Judges all numbers together.
    static func judge(_ drafts: [NumberDraft]) -> [NumberComparison] {
        let family = drafts.indices.filter { drafts[$0].isInFamily }
        let adjusted = Holm.adjusted(family.map { (try? drafts[$0].outcome.get().p) ?? 1 })
        let byIndex = Dictionary(uniqueKeysWithValues: zip(family, adjusted))
        // The strictest step of Holm's: what is shown at this level is shown whatever the other numbers say.
        let level = 0.05 / Double(max(1, family.count))
        return drafts.indices.map { drafts[$0].comparison(adjustedP: byIndex[$0], level: level) }
    }

    private var isInFamily: Bool {
        guard isJudged, better != .neither, case .success = outcome else { return false }
        return true
    }

    private func comparison(adjustedP: Double?, level: Double) -> NumberComparison {
        var (finding, missing): (Finding?, String?)
        switch outcome {
        case .failure(let reason): missing = reason.reason
        case .success(let outcome):
            finding = Finding(
                difference: outcome.difference, relative: base.value.flatMap { $0 == 0 ? nil : outcome.difference.value / abs($0) },
                effect: outcome.effect, p: outcome.p, adjustedP: adjustedP,
                verdict: adjustedP.map { verdict(outcome.difference.value, $0) }, smallestShown: outcome.smallestShown(level),
                runDeviation: outcome.runDeviation, method: outcome.method)
        }
        return NumberComparison(
            name: name, unit: unit, better: better, isJudged: isJudged && better != .neither, base: base, candidate: candidate,
            finding: finding, missing: missing)
    }

    private func verdict(_ difference: Double, _ adjustedP: Double) -> ComparisonVerdict {
        guard adjustedP <= 0.05, difference != 0 else { return .noDifferenceShown }
        return (difference < 0) == (better == .lower) ? .better : .worse
    }
}
