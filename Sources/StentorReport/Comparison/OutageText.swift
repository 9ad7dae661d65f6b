import StentorBase
import StentorStatistics

/// An outage as a terminal shows it.
struct OutageText {
    let outage: OutageComparison
    let layout: TextLayout

    var lines: [String] {
        let (base, candidate) = (outage.base, outage.candidate)
        func row(_ what: String, _ value: (OutageComparison.Side) -> String) -> [String] { [what, value(base), value(candidate)] }
        let rows = [
            ["", "base", "candidate"], row("devices", { "\($0.devices)" }), row("not ready again", { "\($0.censored)" }),
            row("half are ready after", { Self.estimate($0.median) }),
            row("mean within \(Quantity.secondsText(outage.horizonSeconds))", { Self.estimate($0.restrictedMean) }),
            row("dials, wasted ones", { "\($0.attempts), \($0.wastedDials)" }),
            row("texts lost, duplicated", { "\(Self.count($0.textsLost)), \(Self.count($0.textsDuplicated))" }),
            row("90 %, 99 %, all ready", { Self.byRun($0) { $0.readyAfterSeconds.dropFirst().map(Self.seconds).joined(separator: ", ") } }),
            row("most dials in a second", { Self.byRun($0) { Self.count($0.peakDialsPerSecond) } }),
            row(
                "dials in the busiest 100 ms",
                { Self.byRun($0) { $0.retrySynchronisation.map { Quantity.fixed($0 * 100, decimals: 1) + " %" } ?? "n/a" } }),
        ]
        return ["outage \(PrintableText.clean(outage.name))"] + layout.table(rows, rightAligned: [1, 2], indent: 2) + tests
    }

    private var tests: [String] {
        var lines: [String] = []
        if let test = outage.logRank {
            let pace = test.paceRatio.map { "; the candidate's devices return \(Quantity.significant($0)) times as fast" } ?? ""
            lines.append(
                "log-rank χ² \(Quantity.significant(test.statistic)), p \(Self.probability(test.p)) for these devices\(pace)")
        }
        let paired = outage.paired
        if outage.pairedDevices > 0 {
            let median = paired.median.map { "; median \(Self.signed($0.value)) (\(Self.signed($0.low)) … \(Self.signed($0.high)))" } ?? ""
            let open = paired.undecided > 0 ? ", \(paired.undecided) open" : ""
            lines.append(
                "device by device (\(outage.pairedDevices)): \(paired.sooner) sooner, \(paired.later) later, \(paired.same) same\(open)\(median), "
                    + "p \(Self.probability(paired.p))")
        }
        return lines.flatMap { layout.wrapped("  -", $0, indent: 4) }
    }

    private static func byRun(_ side: OutageComparison.Side, _ value: (OutageComparison.Herd) -> String) -> String {
        side.herds.map(value).joined(separator: " | ")
    }

    private static func estimate(_ estimate: Estimate?) -> String {
        guard let estimate else { return "n/a" }
        return "\(seconds(estimate.value)) (\(seconds(estimate.low)) … \(seconds(estimate.high)))"
    }

    private static func seconds(_ value: Double?) -> String {
        value.map { $0.isFinite ? Quantity.secondsText($0) : "∞" } ?? "never"
    }

    private static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + Quantity.secondsText(value) }
    private static func count(_ value: Int?) -> String { value.map(String.init) ?? "n/a" }
    private static func probability(_ p: Double) -> String { p < 0.001 ? "< 0.001" : "= \(Quantity.fixed(p, decimals: 3))" }
}
