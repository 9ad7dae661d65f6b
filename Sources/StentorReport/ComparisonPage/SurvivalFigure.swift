import StentorBase
import StentorMetrics
import StentorStatistics

/// One outage: who still waits, base beside candidate, and what it cost.
struct SurvivalFigure {
    let outage: OutageComparison
    /// The comparison's numbers of this outage.
    let numbers: [NumberComparison]
    /// Its place among the outages, from 0.
    let index: Int

    /// The most places that the pointer finds.
    private static let readouts = 120

    var html: String {
        let title = "Outage \(HTMLText.clean(outage.name))"
        guard let base = outage.base.curve, let candidate = outage.candidate.curve else { return "" }
        let end = max(base.longest, candidate.longest)
        let ticks = Ticks.time(end)
        let plot = CurvePlot(
            id: "outage-\(index + 1)", title: title,
            note:
                "Devices that still wait to be ready again, over the time since each lost its connection (Kaplan–Meier, all devices of all runs of a side). The sooner a curve comes down, the sooner its devices are back.",
            description: description(base, candidate), xRange: 0...max(end, 1e-9), yRange: 0...1,
            xTicks: ticks.map { .init(value: $0, label: ClockLabel.axis($0, of: end)) },
            yTicks: [0, 0.25, 0.5, 0.75, 1].map { .init(value: $0, label: "\(Int($0 * 100)) %") },
            curves: [
                curve("base", SideStyle.base, outage.base, base, end),
                curve("candidate", SideStyle.candidate, outage.candidate, candidate, end),
            ], xTitle: "since the connection was lost", bandLegend: "95 % band, pointwise",
            markLegend: outage.base.censored + outage.candidate.censored > 0 ? "watched no longer, not ready (censored)" : nil,
            readouts: readouts(base, candidate))
        return plot.html(below: atRisk(ticks, end) + OutageTable(outage: outage, numbers: numbers).html + tests)
    }

    private func curve(
        _ name: String, _ style: Int, _ side: OutageComparison.Side, _ curve: SurvivalCurve, _ end: Double
    ) -> CurvePlot.Curve {
        func stairs(_ height: (Estimate) -> Double) -> [(x: Double, y: Double)] {
            var (points, last) = ([(x: 0.0, y: 1.0)], 1.0)
            for step in curve.steps {
                points.append((step.time, last))
                last = height(step.waiting)
                points.append((step.time, last))
            }
            points.append((curve.longest, last))
            return points
        }
        return CurvePlot.Curve(
            name: name, style: style, line: stairs(\.value), upper: stairs(\.high), lower: stairs(\.low),
            marks: side.censoredSeconds.prefix(500).map { ($0, curve.waiting(after: $0)) })
    }

    private func readouts(_ base: SurvivalCurve, _ candidate: SurvivalCurve) -> [CurvePlot.Readout] {
        let times = Array(Set([0] + base.steps.map(\.time) + candidate.steps.map(\.time))).sorted()
        let step = max(1, (times.count + Self.readouts - 1) / Self.readouts)
        return stride(from: 0, to: times.count, by: step).map { index in
            let time = times[index]
            let lines = [("base", base), ("candidate", candidate)].map { name, curve in "\(name)  \(Self.text(curve, time))" }
            return .init(x: time, text: ([Quantity.secondsText(time)] + lines).joined(separator: "\n"))
        }
    }

    private static func text(_ curve: SurvivalCurve, _ time: Double) -> String {
        guard time <= curve.longest else { return "nobody watched" }
        guard let step = curve.steps.last(where: { $0.time <= time }) else { return "100 %" }
        func percent(_ share: Double) -> String { Quantity.fixed(share * 100, decimals: 1) }
        return "\(percent(step.waiting.value)) %  (\(percent(step.waiting.low)) … \(percent(step.waiting.high)))"
    }

    private func description(_ base: SurvivalCurve, _ candidate: SurvivalCurve) -> String {
        func side(_ name: String, _ side: OutageComparison.Side) -> String {
            let half = side.median.map { "half are ready after \(Quantity.secondsText($0.value))" } ?? "fewer than half were ready again"
            return "\(name): \(side.devices) devices, \(half), \(side.censored) not ready again while they were watched"
        }
        return "Survival curves of \(outage.name). \(side("Base", outage.base)). \(side("Candidate", outage.candidate))."
    }

    /// How many still waited at the marks of the axis, so that the reader sees how much stands behind each part of a curve.
    private func atRisk(_ ticks: [Double], _ end: Double) -> String {
        func row(_ name: String, _ side: OutageComparison.Side) -> [String] {
            [name]
                + ticks.map { time in
                    let ended = side.curve?.steps.reduce(0) { $0 + ($1.time >= time ? $1.events : 0) } ?? 0
                    return HTMLText.count(ended + side.censoredSeconds.count { $0 >= time })
                }
        }
        return HTMLText.table(
            "Devices still waiting and watched", head: ["at"] + ticks.map { ClockLabel.axis($0, of: end) },
            rows: [row("base", outage.base), row("candidate", outage.candidate)], class: "risk")
    }

    private var tests: String {
        var sentences: [String] = []
        if let test = outage.logRank {
            let pace =
                test.paceRatio.map { "; the candidate’s devices return <b>\(Quantity.significant($0)) times</b> as fast (pace ratio)" }
                ?? ""
            sentences.append(
                "Log-rank test over the whole curves: χ² = \(Quantity.significant(test.statistic)), p \(Self.equals(test.p))\(pace). It takes devices as independent, but those of one outage share its cause: p speaks of these outages, not of versions."
            )
        }
        let paired = outage.paired
        if outage.pairedDevices > 0 {
            let text = { (value: Double) in DifferenceText.signed(value, Quantity.secondsText) }
            let median =
                paired.median.map { "; median of the differences <b>\(text($0.value))</b> (\(text($0.low)) … \(text($0.high)))" } ?? ""
            let open = paired.undecided > 0 ? ", \(HTMLText.count(paired.undecided)) open" : ""
            sentences.append(
                "Device by device, run by run (\(HTMLText.count(outage.pairedDevices)) pairs): \(HTMLText.count(paired.sooner)) sooner in the candidate, \(HTMLText.count(paired.later)) later, \(HTMLText.count(paired.same)) the same\(open)\(median); sign test p \(Self.equals(paired.p))."
            )
        }
        return sentences.map { "<p class=\"said\">\($0)</p>\n" }.joined()
    }

    private static func equals(_ p: Double) -> String { (p < 0.001 ? "" : "= ") + FindingText.probability(p) }
}
