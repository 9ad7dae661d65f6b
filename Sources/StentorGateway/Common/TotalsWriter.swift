/// Writes the totals: one line of JSON, with a blank after each comma and colon.
struct TotalsWriter {
    /// What was written so far.
    private(set) var text = ""
    private var needsComma = false

    /// Writes an object, or a member that is one.
    mutating func object(_ key: String? = nil, _ members: (inout TotalsWriter) -> Void) {
        if let key { self.key(key) }
        text += "{"
        needsComma = false
        members(&self)
        text += "}"
        needsComma = true
    }

    /// Writes a whole number.
    mutating func member(_ key: String, _ value: Int) {
        self.key(key)
        text += String(value)
    }

    /// Writes a whole number unless it is 0.
    mutating func nonzero(_ key: String, _ value: Int) {
        if value != 0 { member(key, value) }
    }

    /// Writes a list of whole numbers.
    mutating func member(_ key: String, _ values: [Int]) {
        self.key(key)
        text += "[" + values.map(String.init).joined(separator: ", ") + "]"
    }

    /// Writes milliseconds as seconds, without needless zeros: `0.5`, `12.034`.
    mutating func member(_ key: String, halfMilliseconds: Int) {
        self.key(key)
        let digits = String(halfMilliseconds * 5 % 10_000 + 10_000).dropFirst()
        let trimmed = digits.reversed().drop { $0 == "0" }.reversed()
        text += "\(halfMilliseconds / 2000)." + (trimmed.isEmpty ? "0" : String(trimmed))
    }

    /// Writes counters by name, in the order of their names.
    mutating func member(_ key: String, _ counters: [String: Int]) {
        object(key) { json in
            for (name, count) in counters.sorted(by: { $0.key < $1.key }) { json.member(name, count) }
        }
    }

    private mutating func key(_ key: String) {
        if needsComma { text += ", " }
        needsComma = true
        text += "\"" + Self.escaped(key) + "\": "
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                result += "\\"
                result.unicodeScalars.append(scalar)
            } else if scalar.value < 0x20 {
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
