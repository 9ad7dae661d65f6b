import StentorBase
import StentorMetrics

extension ComparisonPage {
    // MARK: - Drawings

    /// All differences on one axis, and what could not be compared.
    var forestSection: String {
        let order: [ComparisonVerdict?] = [.worse, .better, .noDifferenceShown]
        let inOrder = order.flatMap { verdict in comparison.numbers.filter { $0.finding != nil && $0.finding?.verdict == verdict } }
        // What happened on neither side has least to tell.
        let isNothing = { (number: NumberComparison) in number.base.events == 0 && number.candidate.events == 0 }
        let judged = inOrder.filter { !isNothing($0) } + inOrder.filter(isNothing)
        let plots =
            ForestPlot("Times, sizes and counts; the axis in percent of the base", judged.filter { $0.unit != .share }, isRelative: true)
            .html
            + ForestPlot("Shares; the axis in percentage points (pp)", judged.filter { $0.unit == .share }, isRelative: false).html
        let body =
            judged.isEmpty
            ? "<p class=\"unknown\">No number could be judged.</p>\n"
            : "<p>Candidate less base. The axes are stretched around 0, so that small and large differences both show: lengths far from 0 are not to be compared with those near it.</p>\n\(ForestPlot.legend)\(plots)"
        return """
            <section id="forest" aria-labelledby="forest-head"><h2 id="forest-head">All differences</h2>
            \(body)\(missingTable)</section>

            """
    }

    private var missingTable: String {
        guard !missing.isEmpty else { return "" }
        var reasons: [String] = []
        for reason in missing.compactMap(\.missing) where !reasons.contains(reason) { reasons.append(reason) }
        let rows = reasons.flatMap { reason in
            missing.filter { $0.missing == reason }.map { number in
                [
                    "n/a: \(HTMLText.clean(reason))", NumberTerm(number).link, FindingText.value(number, number.base),
                    FindingText.value(number, number.candidate),
                    "\(FindingText.count(number.base)) / \(FindingText.count(number.candidate))",
                ]
            }
        }
        return "<div id=\"missing\">"
            + HTMLText.table(
                "What cannot be compared, and why", head: ["why", "number", "base", "candidate", "samples, base / candidate"],
                texts: [0, 1],
                rows: rows, class: "grouped why", isGrouped: true) + "</div>\n"
    }

    /// Curves of each outage.
    var outagesSection: String {
        guard !comparison.outages.isEmpty else { return "" }
        let figures = comparison.outages.enumerated().map { index, outage in
            let numbers = comparison.numbers.filter { $0.name.hasSuffix(" of \(outage.name)") }
            return "<div class=\"outage\">\n\(SurvivalFigure(outage: outage, numbers: numbers, index: index).html)</div>\n"
        }
        return """
            <section id="outages" aria-labelledby="outages-head"><h2 id="outages-head">Outages: who comes back when</h2>
            \(figures.joined())</section>

            """
    }

    /// Differences of quantiles, a drawing for each distribution.
    var shiftsSection: String {
        guard !shifts.isEmpty else { return "" }
        let drawn = shifts.filter { !$0.points.isEmpty }
        let figures = drawn.map { "<div>\n\(ShiftFigure(shift: $0).html)</div>\n" }
        let undrawn = shifts.filter(\.points.isEmpty)
        var reasons: [String] = []
        for reason in undrawn.compactMap(\.missing) where !reasons.contains(reason) { reasons.append(reason) }
        let note = reasons.map { reason in
            let names = undrawn.filter { $0.missing == reason }.map {
                "\(HTMLText.clean($0.name)) (n = \(count($0.baseCount)) and \(count($0.candidateCount)))"
            }
            return "<p class=\"unknown\">n/a, because \(HTMLText.clean(reason)): \(names.joined(separator: ", ")).</p>\n"
        }.joined()
        return """
            <section id="shifts" aria-labelledby="shifts-head"><h2 id="shifts-head">By how much each quantile moved</h2>
            <p>Percentiles in the verdict are three places of a distribution; here is all of it. Each interval holds its difference with 95 % by itself; nothing here is judged.</p>
            \(figures.isEmpty ? "" : "<div class=\"charts\">\n\(figures.joined())</div>")\(note)</section>

            """
    }

    private func count(_ value: Double) -> String { HTMLText.count(Int(value)) }

    // MARK: - Tables

    /// Every number with all that is known of it.
    var numbersSection: String {
        let compared = comparison.numbers.filter { $0.finding != nil }
        let hasSpread = compared.contains { $0.finding?.runDeviation != nil }
        let head =
            [
                "number", "verdict", "base", "candidate", "difference", "95 % interval", "in % of base", "p (Holm)", "p alone", "effect",
                "seen from",
            ] + (hasSpread ? ["run to run"] : []) + ["n base", "n candidate", "method"]
        let rows = compared.compactMap { number in number.finding.map { row(number, $0, hasSpread) } }
        let table =
            rows.isEmpty
            ? "<p class=\"unknown\">No number could be compared.</p>\n"
            : HTMLText.table("Every number that can be compared", head: head, texts: [0, 1, head.count - 1], rows: rows)
        return """
            <section id="numbers" aria-labelledby="numbers-head"><h2 id="numbers-head">Numbers</h2>
            \(table)\(byRun)</section>

            """
    }

    private func row(_ number: NumberComparison, _ finding: Finding, _ hasSpread: Bool) -> [String] {
        let text = DifferenceText(number)
        let difference = finding.difference
        let spread = finding.runDeviation.map { "± \(text.amount($0))" } ?? "n/a"
        return [
            NumberTerm(number).link, FindingText.verdict(finding.verdict), FindingText.value(number, number.base),
            FindingText.value(number, number.candidate), text.absolute(difference.value),
            text.interval(difference.low, difference.high, text.absolute),
            text.relative(difference.value) ?? "–",
            finding.adjustedP.map(FindingText.probability) ?? "–", FindingText.probability(finding.p), FindingText.effect(finding.effect),
            finding.smallestShown.map(text.amount) ?? "n/a",
        ] + (hasSpread ? [spread] : []) + [
            FindingText.count(number.base), FindingText.count(number.candidate), HTMLText.clean(FindingText.method(finding.method)),
        ]
    }

    /// How much runs of one side differ by themselves.
    private var byRun: String {
        guard comparison.base.count + comparison.candidate.count > 2 else { return "" }
        func cells(_ number: NumberComparison, _ side: NumberComparison.Side, _ runs: [ComparedRun]) -> [String] {
            runs.indices.map { index in
                let value = index < side.byRun.count ? side.byRun[index] : nil
                return value.map { HTMLText.clean(number.unit.text($0)) } ?? #"<span class="unknown">n/a</span>"#
            }
        }
        // An outage may be missing in a run, and its values then belong to no column.
        let whole = comparison.numbers.filter {
            $0.base.byRun.count == comparison.base.count && $0.candidate.byRun.count == comparison.candidate.count
        }
        let head =
            ["number"] + comparison.base.indices.map { "base \($0 + 1)" } + comparison.candidate.indices.map { "candidate \($0 + 1)" }
        let rows = whole.map {
            [NumberTerm($0).link] + cells($0, $0.base, comparison.base) + cells($0, $0.candidate, comparison.candidate)
        }
        return "<details class=\"data\"><summary>Every number, run by run</summary>"
            + HTMLText.table("Run by run, in the order of the table of runs", head: head, rows: rows) + "</details>\n"
    }
}
