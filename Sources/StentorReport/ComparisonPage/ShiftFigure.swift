import StentorBase
import StentorMetrics

/// By how much each quantile of a distribution moved, with its band.
struct ShiftFigure {
    let shift: QuantileShift

    var html: String {
        let unit = shift.metric.unit
        let text = { (value: Double) in DifferenceText.signed(value, unit.text) }
        let values = shift.points.flatMap { [$0.difference.low, $0.difference.high] }.filter(\.isFinite) + [0]
        let ticks = Self.ticks(values.min() ?? 0, values.max() ?? 0)
        let range = min(ticks.first ?? 0, values.min() ?? 0)...max(ticks.last ?? 1, values.max() ?? 1)
        func points(_ height: (QuantileShift.Point) -> Double) -> [(x: Double, y: Double)] {
            shift.points.map { ($0.share, height($0)) }
        }
        let better = shift.metric.better == .lower ? "Below 0 the candidate is quicker or smaller, which is better" : "Above 0 is better"
        let plot = CurvePlot(
            id: "shift-\(shift.metric.name)-\(shift.phase.name)", title: HTMLText.clean(shift.name),
            note:
                "Candidate less base at each quantile. \(better). A level line: all samples moved alike; one that rises to the right: the slow ones moved most.",
            description: description(text), xRange: (shift.points.first?.share ?? 0)...max(1e-9, shift.points.last?.share ?? 1),
            yRange: range,
            xTicks: shift.points.map(\.share).filter { Self.labelled.contains($0) }.map { .init(value: $0, label: Self.percent($0)) },
            yTicks: ticks.map { .init(value: $0, label: HTMLText.clean(Self.short($0, text))) },
            curves: [
                .init(
                    name: "candidate less base", style: SideStyle.candidate, line: points(\.difference.value),
                    upper: points(\.difference.high), lower: points(\.difference.low))
            ], xTitle: "quantile, from the quickest or smallest samples to the slowest or largest",
            bandLegend: "95 % interval of each quantile by itself",
            level: .init(value: 0, label: "0"),
            readouts: shift.points.map { point in
                let difference = "\(text(point.difference.value))  (\(text(point.difference.low)) … \(text(point.difference.high)))"
                return .init(
                    x: point.share,
                    text:
                        "\(Self.percent(point.share))\nbase  \(unit.text(point.base))\ncandidate  \(unit.text(point.candidate))\n\(difference)"
                )
            })
        return plot.html(below: table(text))
    }

    private static let labelled: Set<Double> = [0.05, 0.25, 0.5, 0.75, 0.9, 0.99]

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private static func short(_ value: Double, _ text: (Double) -> String) -> String { value == 0 ? "0" : ChartDrawing.short(text(value)) }

    /// Marks at both sides of 0, of one distance.
    private static func ticks(_ low: Double, _ high: Double) -> [Double] {
        let step = Ticks.linear(top: max(high - low, 1e-12)).dropFirst().first ?? 1
        return (Int((low / step).rounded(.down))...Int((high / step).rounded(.up))).map { Double($0) * step }
    }

    private func description(_ text: (Double) -> String) -> String {
        let marked = shift.points.filter { Self.labelled.contains($0.share) }.map {
            "\(Self.percent($0.share)): \(text($0.difference.value))"
        }
        return "Difference of the quantiles of \(shift.name). \(marked.joined(separator: "; "))."
    }

    private func table(_ text: (Double) -> String) -> String {
        let unit = shift.metric.unit
        let rows = shift.points.map { point in
            [
                Self.percent(point.share), unit.text(point.base), unit.text(point.candidate), text(point.difference.value),
                "\(text(point.difference.low)) … \(text(point.difference.high))",
            ].map { HTMLText.clean($0) }
        }
        let caption = "\(HTMLText.clean(shift.name)): all quantiles"
        let table = HTMLText.table(caption, head: ["quantile", "base", "candidate", "difference", "95 % interval"], rows: rows)
        return "<details class=\"data\"><summary>As a table</summary>\(table)</details>\n"
    }
}
