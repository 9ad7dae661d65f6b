/// Text for XML and HTML.
enum MarkupText {
    /// The text with the five characters escaped that mean something in XML and HTML, in content and between quotes.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { special.contains($0) }) else { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let special: Set<UInt8> = Set("&<>\"'".utf8)
}
