/// The tables of `report.html`, taken apart again.
struct HTMLForm {
    /// By their captions: rows of cells, each row with its head, also where rows share one.
    private(set) var tables: [String: [[String]]] = [:]

    init(_ html: String) {
        for table in html.ranges(of: "<table") {
            let rest = html[table.lowerBound...]
            guard let end = rest.firstRange(of: "</table>"), let caption = Self.inner(rest[..<end.lowerBound], "caption") else { continue }
            let title = Self.text(caption)
            guard tables[title] == nil else { continue }
            tables[title] = Self.rows(rest[..<end.lowerBound])
        }
    }

    /// A table of two columns as numbers by name; digits may stand in groups.
    func numbers(_ caption: String) -> [String: Int] {
        Dictionary((tables[caption] ?? []).compactMap { row in Self.number(row[1]).map { (row[0], $0) } }) { $1 }
    }

    static func number(_ cell: String) -> Int? { Int(cell.filter { $0 != "," }) }

    private static func rows(_ table: Substring) -> [[String]] {
        guard let body = inner(table, "tbody") else { return [] }
        var head = ""
        return body.split(separator: "<tr").dropFirst(0).compactMap { row in
            var cells: [String] = []
            for cell in row.ranges(of: "<td") { cells.append(text(inner(row[cell.lowerBound...], "td") ?? "")) }
            if let own = inner(row, "th") { head = text(own) }
            return cells.isEmpty ? nil : [head] + cells
        }
    }

    /// What stands in the first element of a name.
    private static func inner(_ html: Substring, _ name: String) -> Substring? {
        guard let open = html.firstRange(of: "<\(name)"), let start = html[open.upperBound...].firstIndex(of: ">"),
            let close = html[start...].firstRange(of: "</\(name)>")
        else { return nil }
        return html[html.index(after: start)..<close.lowerBound]
    }

    private static func text(_ html: Substring) -> String {
        var text = ""
        var isTag = false
        for character in html {
            if character == "<" { isTag = true }
            if !isTag { text.append(character) }
            if character == ">" { isTag = false }
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacing(entity, with: character)
        }
        return text
    }
}
