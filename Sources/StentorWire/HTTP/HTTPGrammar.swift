/// The character classes and small rules of HTTP/1.1 (RFC 9110 § 5, RFC 9112).
enum HTTPGrammar {
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")

    /// Whether the bytes are a `token` (RFC 9110 § 5.6.2): a method, a field name, a list member.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        if isAlphanumeric(byte) { return true }
        return switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"): true
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// Whether the bytes may be a field's value (RFC 9110 § 5.5): no control characters but the tab.
    static func isFieldValue(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == tab || ($0 >= 0x20 && $0 != 0x7F) }
    }

    /// Whether the bytes are visible ASCII without spaces, as in a request target or a `Host` value; false when empty.
    static func isVisible(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// The number that one or more digits write; saturates.
    ///
    /// Nil for anything else, a sign included.
    static func number(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text) ?? .max
    }

    static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Whether two texts are equal but for the case of ASCII letters.
    static func equalsIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        left.utf8.lazy.map(lowered).elementsEqual(right.utf8.lazy.map(lowered))
    }

    /// The text with its ASCII letters in lower case; no other letter becomes ASCII, as `lowercased()` would make of the Kelvin sign.
    static func lowered(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map(lowered), as: UTF8.self)
    }

    /// The text without spaces and tabs at its ends.
    static func trimmed(_ text: Substring) -> Substring {
        var rest = text.utf8
        while let first = rest.first, first == space || first == tab { rest.removeFirst() }
        while let last = rest.last, last == space || last == tab { rest.removeLast() }
        return Substring(rest)
    }
}
