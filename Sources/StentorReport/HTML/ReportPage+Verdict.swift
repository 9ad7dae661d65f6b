import StentorBase
import StentorMetrics

extension ReportPage {
    // MARK: - The top

    /// What the run was, its verdict in colour and words, and the numbers that are asked for first.
    var header: String {
        let identity = [
            run["dialect"]?.string, run["target_host"]?.string.map { $0 == "embedded" ? "against the embedded gateway" : "against \($0)" },
            run["started_at"]?.string.map(Self.minute),
        ]
        return """
            <header>
            <p class="eyebrow">Stentor · run report</p>
            <h1>\(HTMLText.name(run["profile"]?.string ?? "run"))</h1>
            <p class="lead">\(identity.compactMap { $0.map { HTMLText.clean($0) } }.joined(separator: " · "))</p>
            <div class="verdict \(verdictClass)" id="verdict"><strong>\(verdictMark) \(HTMLText.clean(verdict))</strong><span>\(verdictSentence)</span></div>
            <dl class="tiles">
            \(tiles.map { "<div><dt>\($0.0)</dt><dd>\($0.1)<small>\($0.2)</small></dd></div>" }.joined(separator: "\n"))
            </dl>
            <nav aria-label="Sections"><ul><li><a href="#gates">Gates</a></li><li><a href="#charts">Over time</a></li><li><a href="#numbers">Numbers</a></li><li><a href="#run">The run</a></li><li><a href="#definitions">Definitions</a></li></ul></nav>
            </header>
            """
    }

    /// `2026-11-30 03:42 UTC`.
    private static func minute(_ time: String) -> String { time.count < 16 ? time : time.prefix(16).replacing("T", with: " ") + " UTC" }

    private var verdictClass: String { verdict == "pass" ? "pass" : verdict == "fail" ? "fail" : "other" }
    private var verdictMark: String { verdict == "pass" ? "✓" : verdict == "fail" ? "✗" : "!" }

    private var gates: [JSONTree] { summary["gates"]?.elements ?? [] }

    private var verdictSentence: String {
        let failed = gates.filter { $0["verdict"]?.string != "pass" }.count
        switch verdict {
        case "pass":
            return gates.isEmpty ? "The profile has no gates." : "\(gates.count == 1 ? "The gate" : "All \(gates.count) gates") held."
        case "fail":
            if let first = otherReasons.first { return HTMLText.clean(first.prefix(1).uppercased() + first.dropFirst() + ".", limit: 500) }
            return "\(failed) of \(gates.count) \(gates.count == 1 ? "gate" : "gates") did not hold."
        case "invalid": return "The generator, not the target, was the limit: the numbers do not describe the target."
        case "interrupted": return "A signal ended the run early. The numbers are complete up to then."
        default: return incompleteSentence
        }
    }

    /// The reasons that do not stand beside the gates already.
    private var otherReasons: [String] {
        let known = Set(gates.map { "\($0["expression"]?.string ?? ""): \($0["reason"]?.string ?? "")" })
        return (summary["reasons"]?.elements ?? []).compactMap(\.string).filter { !known.contains($0) }
    }

    private var incompleteSentence: String {
        guard files.hasSummary, let elapsed = summary["elapsed_seconds"]?.double else {
            return "The run was killed, or goes on, and has no checkpoint yet. Only what was logged so far is shown."
        }
        let numbers = "The run was killed, or goes on. Gates and numbers are those of its last checkpoint at \(ClockLabel.full(elapsed))"
        return charts.endSeconds > elapsed + 1 ? "\(numbers); the charts reach to \(ClockLabel.full(charts.endSeconds))." : numbers + "."
    }

    private var tiles: [(String, String, String)] {
        let counts = summary["counts"]
        let devices = (summary["devices"]?.members ?? []).reduce(0) { $0 + ($1.value.int ?? 0) }
        let elapsed = summary["elapsed_seconds"]?.double
        let planned = run["planned_seconds"]?.double
        let sent = counts?["messages.sent"]?.int
        return [
            ("Devices", files.hasSummary ? HTMLText.count(devices) : HTMLText.unknown, "simulated"),
            (
                "Duration", elapsed.map { HTMLText.clean(Quantity.secondsText($0)) } ?? HTMLText.unknown,
                planned.map { "of \(HTMLText.clean(Quantity.secondsText($0))) planned" } ?? ""
            ),
            ("Texts answered", countCell(counts?["messages.answered"]), sent.map { "of \(HTMLText.count($0)) sent" } ?? ""),
            ("Texts lost", countCell(counts?["messages.lost"]), countCell(counts?["messages.late"]) + " late"),
            tile("Reply, p99", .reply, .steady, .p99), tile("Dial to ready, p95", .usable, nil, .p95),
            tile("Reconnect, p95", .reconnect, .recovery, .p95),
        ]
    }

