/// Colours and weights of terminal text, or none.
struct TerminalStyle: Sendable {
    /// What a piece of text means.
    enum Role: Sendable {
        case plain
        case title
        case faint
        case good
        case warning
        case bad
    }

    let hasColours: Bool

    /// The text with its escapes around it (ECMA-48 § 8.3.117); unchanged without colours.
    func paint(_ text: String, _ role: Role) -> String {
        guard hasColours, let code = Self.code(role) else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private static func code(_ role: Role) -> String? {
        switch role {
        case .plain: nil
        case .title: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }
}

/// A line of pieces of text, cut to a width before any escape is added.
struct StyledLine: Sendable {
    private(set) var pieces: [(text: String, role: TerminalStyle.Role)] = []
    private var free: Int

    init(columns: Int) {
        free = columns
    }

    /// Columns that are left.
    var freeColumns: Int { free }

    /// Appends a text, without its control characters, as far as there is room.
    mutating func append(_ text: String, _ role: TerminalStyle.Role = .plain) {
        let fitted = TerminalText.clean(text, limit: free)
        guard !fitted.isEmpty else { return }
        free -= TerminalText.width(of: fitted)
        pieces.append((fitted, role))
    }

    /// Appends a text only if all of it fits and `leaving` columns stay free.
    ///
    /// - Returns: Whether it did.
    mutating func appendWhole(_ text: String, leaving columns: Int) -> Bool {
        guard TerminalText.width(of: TerminalText.clean(text)) + columns <= free else { return false }
        append(text)
        return true
    }

    /// Appends blanks and a text, `columns` in all.
    mutating func appendRight(_ text: String, columns: Int, _ role: TerminalStyle.Role) {
        append(String(repeating: " ", count: max(0, columns - TerminalText.width(of: TerminalText.clean(text)))))
        append(text, role)
    }

    /// Appends a text and blanks up to a width of `columns`, at least two, as far as there is room.
    mutating func appendCell(_ text: String, columns: Int, _ role: TerminalStyle.Role = .plain) {
        let before = free
        append(text, role)
        append(String(repeating: " ", count: min(free, max(2, columns - (before - free)))))
    }

    /// Fills with blanks so that `text` ends at the last column.
    mutating func appendAtEnd(_ text: String, _ role: TerminalStyle.Role = .plain) {
        let width = TerminalText.width(of: TerminalText.clean(text))
        guard width <= free else { return }
        append(String(repeating: " ", count: free - width))
        append(text, role)
    }

    /// The line with its escapes, without blanks at its end.
    func styled(_ style: TerminalStyle) -> String {
        let last = pieces.lastIndex { !$0.text.allSatisfy { $0 == " " } }
        return pieces[..<(last.map { $0 + 1 } ?? 0)].map { style.paint($0.text, $0.role) }.joined()
    }
}
