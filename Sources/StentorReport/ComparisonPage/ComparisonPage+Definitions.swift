import StentorBase

extension ComparisonPage {
    /// What the words mean, how numbers were judged, and what each number is.
    var definitionsSection: String {
        var terms: [NumberTerm] = []
        for number in comparison.numbers {
            let term = NumberTerm(number)
            if term.definition != nil, !terms.contains(where: { $0.key == term.key }) { terms.append(term) }
        }
        let items = terms.map {
            "<div id=\"\($0.anchor)\"><dt>\(HTMLText.clean($0.key))</dt><dd>\(HTMLText.clean($0.definition ?? ""))</dd></div>"
        }
        let numbers =
            items.isEmpty ? "" : "<h3 class=\"more\">The numbers</h3>\n<dl class=\"facts defs\">\(items.joined(separator: "\n"))</dl>\n"
        return """
            <section id="definitions" aria-labelledby="definitions-head"><h2 id="definitions-head">How to read this</h2>
            <h3>Words</h3>
            \(HTMLText.facts(Self.words))<h3 class="more">Methods</h3>
            \(HTMLText.facts(Self.methods))\(numbers)<p class="fine">Formulas, their sources and how often they err: Docs/statistics.md of Stentor. From when to when each number runs: Docs/metrics.md.</p></section>

            """
    }

    private static let words: [(String, String)] = [
        ("✗ worse, ✓ better", "The difference is more than chance explains (p with Holm’s method at most 0.05), and it goes that way."),
        (
            "○ no difference shown",
            "Chance alone may have made the difference. That is not “equal”: see <i>seen from</i>."
        ),
        ("not judged", "Neither way is better, or another number says the same; or it belongs to the machine that made the load."),
        ("n/a", "It cannot be compared, and the reason stands beside it. A percentile of too few samples is never a number."),
        ("95 % interval", "Of 100 such intervals 95 hold the true difference. Each is 95 % by itself, not all together."),
        (
            "seen from",
            "The smallest true difference that would have been shown 8 times of 10 among so many numbers; of counts that should be 0, the least that would be shown."
        ),
        (
            "run to run",
            "The standard deviation between runs of one side: the noise floor. It is in the intervals. One run a side cannot tell it."
        ),
        (
            "effect",
            "δ: Cliff’s delta, −1 … 1 (0.15 small, 0.33 medium, 0.47 large). h: Cohen’s h of shares (0.2, 0.5, 0.8). pace: how many times as fast devices return."
        ),
        ("pp", "Percentage points: from 98 % to 99 % is +1 pp."),
    ]

    private static let methods: [(String, String)] = [
        (
            "percentiles",
            "Block bootstrap over the one-second histograms (Künsch 1989): seconds resemble each other, so blocks longer than their memory are drawn, not samples."
        ),
        (
            "shares, counts",
            "Score intervals (Wilson 1927, Newcombe 1998), widened when events come in bursts; counts that should be 0 by an exact test (Przyborowski and Wilenski 1940)."
        ),
        (
            "many numbers", "Holm 1979: verdicts use p-values adjusted for all numbers that are judged."
        ),
        (
            "curves of outages",
            "Kaplan and Meier 1958, the band pointwise by Greenwood’s variance on the log(−log) scale. A device that was not ready again while it was watched is censored, a tick on the curve, and not left out."
        ),
        ("log-rank, pace ratio", "Mantel 1966; (O₂/E₂)/(O₁/E₁), Peto and Pike 1973."),
        (
            "mean within a time",
            "The restricted mean: the area below the curve as far as both curves are known (Irwin 1949)."
        ),
        (
            "quantiles",
            "The shift function (Doksum 1974): the difference of each quantile, with the blocks and draws of the percentiles, so that 50, 95 and 99 % agree with the table."
        ),
    ]
}
