import StentorBase
import StentorMetrics
import StentorStatistics

/// What an outage cost on both sides, with the differences that are judged.
struct OutageTable {
    let outage: OutageComparison
    let numbers: [NumberComparison]

    var html: String {
        let (base, candidate) = (outage.base, outage.candidate)
        func row(_ what: String, _ value: (OutageComparison.Side) -> String, _ number: String? = nil) -> [String] {
            [what, value(base), value(candidate)] + judged(number)
        }
        let rows = [
            row("devices that lost their connection", { HTMLText.count($0.devices) }),
            row("not ready again while watched", { HTMLText.count($0.censored) }),
            row("half are ready after", { Self.estimate($0.median) }, "reconnect.median"),
            row("mean within \(Quantity.secondsText(outage.horizonSeconds))", { Self.estimate($0.restrictedMean) }, "reconnect.mean"),
            row("dials a device", { Self.perDevice($0) }, "attempts.mean"),
            row("dials; of these wasted", { "\(HTMLText.count($0.attempts)); \(HTMLText.count($0.wastedDials))" }),
            row("texts in flight lost", { Self.count($0.textsLost) }),
            row("texts in flight answered twice", { Self.count($0.textsDuplicated) }),
        ]
        return HTMLText.table(
            "What it cost", head: ["what", "base", "candidate", "difference (95 % interval)", "verdict"], texts: [0, 4], rows: rows)
            + HTMLText.table(
                "The herd, run by run",
                head: ["run", "50 % ready", "90 %", "99 %", "all", "most dials in 1 s", "dials in the busiest 100 ms"],
                rows: herds("base", base) + herds("candidate", candidate))
    }

    private func judged(_ name: String?) -> [String] {
        guard let name, let number = numbers.first(where: { $0.name == "\(name) of \(outage.name)" }) else { return ["", ""] }
        guard let finding = number.finding else {
            return ["<span class=\"unknown\">n/a: \(HTMLText.clean(number.missing ?? ""))</span>", ""]
        }
        let text = DifferenceText(number)
        let interval = text.interval(finding.difference.low, finding.difference.high, text.absolute)
        return ["\(text.absolute(finding.difference.value)) (\(interval))", FindingText.verdict(finding.verdict)]
    }

    private func herds(_ name: String, _ side: OutageComparison.Side) -> [[String]] {
        side.herds.enumerated().map { index, herd in
            ["\(name) \(index + 1)"] + herd.readyAfterSeconds.map { $0.map(Quantity.secondsText) ?? "never" } + [
                Self.count(herd.peakDialsPerSecond),
                herd.retrySynchronisation.map { Quantity.fixed($0 * 100, decimals: 1) + " %" } ?? Self.unknown,
            ]
        }
    }

    private static let unknown = #"<span class="unknown">n/a</span>"#

    private static func estimate(_ estimate: Estimate?) -> String {
        guard let estimate else { return unknown }
        func text(_ value: Double) -> String { value.isFinite ? Quantity.secondsText(value) : "∞" }
        return "\(text(estimate.value)) (\(text(estimate.low)) … \(text(estimate.high)))"
    }

    private static func perDevice(_ side: OutageComparison.Side) -> String {
        side.devices > 0 ? Quantity.fixed(Double(side.attempts) / Double(side.devices), decimals: 2) : unknown
    }

    private static func count(_ value: Int?) -> String { value.map(HTMLText.count) ?? unknown }
}
