/// Makes untrusted text harmless for a terminal, and fits text into columns.
public enum TerminalText {
    /// Removes what a terminal could obey: control characters, line breaks, and the invisible characters that reorder text.
    ///
    /// - Parameters:
    ///   - text: Any text: an argument, a close reason, a name.
    ///   - limit: The most columns to keep; nil: all. What is cut shows as `…`.
    public static func clean(_ text: String, limit: Int? = nil) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isDangerous(scalar) { scalars.append(scalar) }
        let cleaned = String(scalars)
        return limit.map { fitted(cleaned, columns: $0) } ?? cleaned
    }

    /// Cuts a text to so many columns; what is cut shows as `…`.
    public static func fitted(_ text: String, columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let next = width(of: character)
            if used + next > columns - 1 { break }
            kept.append(character)
            used += next
        }
        return kept + "…"
    }

    /// How many columns a text takes: two for East Asian wide characters and emoji, none for combining marks.
    public static func width(of text: String) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 0x300 { return 1 }
        // The wide blocks of Unicode Standard Annex #11, without its exceptions: too wide only cuts earlier.
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            let isWide = scalar.properties.isEmojiPresentation || character.unicodeScalars.contains { $0.value == 0xFE0F }
            return isWide ? 2 : scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Cc: ESC and other controls. Cf: bidirectional overrides, zero-width characters. Zl, Zp: line breaks.
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: false
        }
    }
}
