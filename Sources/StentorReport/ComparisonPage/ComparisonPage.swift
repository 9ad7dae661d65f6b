import StentorBase
import StentorMetrics

/// `compare.html`: a comparison for people, in one file that needs no network.
///
/// The verdict comes first, then what it rests on. Text from outside is cleaned and escaped wherever it stands.
public struct ComparisonPage: Sendable {
    let comparison: Comparison
    let shifts: [QuantileShift]

    /// Lays out a comparison; the same comparison gives the same bytes.
    ///
    /// - Parameter shifts: Of the same runs.
    public init(_ comparison: Comparison, shifts: [QuantileShift]) { (self.comparison, self.shifts) = (comparison, shifts) }

    /// The document as UTF-8.
    public var bytes: [UInt8] {
        let version = Set((comparison.base + comparison.candidate).map(\.version)).subtracting([""]).sorted()
        let document = HTMLDocument(
            title: HTMLText.clean("\(profile): \(verdict.word)", limit: 120), css: ReportStyle.css + "\n" + ComparisonStyle.css,
            script: ComparisonScript.text,
            body: """
                <a class="skip" href="#verdict">To the verdict</a>
                \(header)
                <main>
                \(runsSection)\(forestSection)\(outagesSection)\(shiftsSection)\(numbersSection)\(definitionsSection)</main>
                <footer><p>Made by <code>stentor compare</code> from the files of \(comparison.base.count + comparison.candidate.count) run directories\(version.isEmpty ? "" : ", written by stentor \(HTMLText.clean(version.joined(separator: ", ")))"). The same runs give the same page, to the last digit.</p></footer>
                """)
        return Array(document.text.utf8)
    }

    /// The profile of all runs.
    var profile: String {
        let names = (comparison.base + comparison.candidate).map(\.profile).filter { !$0.isEmpty }
        return names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element).joined(separator: ", ")
    }

    // MARK: - Verdict

    /// The verdict in a word, with a mark and the style of its box.
    var verdict: (word: String, mark: String, kind: String) {
        if comparison.isCalibration { return ("noise", "≈", "other") }
        if !comparison.worse.isEmpty { return ("worse", "✗", "fail") }
        if !comparison.better.isEmpty { return ("better", "✓", "pass") }
        return (ComparisonVerdict.noDifferenceShown.rawValue, "○", "same")
    }

    private var same: Int { comparison.judgedCount - comparison.worse.count - comparison.better.count }

    /// Numbers of which a side has samples, and which still cannot be compared.
    var missing: [NumberComparison] { comparison.numbers.filter { $0.finding == nil && $0.isJudged } }

    private var sentence: String {
        let (worse, better, count) = (comparison.worse.count, comparison.better.count, comparison.judgedCount)
        guard count > 0 else { return "No number could be judged." }
        let parts = [
            worse > 0 ? "\(worse) got worse" : nil, better > 0 ? "\(better) got better" : nil,
            same > 0 ? "in \(same) no difference was shown" : nil,
        ]
        let counts =
            same == count
            ? (count == 1 ? "No difference was shown." : "No difference was shown in any of \(count) numbers.")
            : "Of \(count) numbers " + parts.compactMap(\.self).joined(separator: ", ") + "."
        let noise = comparison.isCalibration ? "Both sides are one version, so whatever differs here is noise. " : ""
        let unlike = comparison.unlike.isEmpty ? "" : " <b>The runs are not alike</b>: a difference may come from that."
        return noise + counts + unlike
    }

    private var header: String {
        let sides = [("base", comparison.base), ("candidate", comparison.candidate)].map { side, runs in
            "\(side) \(runsName(runs)) (\(runs.count) \(runs.count == 1 ? "run" : "runs"))"
        }
        let tiles = [
            ("Worse", "\(comparison.worse.count)", "of \(comparison.judgedCount) judged"),
            ("Better", "\(comparison.better.count)", "of \(comparison.judgedCount) judged"),
            ("No difference shown", "\(same)", "of \(comparison.judgedCount) judged"),
            ("Not comparable", "\(missing.count)", missing.isEmpty ? "" : "<a href=\"#missing\">named below</a>"),
            ("Runs", "\(comparison.base.count) + \(comparison.candidate.count)", "base + candidate"),
            ("Outages", "\(comparison.outages.count)", "on both sides"),
        ]
        return """
            <header>
            <p class="eyebrow">Stentor · comparison of runs</p>
            <h1>\(HTMLText.name(profile.isEmpty ? "comparison" : profile))</h1>
            <p class="lead">\(sides.joined(separator: " · "))</p>
            <div class="verdict \(verdict.kind)" id="verdict"><strong>\(verdict.mark) \(verdict.word)</strong><span>\(sentence)</span></div>
            \(changes)<p class="fine">\(multiplicity)</p>
            <dl class="tiles">
            \(tiles.map { "<div><dt>\($0.0)</dt><dd>\($0.1)<small>\($0.2)</small></dd></div>" }.joined(separator: "\n"))
            </dl>
            <nav aria-label="Sections"><ul>\(sections.map { "<li><a href=\"#\($0.0)\">\($0.1)</a></li>" }.joined())</ul></nav>
            </header>
            """
    }

    private var sections: [(String, String)] {
        let all: [(String, String)?] = [
            ("runs", "The runs"), ("forest", "All differences"), comparison.outages.isEmpty ? nil : ("outages", "Outages"),
            shifts.isEmpty ? nil : ("shifts", "Quantiles"), ("numbers", "Numbers"), ("definitions", "How to read this"),
        ]
        return all.compactMap(\.self)
    }

    /// What tells the runs of a side from those of the other: labels, otherwise targets.
    private func runsName(_ runs: [ComparedRun]) -> String {
        func common(_ runs: [ComparedRun]) -> [String] {
            (runs.first?.labels ?? []).filter { label in runs.allSatisfy { $0.labels.contains(label) } }
        }
        let shared = Set(common(comparison.base)).intersection(common(comparison.candidate))
        let labels = common(runs).filter { !shared.contains($0) }
        if !labels.isEmpty { return labels.map(HTMLText.name).joined(separator: " ") }
        let targets = Set(runs.map(\.target)).subtracting([""])
        let all = Set((comparison.base + comparison.candidate).map(\.target))
        return targets.count == 1 && all.count > 1 ? targets.map(HTMLText.name).joined() : ""
    }

    /// Whatever is worse or better, a line each.
    private var changes: String {
        let changed = comparison.worse + comparison.better
        guard !changed.isEmpty else { return "" }
        let items = changed.compactMap { number -> String? in
            guard let finding = number.finding else { return nil }
            let text = DifferenceText(number)
            let interval = text.interval(finding.difference.low, finding.difference.high, text.change)
            return
                "<li>\(FindingText.verdict(finding.verdict)) \(NumberTerm(number).link): \(FindingText.value(number, number.base)) → \(FindingText.value(number, number.candidate)), <b>\(text.change(finding.difference.value))</b> <span class=\"ci\">(95 % interval \(interval))</span></li>"
        }
        return "<ul class=\"changes\">\n\(items.joined(separator: "\n"))\n</ul>\n"
    }

    private var multiplicity: String {
        let count = comparison.judgedCount
        guard count > 0 else { return "" }
        return
            "\(count == 1 ? "One number was judged" : "\(count) numbers were judged together"): by Holm’s method the chance of even one false <i>better</i> or <i>worse</i> among them is at most 5 %. Intervals are 95 % each by itself, so one may exclude 0 while the verdict is <i>no difference shown</i>; that verdict does not mean equal, and the grey band below shows how large a difference could have been missed."
    }
}
