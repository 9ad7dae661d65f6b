import StentorBase

extension ComparisonPage {
    /// Which runs are compared, whether they are alike, and what the reader must know.
    var runsSection: String {
        """
        <section id="runs" aria-labelledby="runs-head"><h2 id="runs-head">The runs</h2>
        \(alike)\(remarks)\(runsTable)</section>

        """
    }

    private var alike: String {
        let all = comparison.base + comparison.candidate
        guard comparison.unlike.isEmpty else {
            let items = comparison.unlike.map { "<li><b>\(HTMLText.clean($0.what))</b>: \(HTMLText.clean($0.detail, limit: 1000))</li>" }
            return
                "<div class=\"note warn\"><h3>! Not alike</h3><p>They were compared because that was insisted on. A difference may come from what differs here:</p><ul>\n\(items.joined(separator: "\n"))\n</ul></div>\n"
        }
        let first = all.first
        let facts = [
            first.map { "profile \(HTMLText.name($0.profile)) <code>\(HTMLText.clean($0.profileDigest))</code>" },
            first.map { "seed \(HTMLText.clean($0.seed))" }, first?.plannedSeconds.map { "duration \(Quantity.secondsText($0))" },
            first?.cores.map { "\($0) cores" },
            all.compactMap(\.memoryBytes).max().map { "memory about \(Quantity.bytesText(Double($0)))" },
        ]
        return
            "<div class=\"note\"><h3>✓ Like for like</h3><p>All runs have the same \(facts.compactMap(\.self).joined(separator: ", ")), and each is valid and complete.</p></div>\n"
    }

    private var remarks: String {
        guard !comparison.remarks.isEmpty else { return "" }
        let items = comparison.remarks.prefix(200).map { text in
            "<li>\(HTMLText.clean(text.prefix(1).uppercased() + text.dropFirst(), limit: 1000)).</li>"
        }
        return "<div class=\"note warn\"><h3>Before you read on</h3><ul>\n\(items.joined(separator: "\n"))\n</ul></div>\n"
    }

    private var runsTable: String {
        func rows(_ side: String, _ runs: [ComparedRun]) -> [[String]] {
            runs.enumerated().map { index, run in
                [
                    side, "\(index + 1)", HTMLText.name(run.path), HTMLText.name(run.target),
                    run.labels.map(HTMLText.name).joined(separator: "<br>"),
                    Self.verdict(run), HTMLText.name(run.runID),
                ]
            }
        }
        return HTMLText.table(
            "Base and candidate", head: ["side", "run", "directory", "target", "labels", "its verdict", "run id"],
            texts: [0, 2, 3, 4, 5, 6],
            rows: rows("base", comparison.base) + rows("candidate", comparison.candidate), class: "wrap runs grouped", isGrouped: true)
    }

    private static func verdict(_ run: ComparedRun) -> String {
        let mark = run.verdict == "pass" ? "✓" : run.verdict == "fail" ? "✗" : "!"
        let kind = ["pass", "fail"].contains(run.verdict) ? run.verdict : "other"
        let reason = run.verdict == "pass" ? "" : run.reasons.first.map { " <small>\(HTMLText.clean($0))</small>" } ?? ""
        return "<span class=\"mark \(kind)\">\(mark) \(HTMLText.clean(run.verdict))</span>\(reason)"
    }
}
