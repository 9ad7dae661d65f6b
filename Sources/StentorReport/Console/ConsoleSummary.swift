import StentorBase
import StentorMetrics

/// The summary that a run prints on stdout at its end.
///
/// Pure text of one report: the same numbers as `summary.json`, for people. Sections without content are left out; the last line is
/// always the verdict. Text from outside is cleaned of all that does not show.
public enum ConsoleSummary {
    /// The distributions that a reader asks for first, in their order; parts, twins and the rest stand in `summary.json` only.
    public static let headlines: [Metric] = [
        .usable, .replyFirst, .reply, .replyService, .sendLag, .upload, .uploadRate, .confirm, .reassembly, .reassemblyRate, .promptAnswer,
        .reconnect, .pingRTT, .loopLag,
    ]

    /// The whole summary with a newline at its end.
    ///
    /// - Parameters:
    ///   - report: What is told.
    ///   - width: Columns of the terminal; less than 80 counts as 80. Default 80. Only the path of the run directory may be longer.
    ///   - useColor: Whether verdict and gates are coloured with ANSI sequences. Default false.
    public static func text(_ report: RunReport, width: Int = 80, useColor: Bool = false) -> String {
        let page = SummaryPage(report: report, layout: TextLayout(width: max(80, width)), paint: ConsolePaint(isOn: useColor))
        let sections = [
            page.title(), page.distributions(), page.counts(), page.outages(), page.gates(), page.warnings(), page.surroundings(),
            page.conclusion(),
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }
}

/// ANSI colours, or none.
struct ConsolePaint {
    enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    let isOn: Bool

    func callAsFunction(_ text: String, _ color: Color) -> String {
        isOn ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// The sections of the summary, each as its lines.
struct SummaryPage {
    let report: RunReport
    let layout: TextLayout
    let paint: ConsolePaint

    /// Where the text of a labelled line begins.
    static let margin = 14

    var snapshot: RunSnapshot { report.snapshot }

    func title() -> [String] {
        let run = report.run.identity
        let states = DeviceState.allCases.reduce(0) { $0 + snapshot.devices(in: $1) }
        var parts = ["\(run.profile) against \(run.targetHost)", run.dialect, Self.number(states, "device")]
        parts.append(Quantity.secondsText(snapshot.elapsedSeconds))
        if let planned = report.run.plannedSeconds, snapshot.elapsedSeconds < planned * 0.99 {
            parts[parts.count - 1] += " of \(Quantity.secondsText(planned))"
        }
        return layout.list("", parts.map(PrintableText.clean), indent: 0)
    }

    func distributions() -> [String] {
        var rows = [["number", "phase", "count", "p50", "p95", "p99", "max"]]
        for metric in ConsoleSummary.headlines {
            for phase in Phase.allCases {
                guard let distribution = snapshot.distribution(metric, in: phase), distribution.count > 0 else { continue }
                rows.append(
                    [metric.name, phase.name, Self.short(distribution.count)]
                        + [.p50, .p95, .p99].map { distribution.text($0) } + [distribution.max.map(metric.unit.text) ?? "n/a"])
            }
        }
        guard rows.count > 1 else { return [] }
        // The closed names and texts fit 80 columns: 19 + 8 + 7 + 4 × 10 and six gaps.
        return layout.table(rows, rightAligned: [2, 3, 4, 5, 6], indent: 0)
    }

    func warnings() -> [String] {
        guard !report.warnings.isEmpty else { return [] }
        return ["warnings"] + report.warnings.flatMap { layout.wrapped("  -", PrintableText.clean($0), indent: 4) }
    }

    /// Generator, reconciliation, push and run directory.
    func surroundings() -> [String] {
        var lines = reconciliation()
        if let push = report.push {
            var items = [Self.number(push.attempts, "attempt"), "\(push.failed) failed"]
            if push.end == .failed { items.append("the last one too") }
            if let error = push.lastError { items.append("last error: \(PrintableText.clean(error))") }
            lines += layout.list("pushes", items, indent: Self.margin)
        }
        lines += generator()
        if let offenders = report.offenders, offenders != OffenderTally() {
            var items = ["\(offenders.recorded) in offenders.jsonl"]
            if offenders.dropped > 0 { items.append("\(offenders.dropped) beyond its bounds only counted") }
            lines += layout.list("offenders", items, indent: Self.margin)
        }
        if let path = report.directoryPath {
            lines.append(PrintableText.padded("run directory", to: Self.margin) + PrintableText.clean(path))
        }
        return lines
    }

    func conclusion() -> [String] {
        let color: ConsolePaint.Color =
            switch snapshot.verdict {
            case .pass: .green
            case .fail: .red
            case .invalid, .interrupted, .incomplete: .yellow
            }
        // The reasons of gates stand beneath the gates already.
        let known = Set(snapshot.gates.map(\.failureText))
        let reasons = report.reasons.filter { !known.contains($0) }.flatMap {
            layout.wrapped("reason", PrintableText.clean($0), indent: Self.margin)
        }
        return reasons + ["verdict: " + paint(snapshot.verdict.rawValue, color)]
    }

    /// A number of things: `1 dial`, `2 dials`.
    static func number(_ count: some BinaryInteger, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }

    /// A count of at most seven characters; from ten millions on with three digits, such as `12.3M`.
    static func short(_ count: UInt64) -> String {
        if count < 10_000_000 { return "\(count)" }
        if count < 999_500_000 { return Quantity.significant(Double(count) / 1e6) + "M" }
        return Quantity.significant(Double(count) / 1e9) + "G"
    }
}
