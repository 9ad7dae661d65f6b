/// The mark `[#<sequence>]` inside a text, by which an echoing agent's reply is matched with the text it answers.
public enum ReplyMarker {
    /// The longest mark: a sign pair, 18 digits, a bracket.
    public static let longestBytes = 21

    /// The mark of a sequence, for instance `[#42]`; the sequence must not be negative and have 18 digits at most.
    public static func text(_ sequence: Int) -> String {
        "[#\(sequence)]"
    }

    /// The sequence of the first whole mark; nil if there is none.
    ///
    /// Works on UTF-8 without making a `String`.
    public static func find(in text: UnsafeRawBufferPointer) -> Int? {
        var at = 0
        while at &+ 3 < text.count {
            if text[at] == UInt8(ascii: "["), text[at &+ 1] == UInt8(ascii: "#"), let sequence = sequence(in: text, from: at &+ 2) {
                return sequence
            }
            at &+= 1
        }
        return nil
    }

    private static func sequence(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var value = 0
        var at = start
        while at < text.count, at &- start <= 18 {
            let digit = text[at] &- UInt8(ascii: "0")
            guard digit <= 9 else { return at > start && text[at] == UInt8(ascii: "]") ? value : nil }
            guard at &- start < 18 else { return nil }
            value = value * 10 + Int(digit)
            at += 1
        }
        return nil
    }
}
