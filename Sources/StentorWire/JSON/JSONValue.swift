/// A value inside a JSON buffer, without a copy: texts, objects and arrays are ranges, valid only with the bytes they came from.
public enum JSONValue: Equatable, Sendable {
    /// A string.
    case string(JSONText)
    /// A number without fraction and exponent that fits 64 bits; `-0` is 0.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null
    /// An object, braces included; already checked. See ``JSONScanner/readObject(_:in:_:)``.
    case object(Range<Int>)
    /// An array, brackets included; already checked. See ``JSONScanner/readArray(_:in:_:)``.
    case array(Range<Int>)

    /// The text of a string, nil for any other type.
    public var text: JSONText? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The whole number, nil for any other type; a number such as `2.0` or `1e3` counts as whole.
    public var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        case .string, .bool, .null, .object, .array: nil
        }
    }

    /// The truth value, nil for any other type.
    public var truth: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
}
