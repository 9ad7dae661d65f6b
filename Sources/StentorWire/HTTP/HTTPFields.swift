import StentorBase

/// The header fields of a message, in order; names compare without regard to case (RFC 9110 § 5).
public struct HTTPFields: Equatable, Sendable {
    /// One field line.
    public struct Field: Equatable, Sendable {
        /// The name as written.
        public let name: String
        /// The value without surrounding blanks.
        public let value: String
    }

    /// The most fields that a head may have.
    public static let countLimit = 100

    /// All fields in their order.
    public private(set) var all: [Field] = []

    /// Makes an empty list.
    public init() {}

    /// Makes a list of names and values; each must pass ``validate(name:value:)``.
    public init(_ pairs: [(String, String)]) {
        for (name, value) in pairs { append(name, value) }
    }

    /// Adds a field at the end; name and value must pass ``validate(name:value:)``, so check what comes from outside first.
    public mutating func append(_ name: String, _ value: String) {
        precondition(HTTPGrammar.isToken(name.utf8), "HTTPFields: name is not a token")
        precondition(HTTPGrammar.isFieldValue(value.utf8), "HTTPFields: value holds a control character")
        all.append(Field(name: name, value: String(HTTPGrammar.trimmed(value[...]))))
    }

    /// The values of all fields of this name, in order.
    public func values(of name: String) -> [String] {
        all.lazy.filter { HTTPGrammar.equalsIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The value of the only field of this name; nil when there is none or more than one.
    public func only(_ name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// The value of the first field of this name; nil when there is none.
    public func first(_ name: String) -> String? {
        all.first { HTTPGrammar.equalsIgnoringCase($0.name, name) }?.value
    }

    /// Whether a field of this name is there.
    public func contains(_ name: String) -> Bool {
        first(name) != nil
    }

    /// The members of a comma-separated list over all fields of this name, in lower case, without blanks and empty members.
    public func members(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.split(separator: ",").map { HTTPGrammar.lowered(HTTPGrammar.trimmed($0)) }.filter { !$0.isEmpty }
        }
    }

    /// Checks a field that a user asks us to send.
    ///
    /// - Throws: ``UserFailure`` with cause `.profile` when the name is no token or the value holds CR, LF or another control character. The
    ///   message names the field, never its value.
    public static func validate(name: String, value: String) throws(UserFailure) {
        guard HTTPGrammar.isToken(name.utf8) else {
            let shown = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value > 0x20 && $0.value < 0x7F ? $0 : "?" }))
            throw UserFailure(.profile, "header name '\(shown)' is not a token", hint: "letters, digits and - only")
        }
        guard HTTPGrammar.isFieldValue(value.utf8) else {
            throw UserFailure(.profile, "value of header '\(name)' holds a control character")
        }
    }

    /// Appends the field lines, each ended by CRLF.
    func write(to bytes: inout [UInt8]) {
        for field in all { bytes += Array("\(field.name): \(field.value)\r\n".utf8) }
    }
}
