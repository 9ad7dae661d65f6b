import StentorWire

extension JSONTree {
    /// Reads a text that must be an object.
    ///
    /// - Throws: ``JSONFailure`` when the text is no acceptable JSON.
    static func object(reading bytes: [UInt8]) throws(JSONFailure) -> JSONTree {
        let result: Result<JSONTree, JSONFailure> = bytes.withUnsafeBytes { buffer in
            do throws(JSONFailure) { return .success(try readObject(buffer, nil)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // The scanner checks nested values before it reports them, and bounds their depth, so the recursion is bounded too.
    private static func readObject(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>?) throws(JSONFailure) -> JSONTree {
        var found: [(key: String, value: JSONValue)] = []
        try JSONScanner.readObject(bytes, in: range) { found.append(($0.string(in: bytes), $1)) }
        var members: [Member] = []
        members.reserveCapacity(found.count)
        for (key, value) in found { members.append(Member(key: key, value: try read(bytes, value))) }
        return .object(members)
    }

    private static func readArray(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(JSONFailure) -> JSONTree {
        var found: [JSONValue] = []
        try JSONScanner.readArray(bytes, in: range) { found.append($0) }
        var elements: [JSONTree] = []
        elements.reserveCapacity(found.count)
        for value in found { elements.append(try read(bytes, value)) }
        return .list(elements)
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, _ value: JSONValue) throws(JSONFailure) -> JSONTree {
        switch value {
        case .string(let text): .text(text.string(in: bytes))
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .bool(let value): .bool(value)
        case .null: .null
        case .object(let range): try readObject(bytes, range)
        case .array(let range): try readArray(bytes, range)
        }
    }
}
