/// Reads the query of a request the way form decoders do: a plus is a blank, so a device must encode a plus to have it survive.
enum QueryString {
    /// The items of the query of a request target, decoded; empty without a query.
    static func items(of target: String) -> [QueryItem] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return target[target.index(after: mark)...].split(separator: "&").map { item in
            let key = item.prefix { $0 != "=" }
            return QueryItem(key: decoded(key), value: decoded(item.dropFirst(key.count + 1)))
        }
    }

    /// A text without its percent-encoding; a broken escape stays as it is.
    private static func decoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2]) {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