    private func countCell(_ value: JSONTree?) -> String { value?.int.map(HTMLText.count) ?? "n/a" }

    /// A percentile of a phase; nil: of the phase with the most samples, since phases cannot be joined.
    private func tile(_ title: String, _ metric: Metric, _ phase: Phase?, _ percentile: Percentile) -> (String, String, String) {
        let phases = summary["distributions"]?[metric.name]?.members ?? []
        let most = phases.max { ($0.value["count"]?.int ?? 0) < ($1.value["count"]?.int ?? 0) }
        let found = phase.map { phase in phases.first { $0.key == phase.name } } ?? most
        guard let found else { return (title, "n/a", phase.map { "in \($0.name)" } ?? "") }
        return (
            title, statistic(found.value, percentile.rawValue, metric),
            "in \(HTMLText.clean(found.key)), \(HTMLText.count(found.value["count"]?.int ?? 0)) samples"
        )
    }

    /// A statistic of a distribution as people read it; `n/a (n=8)` with too few samples.
    func statistic(_ distribution: JSONTree, _ name: String, _ metric: Metric) -> String {
        if let value = distribution[name]?.double { return HTMLText.clean(metric.unit.text(value)) }
        return #"<span class="unknown">n/a (n=\#(distribution["count"]?.int ?? 0))</span>"#
    }

    // MARK: - Gates

    var gatesSection: String {
        let head = "<section id=\"gates\" aria-labelledby=\"gates-head\"><h2 id=\"gates-head\">Gates</h2>\n"
        guard !gates.isEmpty else {
            return head + "<p>\(files.hasSummary ? "The profile has none." : "None was judged yet.")</p></section>\n"
        }
        let rows = gates.map { gate -> [String] in
            [
                "<code>\(HTMLText.clean(gate["expression"]?.string ?? ""))</code>", Self.mark(gate["verdict"]?.string ?? ""),
                gateValue(gate),
                gate["count"]?.int.map(HTMLText.count) ?? "", HTMLText.clean(gate["phase"]?.string ?? "whole run"),
                HTMLText.clean(gate["reason"]?.string ?? ""),
            ]
        }
        let columns = rows.allSatisfy { $0[5].isEmpty } ? 5 : 6
        let table = HTMLText.table(
            "What must hold", head: Array(["gate", "verdict", "value", "samples", "phase", "reason"].prefix(columns)), texts: [0, 1, 4, 5],
            rows: rows.map { Array($0.prefix(columns)) }, class: "wrap")
        return head + table + "</section>\n"
    }

    private static func mark(_ verdict: String) -> String {
        switch verdict {
        case "pass": #"<span class="mark pass">✓ pass</span>"#
        case "fail": #"<span class="mark fail">✗ fail</span>"#
        default: #"<span class="mark fail">✗ no data</span>"#
        }
    }

    private func gateValue(_ gate: JSONTree) -> String {
        guard let value = gate["value"]?.double, let parsed = try? Gate.parse(gate["expression"]?.string ?? "") else {
            return gate["value"]?.double.map { HTMLText.clean(Quantity.significant($0)) } ?? #"<span class="unknown">n/a</span>"#
        }
        let drift = gate["drift"]
        if let low = drift?["low"]?.double, let high = drift?["high"]?.double, let seconds = drift?["window_seconds"]?.int {
            let text = parsed.driftText(slope: value, low: low, high: high) ?? ""
            return HTMLText.clean("\(text) in windows of \(seconds) s")
        }
        let text = parsed.subject.unit.text(value)
        guard case .drift(_, _, let span) = parsed.subject else { return HTMLText.clean(text) }
        return HTMLText.clean("\(value > 0 ? "+" : "")\(text)/\(span.rawValue)")
    }

    // MARK: - Reasons and warnings

    var notes: String {
        note("Reasons", otherReasons, isWarning: verdict != "pass")
            + note("Warnings", (summary["warnings"]?.elements?.compactMap(\.string) ?? []) + files.remarks, isWarning: true)
    }

    private func note(_ title: String, _ sentences: [String], isWarning: Bool) -> String {
        guard !sentences.isEmpty else { return "" }
        let items = sentences.prefix(200).map { "<li>\(HTMLText.clean($0, limit: 1000))</li>" }.joined(separator: "\n")
        return "<div class=\"note\(isWarning ? " warn" : "")\"><h3>\(title)</h3><ul>\n\(items)\n</ul></div>\n"
    }
}
