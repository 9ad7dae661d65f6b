import StentorBase

/// What is wrong with a single value; the place is known to whoever asked for it.
struct Complaint: Error {
    let message: String
    let hint: String

    init(_ message: String, hint: String = "") {
        self.message = message
        self.hint = hint
    }
}

/// Reads one kind of single value.
struct Reader<Value> {
    /// How a resolved profile shows it.
    enum Form { case plain, quoted, redacted }

    let form: Form
    let read: (YAMLScalar) throws(Complaint) -> Value
    private var display: (YAMLScalar) -> String = { $0.text }

    /// What a resolved profile may show of a value.
    func shown(_ scalar: YAMLScalar) -> String {
        form == .redacted ? "[redacted]" : display(scalar)
    }

    /// The same, shown in another way.
    func displayed(_ display: @escaping (YAMLScalar) -> String) -> Reader<Value> {
        var result = self
        result.display = display
        return result
    }

    init(_ form: Form = .plain, _ read: @escaping (YAMLScalar) throws(Complaint) -> Value) {
        self.form = form
        self.read = read
    }

    /// The same with one more step, for instance a range check.
    func then<Next>(_ step: @escaping (Value, YAMLScalar) throws(Complaint) -> Next) -> Reader<Next> {
        let read = read
        return Reader<Next>(Reader<Next>.form(like: form)) { scalar throws(Complaint) in try step(try read(scalar), scalar) }
    }

    private static func form<Other>(like other: Reader<Other>.Form) -> Form {
        switch other {
        case .plain: .plain
        case .quoted: .quoted
        case .redacted: .redacted
        }
    }
}

extension YAMLScalar {
    /// The value as faults quote it: as written, never with what the environment holds.
    var shown: String { isNothing ? "nothing" : "'\(shortened(written))'" }

    /// A number, a boolean or null to YAML: no text unless it is quoted.
    var impliedType: String? {
        guard isPlain, !usesEnvironment else { return nil }
        switch text.lowercased() {
        case "yes", "no", "on", "off", "true", "false": return "a boolean"
        case "null", "~": return "null"
        default: return Self.isNumber(text) ? "a number" : nil
        }
    }

    // YAML 1.2 § 10.3.2, int and float of the core schema.
    private static func isNumber(_ text: String) -> Bool {
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return false }
        if text.hasPrefix("0x") || text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: text.hasPrefix("0x") ? 16 : 8) != nil }
        let allowed: Set<Character> = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "e", "E", "+", "-"]
        return text.allSatisfy(allowed.contains) && Double(text) != nil
    }
}

extension Reader where Value == String {
    /// A text: not empty, no control characters, at most 4096 characters.
    static var text: Reader<String> {
        Reader(.quoted) { scalar throws(Complaint) in
            if let type = scalar.impliedType {
                throw Complaint("\(scalar.shown) is \(type), not a text", hint: "put it in quotes: \"\(scalar.written)\"")
            }
            return try checkedText(scalar)
        }
    }

    /// The same, refused without a word of what stands there.
    static var secretText: Reader<String> {
        Reader(.redacted) { scalar throws(Complaint) in
            if let type = scalar.impliedType { throw Complaint("the value is \(type), not a text", hint: "put it in quotes") }
            return try checkedText(scalar)
        }
    }

    private static func checkedText(_ scalar: YAMLScalar) throws(Complaint) -> String {
        if scalar.isNothing { throw Complaint("expected a text, found nothing", hint: "remove the key or give it a value") }
        if scalar.text.isEmpty {
            throw Complaint("the text is empty", hint: scalar.usesEnvironment ? "the environment variable is set, but empty" : "")
        }
        guard !scalar.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Complaint("the text holds a control character", hint: "a line break, for instance")
        }
        guard scalar.text.utf8.count <= 4096 else { throw Complaint("the text is longer than 4096 bytes") }
        return scalar.text
    }

    /// A name that file names, labels and test cases can hold.
    static var name: Reader<String> {
        text.then { text, scalar throws(Complaint) in
            let isFit = text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
            guard isFit, text.utf8.count <= 64 else {
                throw Complaint("\(scalar.shown) is no name", hint: "a name has 1 to 64 of the characters A-Z a-z 0-9 . _ -")
            }
            return text
        }
    }
}

extension Reader where Value == Secret {
    /// A secret text.
    static var secret: Reader<Secret> {
        Reader<String>.secretText.then { text, _ throws(Complaint) in Secret(text) }
    }
}

extension Reader where Value == Bool {
    /// `true` or `false`.
    static var boolean: Reader<Bool> {
        Reader { scalar throws(Complaint) in
            switch scalar.isPlain || scalar.usesEnvironment ? scalar.text : "" {
            case "true": return true
            case "false": return false
            default: throw Complaint("expected true or false, found \(scalar.shown)", hint: Self.hint(for: scalar))
            }
        }
    }

    private static func hint(for scalar: YAMLScalar) -> String {
        switch scalar.written.lowercased() {
        case "yes", "on", "true", "y": "write true, without quotes"
        case "no", "off", "false", "n": "write false, without quotes"
        default: ""
        }
    }
}

extension Reader where Value: FixedWidthInteger {
    /// A whole number in a range.
    static func integer(_ range: ClosedRange<Value>) -> Reader<Value> {
        Reader { scalar throws(Complaint) in
            let digits = scalar.text.hasPrefix("-") ? scalar.text.dropFirst() : scalar.text[...]
            let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isNumber, digits == "0" || digits.first != "0", scalar.isPlain || scalar.usesEnvironment else {
                let isQuoted = isNumber && !scalar.isPlain
                throw Complaint("expected a whole number, found \(scalar.shown)", hint: isQuoted ? "remove the quotes" : "")
            }
            guard let value = Value(scalar.text), range.contains(value) else {
                throw Complaint("\(scalar.shown) is out of range", hint: "from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }
}

extension Reader where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One word of a closed list.
    static func choice() -> Reader<Value> {
        Reader { scalar throws(Complaint) in
            if let value = Value(rawValue: scalar.text) { return value }
            let known = Value.allCases.map(\.rawValue)
            throw Complaint("unknown value \(scalar.shown)", hint: Suggestion.hint(for: scalar.written, among: known))
        }
    }
}
