import StentorBase

/// Cells of CSV files (RFC 4180), safe to open in a spreadsheet.
enum CSVCell {
    /// A number with at most so many decimals, the shortest form; empty when it is not known.
    static func number(_ value: Double?, decimals: Int = 3) -> String {
        guard let value, value.isFinite else { return "" }
        let text = Quantity.fixed(value, decimals: decimals)
        guard text.contains(".") else { return text }
        let kept = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(kept.reversed())
    }

    /// Text that may come from outside, on one line; what a spreadsheet would take for a formula begins with an apostrophe.
    ///
    /// Source: OWASP, CSV injection.
    static func text(_ value: String) -> String {
        var text = PrintableText.clean(value)
        if let first = text.first, "=+-@".contains(first) { text = "'" + text }
        guard text.contains(where: { ",\"".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The cells of a line; nil when its quotes do not match.
    static func split(_ line: some StringProtocol) -> [String]? {
        var cells: [String] = []
        var cell = ""
        var rest = line[...]
        while true {
            guard rest.first == "\"" else {
                let plain = rest.prefix { $0 != "," }
                cell = String(plain)
                rest = rest[plain.endIndex...]
                cells.append(cell)
                guard rest.popFirst() != nil else { return cells }
                continue
            }
            cell = ""
            rest.removeFirst()
            while let end = rest.firstIndex(of: "\"") {
                cell += rest[..<end]
                rest = rest[rest.index(after: end)...]
                guard rest.first == "\"" else { break }
                cell += "\""
                rest.removeFirst()
            }
            cells.append(cell)
            guard let separator = rest.popFirst() else { return cells }
            guard separator == "," else { return nil }
        }
    }
}
