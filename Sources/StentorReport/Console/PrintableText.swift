/// Text from outside, made fit for a terminal.
enum PrintableText {
    /// The text on one line: every run of blanks, line ends and tabs becomes one blank; control characters, escape sequences' introducers,
    /// direction marks and all else that shows nothing are removed.
    static func clean(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace { kept.append(" ") } else if isVisible(scalar) { kept.append(scalar) }
        }
        return String(kept).split(separator: " ").joined(separator: " ")
    }

    /// How many columns a terminal gives to a cleaned text: none to combining marks, two to wide characters (Unicode TR 11), else one.
    static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// The text with blanks up to a width, behind it or before it.
    static func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - columns(text)))
        return isRight ? blanks + text : text + blanks
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
