import StentorBase
import StentorMetrics

/// Pieces of HTML.
enum HTMLText {
    /// The longest text from outside that is shown; what is cut shows as `…` and the number of characters.
    static let limit = 300

    /// Text from outside as content or attribute: without what does not show, not too long, escaped.
    static func clean(_ text: String, limit: Int = limit) -> String {
        let visible = PrintableText.clean(text)
        guard visible.count > limit else { return MarkupText.escaped(visible) }
        return MarkupText.escaped("\(visible.prefix(limit))… (\(visible.count) characters)")
    }

    /// Text from outside that keeps its own direction of writing.
    static func name(_ text: String) -> String { "<bdi>\(clean(text))</bdi>" }

    /// A count with its digits in groups of three.
    static func count(_ value: Int) -> String {
        var groups: [String] = []
        var rest = String(value.magnitude)[...]
        while rest.count > 3 {
            groups.insert(String(rest.suffix(3)), at: 0)
            rest = rest.dropLast(3)
        }
        groups.insert(String(rest), at: 0)
        return (value < 0 ? "−" : "") + groups.joined(separator: ",")
    }

    /// Something that was not measured.
    static let unknown = #"<span class="unknown">not measured</span>"#

    /// A table that can be scrolled sideways where it is too wide.
    ///
    /// - Parameters:
    ///   - caption: What it shows.
    ///   - head: The heads of its columns.
    ///   - texts: Which columns hold text; the others hold numbers and stand to the right.
    ///   - rows: Cells of HTML; the first of each row is its head.
    ///   - isGrouped: Whether neighbouring rows with the same head share it.
    static func table(
        _ caption: String, head: [String], texts: Set<Int> = [0], rows: [[String]], class kind: String = "", isGrouped: Bool = false
    ) -> String {
        func alignment(_ column: Int) -> String { texts.contains(column) ? "" : #" class="n""# }
        let heads = head.enumerated().map { #"<th scope="col"\#(alignment($0))>\#($1)</th>"# }.joined()
        var body = ""
        var index = 0
        while index < rows.count {
            let count = isGrouped ? rows[index...].prefix { $0[0] == rows[index][0] }.count : 1
            let scope = count > 1 ? #"scope="rowgroup" rowspan="\#(count)""# : #"scope="row""#
            for (offset, row) in rows[index..<index + count].enumerated() {
                let first = offset == 0 ? "<th \(scope)\(alignment(0))>\(row[0])</th>" : ""
                let rest = row.enumerated().dropFirst().map { "<td\(alignment($0))>\($1)</td>" }.joined()
                body += "<tr\(isGrouped && offset == 0 ? " class=\"first\"" : "")>\(first)\(rest)</tr>\n"
            }
            index += count
        }
        return """
            <div class="scroll" role="region" tabindex="0" aria-label="\(caption)"><table class="\(kind)">
            <caption>\(caption)</caption><thead><tr>\(heads)</tr></thead>
            <tbody>
            \(body)</tbody></table></div>

            """
    }

    /// A list of terms and what they are.
    static func facts(_ rows: [(String, String)]) -> String {
        "<dl class=\"facts\">" + rows.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" }.joined(separator: "\n") + "</dl>\n"
    }
}

/// Times as axes and tables show them.
enum ClockLabel {
    /// Seconds below two minutes, then `m:ss`, then `h:mm`, by the length of the axis.
    static func axis(_ seconds: Double, of total: Double) -> String {
        if total <= 120 { return seconds == 0 ? "0" : "\(short(seconds)) s" }
        let whole = Int(seconds.rounded())
        if total <= 7200 { return "\(whole / 60):\(padded(whole % 60))" }
        if total <= 2 * 86_400 { return "\(whole / 3600):\(padded(whole / 60 % 60)) h" }
        return whole % 86_400 == 0 ? "\(whole / 86_400) d" : "\(Quantity.fixed(seconds / 86_400, decimals: 1)) d"
    }

    /// `0:00:41`, `8:02:10`, with days before it when there are any.
    static func full(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds), 1e12))
        let text = "\(whole / 3600 % 24):\(padded(whole / 60 % 60)):\(padded(whole % 60))"
        return whole >= 86_400 ? "\(whole / 86_400) d \(text)" : text
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    private static func short(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : Quantity.fixed(value, decimals: 1)
    }
}
