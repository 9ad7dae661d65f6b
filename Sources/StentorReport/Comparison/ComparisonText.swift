import StentorBase
import StentorMetrics
import StentorStatistics

/// A comparison as a terminal shows it.
public struct ComparisonText: Sendable {
    private let comparison: Comparison
    private let layout: TextLayout
    private let paint: ConsolePaint

    /// Lays out a comparison.
    ///
    /// - Parameters:
    ///   - width: Columns of the terminal; less than 80 counts as 80. Tables may be wider.
    ///   - useColor: Whether verdicts are coloured with ANSI sequences.
    public init(_ comparison: Comparison, width: Int = 80, useColor: Bool = false) {
        (self.comparison, layout, paint) = (comparison, TextLayout(width: max(80, width)), ConsolePaint(isOn: useColor))
    }

    /// The whole text with a newline at its end; the last line is the verdict.
    public var text: String {
        let sections =
            [title(), notes(), numbers(.worse), numbers(.better), numbers(.noDifferenceShown), unjudged(), missing()]
            + comparison.outages.map { OutageText(outage: $0, layout: layout).lines } + [conclusion()]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func title() -> [String] {
        func rows(_ side: String, _ runs: [ComparedRun]) -> [[String]] {
            runs.enumerated().map { index, run in
                [index == 0 ? side : "", run.path, run.target, run.verdict, run.labels.joined(separator: " ")].map(PrintableText.clean)
            }
        }
        let rows = rows("base", comparison.base) + rows("candidate", comparison.candidate)
        return layout.table(rows, rightAligned: [], indent: 0)
    }

    private func notes() -> [String] {
        let unlike = comparison.unlike.map { "not alike: \($0.what): \($0.detail)" }
        let calibration = comparison.isCalibration ? ["both sides are one version: what differs here is noise"] : []
        return (calibration + unlike + comparison.remarks).flatMap { layout.wrapped("  -", PrintableText.clean($0), indent: 4) }
    }

    // MARK: - Numbers

    private func numbers(_ verdict: ComparisonVerdict) -> [String] {
        let chosen = comparison.numbers.filter { $0.finding?.verdict == verdict && !Self.isNothing($0) }
        let color: ConsolePaint.Color? = verdict == .worse ? .red : verdict == .better ? .green : nil
        let table = table(color.map { paint(verdict.rawValue, $0) } ?? verdict.rawValue, chosen)
        return verdict == .noDifferenceShown ? table + nothings() : table
    }

    /// Whether it counts what happened on neither side.
    private static func isNothing(_ number: NumberComparison) -> Bool { number.base.events == 0 && number.candidate.events == 0 }

    /// What happened on neither side, in few lines.
    private func nothings() -> [String] {
        let items = comparison.numbers.filter(Self.isNothing).compactMap { number in
            number.finding.map { finding in
                let least = finding.smallestShown.map {
                    "seen from \(Quantity.fixed($0 * number.candidate.count, decimals: 0)) of \(Self.count(number.candidate))"
                }
                return "\(number.name) (\(least ?? "never seen"))"
            }
        }
        return items.isEmpty ? [] : layout.list("  0 on both sides:", items, indent: 19)
    }

    /// The generator's own numbers, and those in which neither way is better.
    private func unjudged() -> [String] {
        table("not judged", comparison.numbers.filter { $0.finding != nil && $0.finding?.verdict == nil && $0.better == .neither })
    }

    private func table(_ heading: String, _ numbers: [NumberComparison]) -> [String] {
        guard !numbers.isEmpty else { return [] }
        let hasSpread = numbers.contains { $0.finding?.runDeviation != nil }
        let head =
            ["number", "base", "candidate", "change", "95 % interval", "effect", "p", "seen from"] + (hasSpread ? ["run to run"] : []) + [
                "n"
            ]
        let rows = numbers.compactMap { number in number.finding.map { row(number, $0, hasSpread) } }
        return [heading] + layout.table([head] + rows, rightAligned: Set(1..<head.count), indent: 2)
    }

    private func row(_ number: NumberComparison, _ finding: Finding, _ hasSpread: Bool) -> [String] {
        let change = ChangeText(number, finding)
        let spread = hasSpread ? [finding.runDeviation.map { "± " + change.amount($0) } ?? "n/a"] : []
        return [
            PrintableText.clean(number.name), Self.value(number, number.base), Self.value(number, number.candidate),
            change.signed(finding.difference.value), change.interval, Self.effect(finding.effect),
            Self.probability(finding.adjustedP ?? finding.p), finding.smallestShown.map(change.amount) ?? "n/a",
        ] + spread + ["\(Self.count(number.base)) / \(Self.count(number.candidate))"]
    }

    /// Numbers of which a side has samples, and which still cannot be compared.
    private func missing() -> [String] {
        let missing = comparison.numbers.filter { $0.missing != nil && $0.isJudged }
        guard !missing.isEmpty else { return [] }
        var byReason: [(reason: String, names: [String])] = []
        for number in missing {
            let reason = number.missing ?? ""
            let text = "\(PrintableText.clean(number.name)) (n=\(Self.count(number.base)) / \(Self.count(number.candidate)))"
            if let index = byReason.firstIndex(where: { $0.reason == reason }) {
                byReason[index].names.append(text)
            } else {
                byReason.append((reason, [text]))
            }
        }
        return ["n/a"] + byReason.flatMap { layout.wrapped("  -", "\($0.reason): \($0.names.joined(separator: ", "))", indent: 4) }
    }

    // MARK: - Verdict

    private func conclusion() -> [String] {
        let count = comparison.judgedCount
        let method = "95 % confidence, by Holm's method for \(count) numbers together"
        let counts = "\(comparison.worse.count) worse, \(comparison.better.count) better of \(count)"
        if comparison.isCalibration { return ["noise: \(counts) although both sides are one version (\(method))"] }
        let color: ConsolePaint.Color = comparison.worse.isEmpty ? .green : .red
        let verdict =
            comparison.worse.isEmpty && comparison.better.isEmpty
            ? ComparisonVerdict.noDifferenceShown.rawValue : comparison.worse.isEmpty ? "better" : "worse"
        return ["verdict: \(paint(verdict, color)) (\(counts); \(method))"]
    }

    /// Why a number counts as worse, in one sentence without a full stop.
    static func reason(_ number: NumberComparison, _ finding: Finding) -> String {
        let change = ChangeText(number, finding)
        return
            "\(value(number, number.base)) became \(value(number, number.candidate)): \(change.signed(finding.difference.value)), "
            + "95 % sure of \(change.interval), p by Holm's method \(probability(finding.adjustedP ?? finding.p))"
    }

    private static func value(_ number: NumberComparison, _ side: NumberComparison.Side) -> String {
        side.value.map(number.unit.text) ?? "n/a (n=\(count(side)))"
    }

    private static func count(_ side: NumberComparison.Side) -> String { SummaryPage.short(UInt64(max(0, side.count))) }

    private static func effect(_ effect: Finding.Effect?) -> String {
        switch effect {
        case .cliffsDelta(let value): "δ \(signed(value))"
        case .cohensH(let value): "h \(signed(value))"
        case .paceRatio(let value): "pace \(Quantity.significant(value))"
        case nil: "n/a"
        }
    }

    private static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + Quantity.fixed(value, decimals: 2) }

