import StentorBase
import StentorMetrics

/// By how much each quantile of a distribution moved, with its band.
struct ShiftFigure {
    let shift: QuantileShift

    private var unit: Unit { shift.metric.unit }

    var html: String {
        let values = shift.points.flatMap { [$0.difference.low, $0.difference.high] }.filter(\.isFinite) + [0]
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        let axis = Self.stretchedAxis(shift.points)
        let ticks = axis?.ticks ?? Self.ticks(low, high)
        let margin = max((high - low) * 0.05, 1e-12)
        var plot = CurvePlot(
            id: "shift-\(shift.metric.name)-\(shift.phase.name)", title: HTMLText.clean(shift.name), note: note(isStretched: axis != nil),
            description: description, xRange: (shift.points.first?.share ?? 0)...max(1e-9, shift.points.last?.share ?? 1),
            yRange: (low - margin)...(high + margin), xTicks: marks, yTicks: [], curves: [curve],
            xTitle: "quantile, from the quickest or smallest samples to the slowest or largest",
            bandLegend: "95 % interval of each quantile by itself", level: .init(value: 0, label: "0"), readouts: readouts)
        plot.yTicks = ticks.map { .init(value: $0, label: HTMLText.clean(short($0))) }
        if let axis { plot.yPlace = axis.place }
        return plot.html(below: table)
    }

    private func text(_ value: Double) -> String { DifferenceText.signed(value, unit.text) }

    private func note(isStretched: Bool) -> String {
        let better = shift.metric.better == .lower ? "Below 0 the candidate is quicker or smaller, which is better" : "Above 0 is better"
        let stretched = isStretched ? " The axis is stretched around 0, because some quantiles may have moved far more than most." : ""
        return
            "Candidate less base at each quantile. \(better). A level line: all samples moved alike; one that rises to the right: the slow ones moved most.\(stretched)"
    }

    private var curve: CurvePlot.Curve {
        func points(_ height: (QuantileShift.Point) -> Double) -> [(x: Double, y: Double)] {
            shift.points.map { ($0.share, height($0)) }
        }
        return CurvePlot.Curve(
            name: "candidate less base", style: SideStyle.candidate, line: points(\.difference.value), upper: points(\.difference.high),
            lower: points(\.difference.low))
    }

    private var marks: [CurvePlot.Tick] {
        shift.points.map(\.share).filter { Self.labelled.contains($0) }.map { .init(value: $0, label: Self.percent($0)) }
    }

    private var readouts: [CurvePlot.Readout] {
        shift.points.map { point in
            let difference = "\(text(point.difference.value))  (\(text(point.difference.low)) … \(text(point.difference.high)))"
            let sides = "base  \(unit.text(point.base))\ncandidate  \(unit.text(point.candidate))"
            return .init(x: point.share, text: "\(Self.percent(point.share))\n\(sides)\n\(difference)")
        }
    }

    private static let labelled: Set<Double> = [0.05, 0.25, 0.5, 0.75, 0.99]

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private func short(_ value: Double) -> String { value == 0 ? "0" : ChartDrawing.short(text(value)) }

    /// Where some quantiles moved, or may have moved, far more than most, an even axis would show only those.
    private static func stretchedAxis(_ points: [QuantileShift.Point]) -> StretchedAxis? {
        let reaches = points.map { max(abs($0.difference.low), abs($0.difference.high)) }.filter(\.isFinite).sorted()
        guard let most = reaches.last, most > 0 else { return nil }
        let middle = reaches[reaches.count / 2]
        guard most > 6 * middle, middle > 0 else { return nil }
        return StretchedAxis(core: Ticks.exponent(middle), points.flatMap { [$0.difference.low, $0.difference.high] })
    }

    /// Marks at both sides of 0, of one distance.
    private static func ticks(_ low: Double, _ high: Double) -> [Double] {
        let step = Ticks.linear(top: max(high - low, 1e-12)).dropFirst().first ?? 1
        return (Int((low / step).rounded(.up))...Int((high / step).rounded(.down))).map { Double($0) * step }
    }

    private var description: String {
        let marked = shift.points.filter { Self.labelled.contains($0.share) }.map {
            "\(Self.percent($0.share)): \(text($0.difference.value))"
        }
        return "Difference of the quantiles of \(shift.name). \(marked.joined(separator: "; "))."
    }

    private var table: String {
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
