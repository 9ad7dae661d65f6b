import StentorBase
import StentorMetrics
import StentorWire

/// Draws a ``Chart``: an SVG that is stretched to the width it gets, with labels of HTML around it that are not.
///
/// Every chart has a title, a description in words, its legend as text, and a table of some of its points.
struct ChartDrawing {
    let chart: Chart
    private let ticks: [Double]
    private let range: ClosedRange<Double>

    /// The size of the drawing's own coordinates.
    private static let (width, height) = (1000.0, 1000.0)
    /// How many points the table below a chart has.
    private static let tableRows = 24

    init(_ chart: Chart) {
        self.chart = chart
        (ticks, range) = Self.axis(chart)
    }

    /// The figure, with an empty line at its end.
    var html: String {
        let label = HTMLText.clean("\(chart.title). \(description)", limit: 600)
        let plot = """
            <div class="plot" tabindex="0" role="group" aria-label="\(HTMLText.clean(chart.title)): values by arrow keys">
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="\(label)">
            <title>\(HTMLText.clean(chart.title))</title><desc>\(HTMLText.clean(description, limit: 600))</desc>
            \(chart.isStacked ? grid + areas + bands : bands + grid + lines)\(levels)</svg>
            \(yLabels)\(xLabels)\(bandLabels)\(levelLabels)
            <script type="application/json" class="points">\(points)</script>
            </div>
            """
        return figure(legend + plot + table)
    }

    private func figure(_ content: String) -> String {
        """
        <figure id="\(chart.id)"><figcaption><h3>\(HTMLText.clean(chart.title))</h3><p>\(HTMLText.clean(chart.note, limit: 600))</p></figcaption>
        \(content)</figure>


        """
    }

    // MARK: - Axes

    private static func axis(_ chart: Chart) -> (ticks: [Double], range: ClosedRange<Double>) {
        let values = chart.series.flatMap { $0.points.compactMap(\.y) } + chart.levels.map(\.value)
        switch chart.scale {
        case .log:
            let positive = values.filter { $0 > 0 }
            guard let low = positive.min(), let high = positive.max() else { return ([1, 10], 1...10) }
            let ticks = Ticks.log(low...high)
            return (ticks, ticks[0]...ticks[ticks.count - 1])
        case .linear:
            let top = max(chart.isStacked ? stackTop(chart) : values.max() ?? 0, chart.yMax ?? 0)
            let ticks =
                switch chart.unit {
                case .bytes, .bytesPerSecond: Ticks.bytes(top: top)
                case .share: Ticks.share(top: top)
                case .seconds, .count: Ticks.linear(top: top)
                }
            return (ticks, 0...max(ticks[ticks.count - 1], .leastNormalMagnitude))
        }
    }

    private static func stackTop(_ chart: Chart) -> Double {
        let count = chart.series.map(\.points.count).min() ?? 0
        return (0..<count).map { index in chart.series.reduce(0) { $0 + ($1.points[index].y ?? 0) } }.max() ?? 0
    }

    private func x(_ value: Double) -> Double { chart.xMax > 0 ? min(1, max(0, value / chart.xMax)) * Self.width : 0 }

    private func y(_ value: Double) -> Double {
        let share =
            switch chart.scale {
            case .linear: value / range.upperBound
            case .log: Logarithm.share(value, in: range)
            }
        return (1 - min(1, max(0, share))) * Self.height
    }

    private static func coordinate(_ value: Double) -> String { CSVCell.number(value, decimals: 1) }
    private static func percent(_ value: Double) -> String { CSVCell.number(value / 10, decimals: 2) + "%" }

    private var xTicks: [Double] { Ticks.time(chart.xMax) }

    private var grid: String {
        let rows = ticks.map { "M0 \(Self.coordinate(y($0)))H1000" }.joined()
        return "<path class=\"grid\" d=\"\(rows)\"/>\n"
    }

    private var yLabels: String {
        ticks.map { "<span class=\"y\" style=\"top:\(Self.percent(y($0)))\">\(HTMLText.clean(label($0)))</span>" }.joined()
    }

    private var xLabels: String {
        xTicks.enumerated().map { index, tick in
            let side = index == 0 ? " first" : tick > chart.xMax * 0.96 ? " last" : ""
            let kind = "x\(side)\(index % 2 == 1 ? " odd" : "")"
            return "<span class=\"\(kind)\" style=\"left:\(Self.percent(x(tick)))\">\(ClockLabel.axis(tick, of: chart.xMax))</span>"
        }.joined()
    }

    private func label(_ value: Double) -> String {
        if value == 0, chart.unit != .share { return "0" }
        if chart.unit == .count { return value == value.rounded() ? HTMLText.count(Int(value)) : Quantity.significant(value) }
        if chart.unit == .share { return "\(CSVCell.number(value * 100, decimals: 1)) %" }
        return Self.short(chart.unit.text(value))
    }

