import Foundation

/// A JSON document that a program printed or wrote, read by a test.
public enum Facts: Sendable, Equatable, Decodable {
    /// A number; whole ones are exact up to 2⁵³.
    case number(Double)
    /// A text.
    case text(String)
    /// True or false.
    case bool(Bool)
    /// A list.
    case list([Facts])
    /// An object.
    case object([String: Facts])
    /// Null, or what is not there.
    case null

    /// Reads a document.
    ///
    /// - Throws: ``ChildFailure`` with the beginning of what is no JSON.
    public init(_ text: String) throws {
        do {
            self = try JSONDecoder().decode(Facts.self, from: Data(text.utf8))
        } catch {
            throw ChildFailure("no JSON (\(error)): \(text.prefix(500))")
        }
    }

    /// Reads one value, whatever it is.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([Facts].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: Facts].self))
        }
    }

    /// What stands at a path of keys; ``null`` when a part of the path is missing.
    public subscript(path: String...) -> Facts {
        path.reduce(self) { if case .object(let members) = $0 { members[$1] ?? .null } else { .null } }
    }

    /// The members of an object, none of anything else.
    public var members: [String: Facts] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The elements of a list, none of anything else.
    public var elements: [Facts] {
        if case .list(let list) = self { list } else { [] }
    }

    /// A whole number; nil for anything else.
    public var count: Int? {
        if case .number(let number) = self { Int(exactly: number) } else { nil }
    }

    /// A number; nil for anything else.
    public var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// A text; nil for anything else.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
