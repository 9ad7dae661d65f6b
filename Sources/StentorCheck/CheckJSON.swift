import StentorWire

/// A JSON object that a gateway sent: its members as they lie in its bytes.
struct CheckObject {
    private let bytes: [UInt8]
    private let members: [String: JSONValue]

    /// Reads an object; nil when the bytes are none.
    init?(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        var members: [String: JSONValue] = [:]
        let isObject = bytes.withUnsafeBytes { buffer in
            do throws(JSONFailure) {
                try JSONScanner.readObject(buffer, in: range) { members[$0.string(in: buffer)] = $1 }
                return true
            } catch {
                return false
            }
        }
        guard isObject else { return nil }
        self.members = members
    }

    /// Whether it has a member.
    func has(_ key: String) -> Bool { members[key] != nil }

    /// A text; nil without one.
    subscript(key: String) -> String? {
        members[key]?.text.map { text in bytes.withUnsafeBytes { text.string(in: $0) } }
    }

    /// A whole number; nil without one.
    func integer(_ key: String) -> Int? { members[key]?.wholeNumber.map { Int(clamping: $0) } }

    /// Whether a member is `true`.
    func isTrue(_ key: String) -> Bool { members[key]?.truth == true }

    /// Whether a member is a number.
    func isNumber(_ key: String) -> Bool {
        switch members[key] {
        case .integer, .number: true
        case .string, .bool, .null, .object, .array, nil: false
        }
    }

    /// The objects in a list; empty without one.
    func objects(_ key: String) -> [CheckObject] {
        guard case .array(let range) = members[key] else { return [] }
        var ranges: [Range<Int>] = []
        bytes.withUnsafeBytes { buffer in
            try? JSONScanner.readArray(buffer, in: range) { if case .object(let range) = $0 { ranges.append(range) } }
        }
        return ranges.compactMap { CheckObject(bytes, in: $0) }
    }
}

/// A value in a message that the check sends.
enum CheckValue {
    case text(String)
    case integer(Int)
    case number(Double)
    case null
    case object([String: CheckValue])

    /// An object as JSON, its members in the order of their names.
    static func json(_ members: [String: CheckValue]) -> [UInt8] {
        var json = JSONWriter()
        CheckValue.object(members).write(to: &json)
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .text(let text): json.string(text)
        case .integer(let value): json.integer(value)
        case .number(let value): json.number(value)
        case .null: json.null()
        case .object(let members):
            json.beginObject()
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                json.key(key)
                value.write(to: &json)
            }
            json.endObject()
        }
    }
}

extension CheckValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(dictionaryLiteral elements: (String, CheckValue)...) { self = .object(Dictionary(elements) { $1 }) }
}