    /// A probability to three decimals.
    static func probability(_ p: Double) -> String { p < 0.001 ? "<0.001" : Quantity.fixed(p, decimals: 3) }
}

/// A change in percent of the base, of shares in percentage points, and in the number's unit where the base is 0.
struct ChangeText {
    private let unit: Unit
    private let base: Double?
    private let finding: Finding

    init(_ number: NumberComparison, _ finding: Finding) {
        (unit, self.finding) = (number.unit, finding)
        // A share is a percentage itself, and a percentage of a percentage misleads.
        base = number.unit == .share ? nil : number.base.value.flatMap { $0 == 0 ? nil : abs($0) }
    }

    /// An amount without a sign.
    func amount(_ value: Double) -> String { text(abs(value)) }

    /// An amount with its sign.
    func signed(_ value: Double) -> String { (value > 0 ? "+" : value < 0 ? "-" : "") + text(abs(value)) }

    /// The interval, lower limit first.
    var interval: String { "\(signed(finding.difference.low)) … \(signed(finding.difference.high))" }

    private func text(_ value: Double) -> String {
        guard value.isFinite else { return "∞" }
        if unit == .share { return Quantity.fixed(value * 100, decimals: 3) + " pp" }
        return base.map { Quantity.significant(value / $0 * 100) + " %" } ?? unit.text(value)
    }
}
