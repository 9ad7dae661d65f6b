import StentorWire

/// A JSON value that keeps the order of its members, for files that people read.
indirect enum JSONTree: Sendable, Equatable {
    /// A member of an object.
    struct Member: Sendable, Equatable {
        let key: String
        let value: JSONTree
    }

    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that may not fit the signed range: a seed.
    case unsigned(UInt64)
    /// NaN and the infinities, which JSON lacks, are written as `null`.
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([Member])

    /// An object of these members, in this order.
    static func object(_ members: KeyValuePairs<String, JSONTree>) -> JSONTree {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }

    /// A number, or null when it is not known.
    static func number(_ value: Double?) -> JSONTree { value.map { .number($0) } ?? .null }
    /// A whole number, or null when it is not known.
    static func integer(_ value: Int?) -> JSONTree { value.map { .integer(Int64($0)) } ?? .null }
    /// A text, or null when it is nil or empty.
    static func filledText(_ value: String?) -> JSONTree { value.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null }

    /// The members of an object; nil for any other value.
    var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The value of a member; nil when this is no object or has no such member.
    subscript(key: String) -> JSONTree? { members?.first { $0.key == key }?.value }
}

extension JSONTree {
    /// The text as UTF-8: two blanks a level, a member a line, empty containers on one line, a newline at the end.
    var prettyBytes: [UInt8] {
        var printer = JSONPrinter()
        printer.print(self, level: 0)
        return printer.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONTree {
    /// The text as UTF-8 on one line, with a newline at its end: a line of a `.jsonl` file.
    var lineBytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .unsigned(let value): value > Int64.max ? writer.number(Double(value)) : writer.integer(Int64(value))
        case .number(let value): writer.number(value)
        case .text(let value): writer.string(value)
        case .list(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}

/// Writes a ``JSONTree`` with line breaks.
private struct JSONPrinter {
    var bytes: [UInt8] = []
    private var scalar = JSONWriter()

    mutating func print(_ value: JSONTree, level: Int) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += "\(value)".utf8
        case .unsigned(let value): bytes += "\(value)".utf8
        case .number(let value): write { $0.number(value) }
        case .text(let value): write { $0.string(value) }
        case .list(let elements):
            block("[", "]", level, elements) { printer, element in printer.print(element, level: level + 1) }
        case .object(let members):
            block("{", "}", level, members) { printer, member in
                printer.write { $0.string(member.key) }
                printer.bytes += ": ".utf8
                printer.print(member.value, level: level + 1)
            }
        }
    }

    private mutating func block<Item>(
        _ open: String, _ close: String, _ level: Int, _ items: [Item], _ body: (inout JSONPrinter, Item) -> Void
    ) {
        bytes += open.utf8
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(level + 1)
            body(&self, item)
        }
        if !items.isEmpty { breakLine(level) }
        bytes += close.utf8
    }

    private mutating func breakLine(_ level: Int) {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func write(_ body: (inout JSONWriter) -> Void) {
        scalar.reset()
        body(&scalar)
        bytes += scalar.bytes
    }
}