    /// A round number without its zeros: `10.0 ms` is `10 ms`.
    static func short(_ text: String) -> String {
        guard let blank = text.firstIndex(of: " "), text[..<blank].contains(".") else { return text }
        let digits = String(text[..<blank].reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
        return digits + text[blank...]
    }

    // MARK: - Marks

    private var bands: String {
        chart.bands.map { band in
            let (left, right) = (x(band.from), x(band.to))
            return
                "<rect class=\"band\" x=\"\(Self.coordinate(left))\" y=\"0\" width=\"\(Self.coordinate(max(2.5, right - left)))\" height=\"1000\"/>"
        }.joined(separator: "\n")
    }

    private var bandLabels: String {
        chart.bands.prefix(40).map {
            "<span class=\"b\" style=\"left:\(Self.percent(x($0.from)))\">\(HTMLText.clean($0.label, limit: 12))</span>"
        }
        .joined()
    }

    private var levels: String {
        chart.levels.map { "<path class=\"level\" d=\"M0 \(Self.coordinate(y($0.value)))H1000\"/>" }.joined(separator: "\n")
    }

    private var levelLabels: String {
        chart.levels.map { "<span class=\"l\" style=\"top:\(Self.percent(y($0.value)))\">\(HTMLText.clean($0.label))</span>" }.joined()
    }

    private var lines: String {
        // The thick line lies beneath, so that it hides no other.
        (chart.series.filter { $0.style == 2 } + chart.series.filter { $0.style != 2 }).map { series in
            var path = ""
            var isOpen = false
            for (index, point) in series.points.enumerated() {
                guard let value = point.y, chart.scale == .linear || value > 0 else {
                    isOpen = false
                    continue
                }
                path += "\(isOpen ? "L" : "M")\(Self.coordinate(x(point.x))) \(Self.coordinate(y(value)))"
                let hasNext = index + 1 < series.points.count && series.points[index + 1].y != nil
                // A point between two gaps would not show without a length.
                if !isOpen, !hasNext { path += "h0.01" }
                isOpen = true
            }
            return "<path class=\"line s\(series.style)\" d=\"\(path)\"/>"
        }.joined(separator: "\n")
    }

    private var areas: String {
        let count = chart.series.map(\.points.count).min() ?? 0
        var below = [Double](repeating: 0, count: count)
        var shapes: [String] = []
        for series in chart.series {
            let above = (0..<count).map { below[$0] + (series.points[$0].y ?? 0) }
            guard above != below, count > 0 else { continue }
            let top = (0..<count).map { "\(Self.coordinate(x(series.points[$0].x))) \(Self.coordinate(y(above[$0])))" }
            let bottom = (0..<count).reversed().map { "\(Self.coordinate(x(series.points[$0].x))) \(Self.coordinate(y(below[$0])))" }
            shapes.append("<path class=\"area s\(series.style)\" d=\"M\(top.joined(separator: "L"))L\(bottom.joined(separator: "L"))Z\"/>")
            below = above
        }
        return shapes.joined(separator: "\n")
    }

    // MARK: - In words

    private var legend: String {
        let items = chart.series.map { series in
            let mark =
                chart.isStacked
                ? "<rect class=\"area s\(series.style)\" width=\"24\" height=\"10\" y=\"1\"/>"
                : "<path class=\"line s\(series.style)\" d=\"M0 6H24\"/>"
            return
                "<li><svg viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\">\(mark)</svg> \(HTMLText.name(series.name))</li>"
        }
        let band =
            "<li><svg viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\"><rect class=\"band\" width=\"24\" height=\"12\"/></svg> outage</li>"
        return "<ul class=\"legend\">\(items.joined())\(chart.bands.isEmpty ? "" : band)</ul>\n"
    }

    /// What a reader sees who does not see the drawing.
    private var description: String {
        let parts = chart.series.compactMap { series -> String? in
            let values = series.points.compactMap(\.y)
            guard let low = values.min(), let high = values.max(), let last = values.last else { return nil }
            return "\(series.name): lowest \(text(low)), highest \(text(high)), last \(text(last))"
        }
        return (parts + (chart.bands.isEmpty ? [] : ["\(chart.bands.count) outage windows are marked"])).joined(separator: "; ") + "."
    }

    private func text(_ value: Double) -> String {
        chart.unit == .count ? label((value * 100).rounded() / 100) : chart.unit.text(value)
    }

    private var table: String {
        let count = chart.series.map(\.points.count).max() ?? 0
        let aligned = chart.series.filter { $0.points.count == count }
        guard count > 0, let first = aligned.first else { return "" }
        let step = max(1, (count + Self.tableRows - 1) / Self.tableRows)
        let rows = stride(from: 0, to: count, by: step).map { index in
            [ClockLabel.axis(first.points[index].x, of: chart.xMax)]
                + aligned.map { $0.points[index].y.map { HTMLText.clean(text($0)) } ?? "–" }
        }
        let head = [chart.abscissa == .runTime ? "run time" : "since the outage"] + aligned.map { HTMLText.name($0.name) }
        let title = "\(HTMLText.clean(chart.title)): \(step == 1 ? "all points" : "every \(step). point")"
        return "<details class=\"data\"><summary>As a table</summary>\(HTMLText.table(title, head: head, rows: rows))</details>\n"
    }

    /// The points for the script that shows values; a `<` is escaped, so that no text can end the element.
    private var points: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("unit")
        writer.string("\(chart.unit)")
        writer.key("max")
        writer.number(chart.xMax)
        writer.key("series")
        writer.beginArray()
        for series in chart.series {
            writer.beginObject()
            writer.key("name")
            writer.string(PrintableText.clean(String(series.name.prefix(HTMLText.limit))))
            writer.key("points")
            writer.beginArray()
            for point in series.points {
                guard let value = point.y else { continue }
                writer.beginArray()
                writer.number((point.x * 1000).rounded() / 1000)
                writer.number(Self.rounded(value))
                writer.endArray()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self).replacing("<", with: "\\u003c")
    }

    /// Four significant digits: what is shown has three.
    private static func rounded(_ value: Double) -> Double {
        guard value != 0, value.isFinite else { return 0 }
        let power = Ticks.exponent(abs(value))
        // A whole number, so that the result is the nearest to a short decimal.
        let scale = power < 1 ? 1000 * (1 / power).rounded() : 1000 / power
        return (value * scale).rounded() / scale
    }
}
