import StentorBase
import StentorMetrics
import StentorWire

/// `report.html`: one file for people, from the files of a run directory alone, so that it says what they say.
///
/// Nothing is loaded from elsewhere: a content security policy forbids it, and lets no script run but the one of this program. Text
/// from outside is cleaned and escaped wherever it stands.
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
        let script = "\n\(ReportScript.text)\n"
        let title = HTMLText.clean("\(run["profile"]?.string ?? "run"): \(verdict)", limit: 120)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(Self.digest(script))'; base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>
            \(ReportStyle.css)
            </style>
            </head>
            <body>
            <a class="skip" href="#verdict">To the verdict</a>
            \(header)
            <main>
            \(gatesSection)\(notes)\(chartsSection)\(numbersSection)\(surroundingsSection)\(definitionsSection)</main>
            <footer><p>Made by stentor \(HTMLText.clean(run["version"]?.string ?? "")) from the files of the run directory. Percentiles are never below the true value and at most 0.79 % above it; they never mix phases in tables.</p></footer>
            <script>\(script)</script>
            </body>
            </html>

            """
    }

    private static func digest(_ script: String) -> String {
        var text: [UInt8] = []
        SHA256Digest(of: Array(script.utf8)).withBytes { Base64.encode($0, into: &text) }
        return String(decoding: text, as: UTF8.self)
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
