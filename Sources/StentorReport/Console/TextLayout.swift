/// Lines and tables of a given width.
struct TextLayout {
    /// Columns per line.
    let width: Int

    /// A text broken at blanks; lines after the first begin with `indent`.
    ///
    /// A word longer than a line is broken too.
    func wrapped(_ head: String, _ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = PrintableText.padded(head, to: indent)
        var isEmpty = true
        for word in text.split(separator: " ").flatMap({ pieces(String($0), of: width - indent) }) {
            if !isEmpty, PrintableText.columns(line) + 1 + PrintableText.columns(word) > width {
                lines.append(line)
                (line, isEmpty) = (String(repeating: " ", count: indent), true)
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Items separated by commas, broken between items only, unless one is longer than a line.
    func list(_ head: String, _ items: [String], indent: Int) -> [String] {
        var lines: [String] = []
        var line = PrintableText.padded(head, to: indent)
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            let text = isLast ? item : item + ","
            if index > 0, PrintableText.columns(line) + 1 + PrintableText.columns(text) > width {
                lines.append(line)
                line = String(repeating: " ", count: indent) + text
            } else {
                line += index == 0 ? text : " " + text
            }
        }
        return (lines + [line]).flatMap { PrintableText.columns($0) > width ? rewrapped($0, indent: indent) : [$0] }
    }

    /// Rows in columns as wide as their widest cell, two blanks apart, or one where two do not fit; they may be longer than a line.
    ///
    /// - Parameters:
    ///   - rows: All with the same number of cells.
    ///   - rightAligned: The columns of numbers.
    ///   - indent: Blanks before each row.
    func table(_ rows: [[String]], rightAligned: Set<Int>, indent: Int) -> [String] {
        guard let first = rows.first else { return [] }
        let widths = first.indices.map { column in rows.map { PrintableText.columns($0[column]) }.max() ?? 0 }
        let cells = widths.reduce(indent, +)
        let gap = cells + 2 * (widths.count - 1) <= width ? 2 : 1
        return rows.map { row in
            let padded = row.enumerated().map { PrintableText.padded($1, to: widths[$0], isRight: rightAligned.contains($0)) }
            let line = String(repeating: " ", count: indent) + padded.joined(separator: String(repeating: " ", count: gap))
            return Self.trimmed(line)
        }
    }

    /// Whether no line is too long.
    func fits(_ lines: [String]) -> Bool { lines.allSatisfy { PrintableText.columns($0) <= width } }

    private func rewrapped(_ line: String, indent: Int) -> [String] {
        let head = String(line.prefix(indent))
        return wrapped(head, String(line.dropFirst(indent)), indent: indent)
    }

    private func pieces(_ word: String, of width: Int) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for character in word {
            if !piece.isEmpty, PrintableText.columns(piece) + PrintableText.columns(String(character)) > width {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return pieces + [piece]
    }

    private static func trimmed(_ line: String) -> String {
        guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
        return String(line[...last])
    }
}
