import StentorWire

/// The members that a device may send, at any level.
enum HermesField: Int, CaseIterable {
    case t, id, text, v, token, device, user, format, data, kind, mime, part, parts, filename, caption
    case promptID, optionID, name, platform, appVersion

    /// The key on the wire.
    var key: StaticString {
        switch self {
        case .t: "t"
        case .id: "id"
        case .text: "text"
        case .v: "v"
        case .token: "token"
        case .device: "device"
        case .user: "user"
        case .format: "format"
        case .data: "data"
        case .kind: "kind"
        case .mime: "mime"
        case .part: "part"
        case .parts: "parts"
        case .filename: "filename"
        case .caption: "caption"
        case .promptID: "prompt_id"
        case .optionID: "option_id"
        case .name: "name"
        case .platform: "platform"
        case .appVersion: "app_version"
        }
    }
}

/// What a member of one frame type must be.
struct HermesRule {
    enum Kind { case text, integer, object }

    let field: HermesField
    let kind: Kind
    let isMandatory: Bool

    private init(_ field: HermesField, _ kind: Kind, _ isMandatory: Bool = true) {
        self.field = field
        self.kind = kind
        self.isMandatory = isMandatory
    }

    static let hello = [
        HermesRule(.v, .integer), HermesRule(.token, .text), HermesRule(.device, .object), HermesRule(.user, .object),
    ]
    static let device = [
        HermesRule(.id, .text), HermesRule(.name, .text), HermesRule(.platform, .text), HermesRule(.appVersion, .text),
    ]
    static let text = [HermesRule(.id, .text), HermesRule(.text, .text)]
    static let audio = [
        HermesRule(.id, .text), HermesRule(.format, .text), HermesRule(.data, .text), HermesRule(.text, .text, false),
    ]
    static let media = [
        HermesRule(.id, .text), HermesRule(.kind, .text), HermesRule(.mime, .text), HermesRule(.data, .text), HermesRule(.part, .integer),
        HermesRule(.parts, .integer), HermesRule(.filename, .text, false), HermesRule(.caption, .text, false),
    ]
    static let prompt = [HermesRule(.promptID, .text), HermesRule(.optionID, .text, false), HermesRule(.text, .text, false)]

    func accepts(_ value: JSONValue) -> Bool {
        switch (kind, value) {
        case (.text, .string), (.integer, .integer), (.object, .object): true
        default: false
        }
    }
}

/// The members of one object that a device sent: ranges, valid with the bytes they were read from. Made once and used again.
struct HermesFields {
    private var values = [JSONValue?](repeating: nil, count: HermesField.allCases.count)
    /// Keys that no frame has.
    private(set) var unknown: [JSONText] = []
    private static let fields = HermesField.allCases

    /// The value of a member; nil when it is missing, or was of the wrong type and `check` has run.
    subscript(field: HermesField) -> JSONValue? {
        get { values[field.rawValue] }
        set { values[field.rawValue] = newValue }
    }

    /// Reads an object; false when it is none. The last of duplicate keys counts.
    mutating func read(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil) -> Bool {
        for index in values.indices { values[index] = nil }
        unknown.removeAll(keepingCapacity: true)
        do throws(JSONFailure) {
            try JSONScanner.readObject(bytes, in: range) { key, value in
                if let field = Self.fields.first(where: { key.equals($0.key, in: bytes) }) {
                    values[field.rawValue] = value
                } else {
                    unknown.append(key)
                }
            }
            return true
        } catch {
            return false
        }
    }

    /// The text of a string member.
    func text(_ field: HermesField) -> JSONText? {
        self[field]?.text
    }

    /// The text of a string member as a `String`.
    func string(_ field: HermesField, in bytes: UnsafeRawBufferPointer) -> String? {
        self[field]?.text?.string(in: bytes)
    }

    /// A whole number; a huge one is cut to the range of `Int32`, in which no valid value lies near the ends.
    func integer(_ field: HermesField) -> Int? {
        guard case .integer(let value) = self[field] else { return nil }
        return Int(Int32(clamping: value))
    }

    /// Judges the members by the rules of their frame, forgets values of the wrong type, and gives what is wrong.
    mutating func check(_ rules: [HermesRule], in bytes: UnsafeRawBufferPointer) -> [(kind: String, field: String)] {
        var wrong: [(kind: String, field: String)] = []
        var known: UInt32 = 1
        for rule in rules {
            known |= 1 << UInt32(rule.field.rawValue)
            if let value = self[rule.field] {
                guard !rule.accepts(value) else { continue }
                self[rule.field] = nil
                wrong.append(("field_type", "\(rule.field.key)"))
            } else if rule.isMandatory {
                wrong.append(("field_missing", "\(rule.field.key)"))
            }
        }
        for field in Self.fields where values[field.rawValue] != nil && known & 1 << UInt32(field.rawValue) == 0 {
            wrong.append(("field_extra", "\(field.key)"))
        }
        for key in unknown { wrong.append(("field_extra", key.string(in: bytes))) }
        return wrong
    }
}
