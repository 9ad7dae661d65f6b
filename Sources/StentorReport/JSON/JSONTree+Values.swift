extension JSONTree {
    /// The text; nil for any other value.
    var string: String? {
        if case .text(let value) = self { value } else { nil }
    }

    /// The number; nil for any other value.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .text, .list, .object: nil
        }
    }

    /// The whole number; nil for any other value.
    var int: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        case .null, .bool, .text, .list, .object: nil
        }
    }

    /// The elements of a list; nil for any other value.
    var elements: [JSONTree]? {
        if case .list(let elements) = self { elements } else { nil }
    }
}
