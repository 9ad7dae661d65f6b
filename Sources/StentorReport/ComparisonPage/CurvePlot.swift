import StentorBase
import StentorMetrics
import StentorWire

/// Curves with bands on even axes, drawn as ``ChartDrawing`` does: an SVG that is stretched, with labels of HTML that are not.
struct CurvePlot {
    /// A line with the band around it.
    struct Curve {
        var name: String
        /// Which of the style sheet's colours and dashes it has.
        var style: Int
        var line: [(x: Double, y: Double)]
        var upper: [(x: Double, y: Double)] = []
        var lower: [(x: Double, y: Double)] = []
        /// Where a mark stands on the line.
        var marks: [(x: Double, y: Double)] = []
    }

    /// A value on an axis and what stands beside it.
    struct Tick {
        var value: Double
        var label: String
    }

    /// What is told of a place when the pointer is there: lines of text.
    struct Readout {
        var x: Double
        var text: String
    }

    var id: String
    /// Cleaned already, as `note`, for they hold markup.
    var title: String
    var note: String
    /// What a reader is told who does not see the drawing; plain text.
    var description: String
    var xRange: ClosedRange<Double>
    var yRange: ClosedRange<Double>
    /// Where a value stands, 0...1 from below; nil: evenly within `yRange`.
    var yPlace: ((Double) -> Double)?
    var xTicks: [Tick]
    var yTicks: [Tick]
    var curves: [Curve]
    /// What stands below the axis.
    var xTitle: String
    /// What the legend says of bands and marks.
    var bandLegend: String
    var markLegend: String?
    /// A level to compare with, and its label.
    var level: Tick?
    var readouts: [Readout]

    /// The figure, with what belongs below the drawing.
    func html(below: String = "") -> String {
        let label = HTMLText.clean(description, limit: 900)
        return """
            <figure id="\(id)"><figcaption><h3>\(title)</h3><p>\(note)</p></figcaption>
            \(legend)<div class="plot tall" tabindex="0" role="group" aria-label="\(title): values by arrow keys">
            <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label="\(label)">
            \(curves.map(band).joined())\(grid)\(levelLine)\(curves.map(line).joined())</svg>
            \(labels)
            <script type="application/json" class="points">\(points)</script>
            </div>
            <p class="axis">\(xTitle)</p>
            \(below)</figure>


            """
    }

    // MARK: - Places

    private func x(_ value: Double) -> Double { share(value, xRange) * 1000 }
    private func y(_ value: Double) -> Double { (1 - (yPlace?(value) ?? share(value, yRange))) * 1000 }

    private func share(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        let width = range.upperBound - range.lowerBound
        return width > 0 ? min(1, max(0, (value - range.lowerBound) / width)) : 0
    }

    private static func coordinate(_ value: Double) -> String { CSVCell.number(value, decimals: 1) }
    private static func percent(_ value: Double) -> String { CSVCell.number(value / 10, decimals: 2) + "%" }

    /// Points that differ in what is drawn; a curve of thousands of steps has no more of them than the drawing can show.
    private func path(_ points: [(x: Double, y: Double)]) -> [String] {
        var kept: [String] = []
        var last: (x: Double, y: Double)?
        for (index, point) in points.enumerated() {
            let place = (x: x(point.x), y: y(point.y))
            if let last, index + 1 < points.count, abs(place.x - last.x) < 1, abs(place.y - last.y) < 1 { continue }
            kept.append("\(Self.coordinate(place.x)) \(Self.coordinate(place.y))")
            last = place
        }
        return kept
    }

    // MARK: - Marks

    private func band(_ curve: Curve) -> String {
        guard !curve.upper.isEmpty else { return "" }
        let outline = (path(curve.upper) + path(curve.lower).reversed()).joined(separator: "L")
        return "<path class=\"around s\(curve.style)\" d=\"M\(outline)Z\"/>\n"
    }

    private func line(_ curve: Curve) -> String {
        let marks = curve.marks.map { "M\(Self.coordinate(x($0.x))) \(Self.coordinate(y($0.y) - 22))v44" }
        let censored = marks.isEmpty ? "" : "<path class=\"tick s\(curve.style)\" d=\"\(marks.joined())\"/>\n"
        return "<path class=\"line s\(curve.style)\" d=\"M\(path(curve.line).joined(separator: "L"))\"/>\n\(censored)"
    }

    private var grid: String {
        "<path class=\"grid\" d=\"\(yTicks.map { "M0 \(Self.coordinate(y($0.value)))H1000" }.joined())\"/>\n"
    }

    private var levelLine: String {
        level.map { "<path class=\"nought\" d=\"M0 \(Self.coordinate(y($0.value)))H1000\"/>\n" } ?? ""
    }

    private var labels: String {
        let rows = yTicks.map { "<span class=\"y\" style=\"top:\(Self.percent(y($0.value)))\">\($0.label)</span>" }
        let columns = xTicks.enumerated().map { index, tick in
            let place = x(tick.value)
            let side = place < 1 ? " first" : place > 975 ? " last" : ""
            return "<span class=\"x\(side)\(index % 2 == 1 ? " odd" : "")\" style=\"left:\(Self.percent(place))\">\(tick.label)</span>"
        }
        return (rows + columns).joined()
    }

    private var legend: String {
        func item(_ mark: String, _ text: String) -> String {
            "<li><svg viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\">\(mark)</svg> \(text)</li>"
        }
        let lines = curves.map { item("<path class=\"line s\($0.style)\" d=\"M0 6H24\"/>", HTMLText.name($0.name)) }
        let band = item("<rect class=\"around s\(curves.first?.style ?? 1)\" width=\"24\" height=\"12\"/>", bandLegend)
        let marks = markLegend.map { item("<path class=\"line s6 solid\" d=\"M0 6H24\"/><path class=\"tick s6\" d=\"M12 1V11\"/>", $0) }
        return "<ul class=\"legend\">\(lines.joined())\(band)\(marks ?? "")</ul>\n"
    }

    /// What the script shows; a `<` is escaped, so that no text can end the element.
    private var points: String {
        var writer = JSONWriter()
        writer.beginArray()
        for readout in readouts {
            writer.beginArray()
            writer.number((share(readout.x, xRange) * 1e4).rounded() / 1e4)
            writer.string(readout.text)
            writer.endArray()
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self).replacing("<", with: "\\u003c")
    }
}

/// The names and colours of the sides in drawings.
enum SideStyle {
    static let (base, candidate) = (1, 3)
}
