import StentorBase
import StentorMetrics

/// `report.html`: one file for people, from the files of a run directory alone, so that it says what they say.
///
/// Text from outside is cleaned and escaped wherever it stands.
struct ReportPage {
    let files: RunFiles
    let charts: RunCharts

    init(_ files: RunFiles) {
        self.files = files
        charts = RunCharts(files)
    }

    var summary: JSONTree { files.summary }
    var run: JSONTree { summary["run"] ?? .null }
    var verdict: String { summary["verdict"]?.string ?? "incomplete" }

    /// The document as UTF-8.
    var bytes: [UInt8] { Array(html.utf8) }

    private var html: String {
        HTMLDocument(
            title: HTMLText.clean("\(run["profile"]?.string ?? "run"): \(verdict)", limit: 120), css: ReportStyle.css,
            script: ReportScript.text,
            body: """
                <a class="skip" href="#verdict">To the verdict</a>
                \(header)
                <main>
                \(gatesSection)\(notes)\(chartsSection)\(numbersSection)\(surroundingsSection)\(definitionsSection)</main>
                <footer><p>Made by stentor \(HTMLText.clean(run["version"]?.string ?? "")) from the files of the run directory. Percentiles are never below the true value and at most 0.79 % above it; they never mix phases in tables.</p></footer>
                """
        ).text
    }

    // MARK: - Charts

    private var chartsSection: String {
        let all = [
            charts.states, charts.connections, charts.reply, charts.usable, charts.returns, charts.texts, charts.transfers, charts.errors,
            charts.processor, charts.loopLag, charts.memory,
        ]
        let drawn = all.filter(\.hasData)
        let missing = all.filter { !$0.hasData }.map { HTMLText.clean($0.title) }
        let figures = drawn.map { "<div\($0.id == charts.states.id ? " class=\"wide\"" : "")>\n\(ChartDrawing($0).html)</div>\n" }.joined()
        let note =
            missing.isEmpty ? "" : "<p class=\"unknown\">Not drawn, because nothing was recorded: \(missing.joined(separator: " · ")).</p>"
        return """
            <section id="charts" aria-labelledby="charts-head"><h2 id="charts-head">Over time</h2>
            <div class="charts">
            \(figures)</div>\(note)</section>

            """
    }
}
