import StentorBase
import StentorMetrics

/// The page that `stentor history trend --html` makes: one file that loads nothing and runs nothing, in the style of `report.html`.
public struct TrendPage {
    private let trend: HistoryTrend

    /// Makes the page of a trend.
    public init(_ trend: HistoryTrend) {
        self.trend = trend
    }

    /// Writes the page.
    ///
    /// - Throws: A failure of cause `.file` when it cannot be written, of cause `.arguments` when the path names a folder.
    public func write(to file: String) throws(UserFailure) {
        try SystemFile.put(Array(html.utf8), at: file, example: "trend.html")
    }

    var html: String {
        HTMLDocument(
            title: HTMLText.clean("\(trend.profile): \(trend.number.text)", limit: 120), css: ReportStyle.css + "\n" + Self.css,
            body: """
                \(header)
                <main>
                \(verdict)<section aria-labelledby="trend-head"><h2 id="trend-head">Run by run</h2><div class="wide">
                \(TrendDrawing(trend).html)</div></section>
                \(runs)</main>
                <footer><p>\(Self.method)</p></footer>
                """
        ).text
    }

    private static let css = """
        .line.dot{stroke-width:7;stroke-dasharray:none}.wide .plot{height:20rem;margin-top:1.4rem}tr.change th{border-left:.3rem solid var(--s2)}
        """

    private var header: String {
        let span = [trend.points.first, trend.points.last].compactMap { $0.map { UTCTime.text($0.run.startedAtSeconds).prefix(10) } }
        let count = SummaryPage.number(trend.points.count, "run")
        return """
            <header><p class="eyebrow">History of a number</p><h1>\(HTMLText.name(trend.number.text))</h1>
            <p class="lead">\(HTMLText.name(trend.profile)), \(count)\(span.count == 2 ? " from \(span[0]) to \(span[1])" : "")</p></header>
            """
    }

    private var verdict: String {
        let found = trend.changes?.count ?? 0
        let word = trend.changes == nil ? "too few runs" : found == 0 ? "no change shown" : SummaryPage.number(found, "change")
        let items = (TrendText.verdict(trend) + [TrendText.leftOut(trend)].compactMap(\.self)).map {
            "<li>\(HTMLText.clean($0, limit: 1000))</li>"
        }
        return """
            <div class="note\(found > 0 ? " warn" : "")"><h3>\(word.prefix(1).uppercased() + word.dropFirst())</h3><ul>
            \(items.joined(separator: "\n"))
            </ul></div>

            """
    }

    /// Newest first: what one looks for is the last night.
    private var runs: String {
        let starts = Set((trend.changes ?? []).map(\.index))
        let rows = trend.points.enumerated().reversed().map { index, point -> [String] in
            [
                HTMLText.clean(point.run.runID) + (starts.contains(index) ? " <span class=\"mark other\">change</span>" : ""),
                point.value.map { HTMLText.clean(trend.number.unit.text($0)) } ?? "<span class=\"unknown\">n/a</span>",
                point.samples.map(HTMLText.count) ?? "", HTMLText.clean(point.run.verdict.rawValue), HTMLText.clean(point.run.labelText),
                HTMLText.clean(point.run.directory) + (point.run.isVanished ? " <span class=\"unknown\">(gone)</span>" : ""),
            ]
        }
        let table = HTMLText.table(
            "\(SummaryPage.number(rows.count, "run")), newest first", head: ["run", "value", "samples", "verdict", "labels", "directory"],
            texts: [0, 3, 4, 5], rows: rows)
        return "<section aria-labelledby=\"runs-head\"><h2 id=\"runs-head\">Runs</h2>\n\(table)</section>\n"
    }

    private static let method = """
        Made by stentor. A change is a lasting difference of level: ranks before and after each place are compared by a permutation test, after \
        an allowance for neighbours that resemble each other. Of series of independent values without a change, at most 1 in 100 has one named. \
        A single odd run is none.
        """
}
