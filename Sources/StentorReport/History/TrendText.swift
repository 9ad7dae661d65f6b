import StentorBase
import StentorMetrics

/// A trend in words, for terminals and pages.
public enum TrendText {
    /// How many runs the table of a terminal has.
    static let tableRows = 40

    /// The trend as a terminal shows it: what changed, a plot in one line, and a table of the newest runs.
    ///
    /// - Parameter width: Columns of the terminal; less than 80 counts as 80.
    public static func page(_ trend: HistoryTrend, width: Int = 80) -> String {
        let layout = TextLayout(width: max(80, width))
        let title = "\(trend.number.text) of '\(PrintableText.clean(trend.profile))', \(SummaryPage.number(trend.points.count, "run"))"
        let words = (leftOut(trend).map { [$0] } ?? []) + verdict(trend)
        let sections = [
            [title] + words.flatMap { layout.wrapped("", PrintableText.clean($0), indent: 2) }, plot(trend, columns: layout.width - 2),
            table(trend, layout),
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// What is said about changes, a sentence each.
    static func verdict(_ trend: HistoryTrend) -> [String] {
        guard let changes = trend.changes else {
            return ["Too few runs have a value to look for changes: \(trend.valueCount), and \(ChangePoints.valuesNeeded) are needed."]
        }
        guard !changes.isEmpty else {
            return ["No change of its level is shown by the \(SummaryPage.number(trend.valueCount, "run")) that have a value."]
        }
        return changes.map { change in
            let run = trend.points[change.index].run
            let level = "\(trend.number.unit.text(change.before)) to \(trend.number.unit.text(change.after))"
            let moved =
                change.after == change.before
                ? "changed around \(level)" : "\(change.after > change.before ? "rose" : "fell") from \(level)"
            let also =
                change.alsoChanged.isEmpty
                ? "" : " \(place(change.alsoChangedOffset)) changed: \(change.alsoChanged.joined(separator: "; "))."
            return "From \(run.runID) on (\(SummaryPage.number(change.runs, "run"))) it \(moved)\(relative(change)), p = "
                + "\(Quantity.fixed(change.probability, decimals: 3)).\(also)"
        }
    }

    /// Runs that say nothing about the target; nil when there are none.
    static func leftOut(_ trend: HistoryTrend) -> String? {
        guard !trend.leftOut.isEmpty else { return nil }
        let total = trend.leftOut.reduce(0) { $0 + $1.count }
        let kinds = trend.leftOut.map { "\($0.count) \($0.verdict.rawValue)" }.joined(separator: ", ")
        return "Left out: \(SummaryPage.number(total, "run")) that neither passed nor failed (\(kinds))."
    }

    private static func place(_ offset: Int) -> String {
        offset == 0 ? "With that run" : "\(SummaryPage.number(abs(offset), "run")) \(offset < 0 ? "earlier" : "later")"
    }

    private static func relative(_ change: HistoryTrend.Change) -> String {
        guard change.before > 0, change.after != change.before else { return "" }
        let percent = (change.after / change.before - 1) * 100
        return " (\(percent > 0 ? "+" : "−")\(Quantity.significant(abs(percent))) %)"
    }

    /// A column a run, eight heights from the lowest to the highest value; beneath it a mark where the level changes.
    static func plot(_ trend: HistoryTrend, columns: Int) -> [String] {
        let shown = trend.points.suffix(columns)
        let values = shown.compactMap(\.value)
        guard let low = values.min(), let high = values.max(), values.count > 1 else { return [] }
        let heights = Array("▁▂▃▄▅▆▇█")
        let bars = shown.map { point -> Character in
            guard let value = point.value else { return " " }
            return high > low ? heights[min(7, Int((value - low) / (high - low) * 8))] : heights[0]
        }
        let changed = Set((trend.changes ?? []).map(\.index))
        let marks = shown.indices.map { changed.contains($0) ? "^" : " " }.joined()
        let range = "lowest \(trend.number.unit.text(low)), highest \(trend.number.unit.text(high))"
        let kept = String(marks.reversed().drop { $0 == " " }.reversed())
        return ["  " + String(bars)] + (kept.isEmpty ? [] : ["  " + kept])
            + ["  \(range)" + (shown.count < trend.points.count ? ", the newest \(shown.count) runs" : "")]
    }

    private static func table(_ trend: HistoryTrend, _ layout: TextLayout) -> [String] {
        let changed = Set((trend.changes ?? []).map(\.index))
        let rows = trend.points.indices.suffix(tableRows).map { index -> [String] in
            let point = trend.points[index]
            return [
                changed.contains(index) ? ">" : " ", PrintableText.clean(point.run.runID),
                point.value.map(trend.number.unit.text) ?? "n/a", point.samples.map { "n=\(SummaryPage.short(UInt64(max(0, $0))))" } ?? "",
                point.run.verdict.rawValue, PrintableText.clean(point.run.labelText), point.run.isVanished ? "directory gone" : "",
            ]
        }
        guard !rows.isEmpty else { return [] }
        let more = trend.points.count - rows.count
        return layout.table(rows, rightAligned: [2, 3], indent: 0)
            + (more > 0 ? ["  and \(SummaryPage.number(more, "older run")): see --json or --html"] : [])
    }
}
