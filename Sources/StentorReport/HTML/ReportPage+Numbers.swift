import StentorBase
import StentorMetrics

extension ReportPage {
    /// Every distribution and count, outages, and counts by label.
    var numbersSection: String {
        """
        <section id="numbers" aria-labelledby="numbers-head"><h2 id="numbers-head">Numbers</h2>
        \(distributions)\(outages)<div class="columns">
        \(counts)\(deviceStates)\(families)</div></section>

        """
    }

    private var distributions: String {
        let statistics = ["min", "mean", "p50", "p90", "p95", "p99", "p999", "max"]
        var rows: [[String]] = []
        for metric in Metric.allCases {
            for phase in summary["distributions"]?[metric.name]?.members ?? [] {
                rows.append(
                    ["\(metric.name)", HTMLText.clean(phase.key), HTMLText.count(phase.value["count"]?.int ?? 0)]
                        + statistics.map { statistic(phase.value, $0, metric) })
            }
        }
        guard !rows.isEmpty else { return "<p>Nothing was measured.</p>\n" }
        return HTMLText.table(
            "Distributions, apart by phase", head: ["number", "phase", "count"] + statistics, texts: [0, 1], rows: rows, class: "grouped",
            isGrouped: true)
    }

    private static let groups: [(title: String, prefixes: [String])] = [
        ("Texts", ["messages."]), ("Photos sent", ["uploads."]), ("Photos received", ["downloads.", "media."]), ("Prompts", ["prompts."]),
        ("Messages of the dialect", ["frames.", "errors."]), ("Bytes and pings", ["bytes.", "pings.", "pongs."]),
    ]

    private var counts: String {
        var rest = summary["counts"]?.members ?? []
        var tables: [String] = []
        for (title, prefixes) in Self.groups {
            let isOwn = { (member: JSONTree.Member) in prefixes.contains { member.key.hasPrefix($0) } }
            let own = rest.filter(isOwn)
            rest.removeAll(where: isOwn)
            if own.contains(where: { $0.value.int ?? 0 != 0 }) { tables.append(countTable(title, own, prefixes)) }
        }
        // What has no prefix: dials, connects and their like.
        if rest.contains(where: { $0.value.int ?? 0 != 0 }) { tables.insert(countTable("Connections", rest, []), at: min(1, tables.count)) }
        return tables.joined()
    }

    private func countTable(_ title: String, _ members: [JSONTree.Member], _ prefixes: [String]) -> String {
        let rows = members.map { member in
            // Where a table holds one kind of things, its title names them.
            let prefix = prefixes.count == 1 ? prefixes[0].count : 0
            let name = String(member.key.dropFirst(prefix).map { "._".contains($0) ? " " : $0 })
            let isBytes = member.key.hasSuffix("bytes") || member.key.hasPrefix("bytes.")
            let value = member.value.int.map { isBytes ? HTMLText.clean(Quantity.bytesText(Double($0))) : HTMLText.count($0) }
            return [HTMLText.clean(name), value ?? HTMLText.unknown]
        }
        return HTMLText.table(title, head: ["count", "value"], rows: rows)
    }

    private var deviceStates: String {
        let rows = (summary["devices"]?.members ?? []).filter { $0.value.int ?? 0 != 0 }.map {
            [HTMLText.clean($0.key.replacing("_", with: " ")), HTMLText.count($0.value.int ?? 0)]
        }
        return rows.isEmpty ? "" : HTMLText.table("Devices at the end", head: ["state", "devices"], rows: rows)
    }

    private var families: String {
        LabelFamily.allCases.map { family in
            let members = (summary["by_label"]?[family.name]?.members ?? []).sorted { ($0.value.int ?? 0) > ($1.value.int ?? 0) }
            let rows = members.map { [HTMLText.name($0.key), HTMLText.count($0.value.int ?? 0)] }
            let title = family.name.prefix(1).uppercased() + family.name.dropFirst().replacing("_", with: " ")
            return rows.isEmpty ? "" : HTMLText.table(title, head: [family.label, "count"], rows: rows)
        }.joined()
    }

    // MARK: - Outages

    private var outages: String {
        guard !files.outages.isEmpty else { return "" }
        let rows = files.outages.prefix(500).map(Self.cells)
        let head = [
            "outage", "name", "at", "lasted", "devices lost", "50 % ready after", "90 %", "99 %", "all", "dials", "most dials in a second",
        ]
        return HTMLText.table("Outages", head: head, texts: [0, 1], rows: Array(rows), class: "outages")
    }

    private static func cells(_ outage: OutageView) -> [String] {
        let length = outage.lengthSeconds.map { HTMLText.clean(Quantity.secondsText($0)) } ?? "open"
        var cells = ["\(outage.number)", HTMLText.name(outage.name), ClockLabel.full(outage.startSeconds), length]
        cells.append(HTMLText.count(outage.devicesLost))
        for share in [0.5, 0.9, 0.99, 1] {
            let reached = outage.readyAfter.first { $0.1 == share }?.0
            cells.append(reached.map { HTMLText.clean(Quantity.secondsText($0)) } ?? "–")
        }
        return cells + [outage.attempts, outage.peakDialsPerSecond].map { $0.map(HTMLText.count) ?? "–" }
    }
}
