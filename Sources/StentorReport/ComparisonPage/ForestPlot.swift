import StentorBase
import StentorMetrics

/// Numbers below each other on one axis: the difference with its interval, and the band of those that could not have been seen.
///
/// It is a table, so that it can be read without the drawings.
struct ForestPlot {
    let caption: String
    let numbers: [NumberComparison]
    /// Whether differences are shares of the base; otherwise shares themselves.
    let isRelative: Bool
    private let axis: StretchedAxis

    init(_ caption: String, _ numbers: [NumberComparison], isRelative: Bool) {
        (self.caption, self.numbers, self.isRelative) = (caption, numbers, isRelative)
        let values = numbers.flatMap { number -> [Double] in
            guard let row = Row(number, isRelative) else { return [] }
            return [row.low, row.value, row.high] + (row.band.map { [$0.lowerBound, $0.upperBound] } ?? [])
        }
        axis = StretchedAxis(core: isRelative ? 0.01 : 0.0001, values)
    }

    /// A finding in the unit of the axis.
    private struct Row {
        let value, low, high: Double
        /// The differences that could not have been seen.
        let band: ClosedRange<Double>?

        /// Nil when the difference has no place on the axis.
        init?(_ number: NumberComparison, _ isRelative: Bool) {
            guard let finding = number.finding else { return nil }
            let scale = isRelative ? number.base.value.map { abs($0) } ?? 0 : 1
            guard scale > 0 else { return nil }
            (value, low, high) = (finding.difference.value / scale, finding.difference.low / scale, finding.difference.high / scale)
            let seen = finding.smallestShown.map { abs($0) / scale }
            // Of counts that should be 0 only more of them is looked for.
            let isOfCounts = if case .exact = finding.method { true } else { false }
            band = seen.map { (isOfCounts ? 0 : -$0)...$0 }
        }
    }

    var html: String {
        guard !numbers.isEmpty else { return "" }
        let head = ["number", "base → candidate", "", "difference and 95 % interval", "verdict"].enumerated().map { index, text in
            let content = index == 2 ? "<div class=\"fx ax\"><span class=\"vh\">drawing</span>\(tickLabels)</div>" : text
            return "<th scope=\"col\" role=\"columnheader\"\(index == 2 ? " class=\"fp\"" : "")>\(content)</th>"
        }.joined()
        return """
            <div class="scroll" role="region" tabindex="0" aria-label="\(caption)"><table class="forest" role="table">
            <caption>\(caption)</caption><thead role="rowgroup"><tr role="row">\(head)</tr></thead>
            <tbody role="rowgroup">
            \(numbers.map(row).joined())</tbody></table></div>

            """
    }

    private var tickLabels: String {
        axis.ticks.enumerated().map { index, tick in
            let text = DifferenceText.signed(tick * 100) { CSVCell.number($0, decimals: 4) }
            // Where there is little room every other one is left out, never 0.
            let kind = (index + (axis.ticks.firstIndex(of: 0) ?? 0)) % 2 == 1 ? " class=\"odd\"" : ""
            return "<span\(kind) style=\"left:\(Self.percent(axis.place(tick)))\">\(tick == 0 ? "0" : text)</span>"
        }.joined()
    }

    private func row(_ number: NumberComparison) -> String {
        guard let finding = number.finding else { return "" }
        let text = DifferenceText(number)
        let change = text.change(finding.difference.value)
        let interval = text.interval(finding.difference.low, finding.difference.high, text.change)
        let name = "\(NumberTerm(number).link)<small>\(FindingText.direction(number.better))</small>"
        let values = "<span>\(FindingText.value(number, number.base))</span> <span>→ \(FindingText.value(number, number.candidate))</span>"
        let cells = [
            ("fv", values), ("fp", drawing(number, finding)), ("fd", "<b>\(change)</b> <span class=\"ci\">\(interval)</span>"),
            ("fr", FindingText.verdict(finding.verdict)),
        ]
        let rest = cells.map { "<td role=\"cell\" class=\"\($0.0)\">\($0.1)</td>" }.joined()
        return "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\" class=\"fn\">\(name)</th>\(rest)</tr>\n"
    }

    private func drawing(_ number: NumberComparison, _ finding: Finding) -> String {
        let grid = axis.ticks.filter { $0 != 0 }.map { "M\(x($0)) 0V100" }.joined()
        guard let row = Row(number, isRelative) else {
            return "<div class=\"fx\"><span class=\"unknown\">the base is 0: no share of it</span></div>"
        }
        let band = row.band.map { band in
            let width = (axis.place(band.upperBound) - axis.place(band.lowerBound)) * 1000
            return
                "<rect class=\"blind\" x=\"\(x(band.lowerBound))\" y=\"0\" width=\"\(CSVCell.number(width, decimals: 1))\" height=\"100\"/>"
        }
        let kind = Self.kind(finding.verdict)
        let whisker = "<path class=\"whisker \(kind)\" d=\"M\(x(row.low)) 50H\(x(row.high))M\(x(row.low)) 32V68M\(x(row.high)) 32V68\"/>"
        return """
            <div class="fx" aria-hidden="true"><svg viewBox="0 0 1000 100" preserveAspectRatio="none">\(band ?? "")<path class="grid" d="\(grid)"/>\
            <path class="nought" d="M\(x(0)) 0V100"/>\(whisker)</svg>\(Self.mark(kind, at: axis.place(row.value)))</div>
            """
    }

    static func kind(_ verdict: ComparisonVerdict?) -> String {
        switch verdict {
        case .worse: "worse"
        case .better: "better"
        case .noDifferenceShown: "same"
        case nil: "open"
        }
    }

    /// A square, a disc, a ring or a bar: each verdict has its own shape.
    static func mark(_ kind: String, at place: Double?) -> String {
        let shape =
            switch kind {
            case "worse": "M1 1H13V13H1Z"
            case "better": "M7 0.5A6.5 6.5 0 1 1 6.99 0.5Z"
            case "same": "M7 1.5A5.5 5.5 0 1 1 6.99 1.5Z"
            default: "M7 1L13 7L7 13L1 7Z"
            }
        let style = place.map { " style=\"left:\(percent($0))\"" } ?? ""
        return
            "<svg class=\"pt \(kind)\" viewBox=\"0 0 14 14\" width=\"14\" height=\"14\" aria-hidden=\"true\"\(style)><path d=\"\(shape)\"/></svg>"
    }

    private func x(_ value: Double) -> String { CSVCell.number(axis.place(value) * 1000, decimals: 1) }
    private static func percent(_ share: Double) -> String { CSVCell.number(share * 100, decimals: 2) + "%" }

    /// What the shapes and the band mean.
    static let legend: String = {
        let marks = [
            ("worse", "worse"), ("better", "better"), ("same", "no difference shown"), ("open", "not judged"),
        ].map { "<li>\(mark($0.0, at: nil)) \($0.1)</li>" }.joined()
        let whisker =
            "<li><svg viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\"><path class=\"whisker open\" d=\"M1 6H23M1 2V10M23 2V10\"/></svg> 95 % interval</li>"
        let band =
            "<li><svg viewBox=\"0 0 24 12\" width=\"24\" height=\"12\" aria-hidden=\"true\"><rect class=\"blind\" width=\"24\" height=\"12\"/></svg> too small to be seen: a true difference in this band would have been shown less often than 8 times of 10</li>"
        return "<ul class=\"legend\">\(marks)\(whisker)\(band)</ul>\n"
    }()
}
