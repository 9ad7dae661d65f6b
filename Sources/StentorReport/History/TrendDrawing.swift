import StentorBase
import StentorMetrics

/// Draws a ``HistoryTrend``: a dot a run, a level line for each stretch between changes, and a mark where the level changes.
///
/// An SVG stretched to the width it gets, with labels of HTML around it that are not, as the charts of a report are.
struct TrendDrawing {
    private let trend: HistoryTrend
    private let ticks: [Double]
    private let range: ClosedRange<Double>

    init(_ trend: HistoryTrend) {
        self.trend = trend
        let values = trend.points.compactMap(\.value)
        (ticks, range) = Self.axis(low: values.min() ?? 0, high: values.max() ?? 1, trend.number.unit)
    }

    /// The figure, with an empty line at its end.
    var html: String {
        let title = HTMLText.clean("\(trend.number.text) by run")
        return """
            <figure id="trend"><figcaption><h3>\(title)</h3><p>A dot is a run, the oldest on the left. Level lines are medians.</p></figcaption>
            \(legend)<div class="plot" role="group" aria-label="\(title)">
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="\(title). \(description)">
            <title>\(title)</title><desc>\(description)</desc>
            \(grid)\(marks)\(levels)\(dots)</svg>
            \(yLabels)\(xLabels)\(markLabels)
            </div></figure>


            """
    }

    // MARK: - Axes

    /// From 0, unless all values lie close together: what moved by a few percent would not show.
    private static func axis(low: Double, high: Double, _ unit: Unit) -> (ticks: [Double], range: ClosedRange<Double>) {
        if low >= 0, high > 0, low > 0.6 * high {
            let room = max(high - low, high * 0.02)
            let base = max(0, low - room * 0.3)
            let step = Ticks.linear(top: high + room * 0.2 - base)[1]
            let first = (base / step).rounded(.down)
            let last = ((high + room * 0.2) / step).rounded(.up)
            let ticks = stride(from: first, through: last, by: 1).map { $0 * step }
            return (ticks, ticks[0]...ticks[ticks.count - 1])
        }
        let top = max(high, 0)
        let ticks: [Double] =
            switch unit {
            case .bytes, .bytesPerSecond: Ticks.bytes(top: top)
            case .share: Ticks.share(top: top)
            case .seconds, .count: Ticks.linear(top: top)
            }
        return (ticks, 0...max(ticks[ticks.count - 1], .leastNormalMagnitude))
    }

    private func x(_ index: Double) -> Double { (index + 0.5) / Double(max(1, trend.points.count)) * 1000 }
    private func y(_ value: Double) -> Double { (1 - (value - range.lowerBound) / (range.upperBound - range.lowerBound)) * 1000 }
    private static func coordinate(_ value: Double) -> String { CSVCell.number(value, decimals: 1) }
    private static func percent(_ value: Double) -> String { CSVCell.number(value / 10, decimals: 2) + "%" }

    private var grid: String {
        "<path class=\"grid\" d=\"\(ticks.map { "M0 \(Self.coordinate(y($0)))H1000" }.joined())\"/>\n"
    }

    private var yLabels: String {
        ticks.map { tick in
            let text = ChartDrawing.short(tick == 0 && trend.number.unit != .share ? "0" : trend.number.unit.text(tick))
            return "<span class=\"y\" style=\"top:\(Self.percent(y(tick)))\">\(HTMLText.clean(text))</span>"
        }.joined()
    }

    /// The days of at most six runs.
    private var xLabels: String {
        let count = trend.points.count
        let step = max(1, (count + 5) / 6)
        return stride(from: 0, to: count, by: step).enumerated().map { place, index in
            let day = UTCTime.text(trend.points[index].run.startedAtSeconds).prefix(10)
            let side = x(Double(index)) < 60 ? " first" : x(Double(index)) > 940 ? " last" : ""
            return "<span class=\"x\(side)\(place % 2 == 1 ? " odd" : "")\" style=\"left:\(Self.percent(x(Double(index))))\">\(day)</span>"
        }.joined()
    }

    // MARK: - Marks

    private var dots: String {
        trend.points.enumerated().compactMap { index, point in
            guard let value = point.value else { return nil }
            let words = HTMLText.clean("\(point.run.runID): \(trend.number.unit.text(value)) \(point.run.labelText)")
            let kind = point.run.verdict == .pass ? "s1" : "s5"
            let place = "M\(Self.coordinate(x(Double(index)))) \(Self.coordinate(y(value)))h0.01"
            return "<g><title>\(words)</title><path class=\"line dot \(kind)\" d=\"\(place)\"/></g>"
        }.joined(separator: "\n")
    }

    /// The stretches between changes: where they begin and end, and their median.
    private var stretches: [(from: Int, to: Int, level: Double)] {
        guard let changes = trend.changes, let first = changes.first else { return [] }
        let starts = [0] + changes.map(\.index)
        let ends = changes.map(\.index) + [trend.points.count]
        let medians = [first.before] + changes.map(\.after)
        return zip(zip(starts, ends), medians).map { ($0.0, $0.1, $1) }
    }

    private var levels: String {
        stretches.map { stretch in
            let ends = (Self.coordinate(x(Double(stretch.from) - 0.5)), Self.coordinate(x(Double(stretch.to) - 0.5)))
            return "<path class=\"line s2\" d=\"M\(ends.0) \(Self.coordinate(y(stretch.level)))H\(ends.1)\"/>"
        }.joined(separator: "\n")
    }

    private var marks: String {
        (trend.changes ?? []).map { "<path class=\"level\" d=\"M\(Self.coordinate(x(Double($0.index) - 0.5))) 0V1000\"/>" }.joined(
            separator: "\n")
    }

    private var markLabels: String {
        (trend.changes ?? []).enumerated().map {
            "<span class=\"b\" style=\"left:\(Self.percent(x(Double($1.index) - 0.5)))\">\($0 + 1)</span>"
        }.joined()
    }

    // MARK: - In words

    private var legend: String {
        func item(_ mark: String, _ name: String) -> String {
            "<li><svg viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\">\(mark)</svg> \(name)</li>"
        }
        var items = [item("<path class=\"line dot s1\" d=\"M12 6h0.01\"/>", "passed")]
        if trend.points.contains(where: { $0.run.verdict != .pass }) {
            items.append(item("<path class=\"line dot s5\" d=\"M12 6h0.01\"/>", "failed a gate"))
        }
        if !stretches.isEmpty {
            items.append(item("<path class=\"line s2\" d=\"M0 6H24\"/>", "level"))
            items.append(item("<path class=\"level\" d=\"M12 0V12\"/>", "change"))
        }
        return "<ul class=\"legend\">\(items.joined())</ul>\n"
    }

    private var description: String {
        let values = trend.points.compactMap(\.value)
        guard let low = values.min(), let high = values.max(), let last = values.last else { return "No run has a value." }
        let unit = trend.number.unit
        let words = "\(values.count) values: lowest \(unit.text(low)), highest \(unit.text(high)), last \(unit.text(last))."
        return HTMLText.clean(([words] + TrendText.verdict(trend)).joined(separator: " "), limit: 1000)
    }
}
