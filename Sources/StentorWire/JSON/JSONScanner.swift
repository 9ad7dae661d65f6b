/// Reads JSON texts (RFC 8259) in one pass over their UTF-8 bytes, without a copy or an allocation.
///
/// Strict: grammar, escapes, paired surrogates, UTF-8 inside strings, nothing but blanks behind the value, at most 64 levels of nesting. A
/// number of more than 19 digits or with a far exponent takes a slower path that may allocate.
public enum JSONScanner {
    /// The deepest accepted nesting; the outermost object or array is level 1.
    public static let depthLimit = 64

    /// Reads a text that must be an object, and calls `member` for each of its own members in the order of the text.
    ///
    /// Duplicate keys are all reported. Nested values are checked to their end before `member` hears of them. After a failure the members
    /// that were already reported mean nothing.
    ///
    /// - Parameters:
    ///   - bytes: The buffer; key and value ranges are offsets in it.
    ///   - range: The part of the buffer to read: an object that was reported before. Nil reads the whole buffer.
    /// - Throws: ``JSONFailure`` with the offset of the first byte at fault.
    public static func readObject(
        _ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil, _ member: (JSONText, JSONValue) -> Void
    ) throws(JSONFailure) {
        var cursor = JSONCursor(bytes, range)
        try cursor.open(UInt8(ascii: "{"))
        cursor.skipBlanks()
        if cursor.take(UInt8(ascii: "}")) { return try cursor.requireEnd() }
        while true {
            let key = try cursor.key()
            cursor.skipBlanks()
            let value = try cursor.value()
            member(key, value)
            cursor.skipBlanks()
            if cursor.take(UInt8(ascii: "}")) { return try cursor.requireEnd() }
            try cursor.require(UInt8(ascii: ","))
            cursor.skipBlanks()
        }
    }

    /// Reads a text that must be an array, and calls `element` for each of its own elements in order; otherwise as
    /// ``readObject(_:in:_:)``.
    public static func readArray(
        _ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil, _ element: (JSONValue) -> Void
    ) throws(JSONFailure) {
        var cursor = JSONCursor(bytes, range)
        try cursor.open(UInt8(ascii: "["))
        cursor.skipBlanks()
        if cursor.take(UInt8(ascii: "]")) { return try cursor.requireEnd() }
        while true {
            let value = try cursor.value()
            element(value)
            cursor.skipBlanks()
            if cursor.take(UInt8(ascii: "]")) { return try cursor.requireEnd() }
            try cursor.require(UInt8(ascii: ","))
            cursor.skipBlanks()
        }
    }
}
