import StentorBase
import StentorMetrics

/// The history as a terminal shows it. Text from outside is cleaned of all that does not show.
public enum HistoryText {
    /// A line for each run, newest first.
    ///
    /// - Parameter width: Columns of the terminal; less than 80 counts as 80. A line may be longer where labels are.
    public static func list(_ runs: [RecordedRun], width: Int = 80) -> String {
        guard !runs.isEmpty else { return "no such runs\n" }
        let layout = TextLayout(width: max(80, width))
        let rows =
            [["run", "verdict", "took", "devices", "labels", ""]]
            + runs.map { run in
                [
                    PrintableText.clean(run.runID), run.verdict.rawValue, run.elapsedSeconds.map(Quantity.secondsText) ?? "n/a",
                    run.devices.map(String.init) ?? "n/a", PrintableText.clean(run.labelText), run.isVanished ? "directory gone" : "",
                ]
            }
        return layout.table(rows, rightAligned: [2, 3], indent: 0).joined(separator: "\n") + "\n"
    }

    /// All that is known of a run.
    ///
    /// - Throws: A failure of cause `.file` when it cannot be read.
    public static func run(_ run: RecordedRun, in history: RunHistory, width: Int = 80) throws(UserFailure) -> String {
        let layout = TextLayout(width: max(80, width))
        let (numbers, gates) = (try history.numbers(of: run), try history.gates(of: run))
        let sections = [facts(run, layout), distributions(numbers, layout), counts(numbers, layout), judged(gates, layout)]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func facts(_ run: RecordedRun, _ layout: TextLayout) -> [String] {
        let state = run.verdict.rawValue + (run.exitCode.map { " (exit code \($0))" } ?? "")
        let rows: [(String, String?)] = [
            ("run", run.runID + (run.shard.isEmpty ? "" : ", shard \(run.shard)")), ("verdict", state), ("profile", run.profile),
            ("digest", run.profileDigest), ("started", UTCTime.text(run.startedAtSeconds)),
            ("took", run.elapsedSeconds.map(Quantity.secondsText)), ("target", "\(run.targetHost), \(run.dialect)"),
            ("server", run.serverVersion), ("devices", run.devices.map(String.init)), ("labels", run.labelText),
            ("host", "\(run.hostname), stentor \(run.version)"),
            ("directory", run.directory + (run.isVanished ? " (gone)" : "")),
        ]
        return rows.flatMap { name, value in
            (value ?? "").isEmpty ? [] : layout.wrapped(name, PrintableText.clean(value ?? ""), indent: SummaryPage.margin)
        }
    }

    private static func distributions(_ numbers: [RecordedNumber], _ layout: TextLayout) -> [String] {
        var rows = [["number", "phase", "count", "p50", "p95", "p99", "max"]]
        for metric in ConsoleSummary.headlines {
            for phase in Phase.allCases {
                func value(_ statistic: String) -> Double? {
                    numbers.first { $0.name == "\(metric.name).\(statistic)" && $0.phase == phase.name }?.value
                }
                guard let count = value("count") else { continue }
                rows.append(
                    [metric.name, phase.name, SummaryPage.short(UInt64(count))]
                        + ["p50", "p95", "p99", "max"].map { value($0).map(metric.unit.text) ?? "n/a" })
            }
        }
        return rows.count > 1 ? layout.table(rows, rightAligned: [2, 3, 4, 5, 6], indent: 0) : []
    }

    private static func counts(_ numbers: [RecordedNumber], _ layout: TextLayout) -> [String] {
        let items = numbers.filter { $0.phase == nil && $0.value != 0 }.compactMap { number in
            RunNumber.recorded(number).map { "\($0.name) \($0.unit.text(number.value))" }
        }
        return items.isEmpty ? [] : layout.list("counts", items, indent: SummaryPage.margin)
    }

    private static func judged(_ gates: [RecordedGate], _ layout: TextLayout) -> [String] {
        gates.isEmpty
            ? []
            : ["gates"]
                + gates.flatMap { gate in
                    layout.wrapped("  \(gate.verdict == "pass" ? "✓" : "✗")", PrintableText.clean(gate.expression), indent: 4)
                        + (gate.reason.map { layout.wrapped("", PrintableText.clean($0), indent: 6) } ?? [])
                }
    }
}
