/// Decodes strict base64 (RFC 4648 § 4) that arrives in pieces of any length.
///
/// Strict: padding is required and stands at the end only, no blanks or line breaks, and the unused bits of the last group are zero. After an
/// invalid piece the decoder stays invalid.
public struct Base64StreamDecoder: Sendable {
    /// Characters of a group whose other characters have not come yet, first in the highest byte.
    private var pending: UInt32 = 0
    private var pendingCount = 0
    private var isEnded = false
    private var isInvalid = false

    /// Starts a text.
    public init() {}

    /// Decodes the next piece.
    ///
    /// - Parameters:
    ///   - input: The piece; may be empty.
    ///   - output: Room for at least ``Base64/decodedBound(_:)`` of the piece's length; must not overlap the piece.
    /// - Returns: Bytes written; nil when the text is no strict base64.
    public mutating func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        precondition(output.count >= Base64.decodedBound(input.count), "Base64StreamDecoder: output too small")
        guard !isInvalid else { return nil }
        let written = Base64Tables.values.withUnsafeBufferPointer { decode(input, output, $0) }
        if written == nil { isInvalid = true }
        return written
    }

    /// Ends the text: whether it was valid and its last group complete.
    public mutating func finish() -> Bool {
        !isInvalid && pendingCount == 0
    }

    private mutating func decode(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ values: UnsafeBufferPointer<UInt32>
    ) -> Int? {
        var from = 0
        var to = 0
        while pendingCount > 0, from < input.count {
            guard push(input[from], output, &to, values) else { return nil }
            from += 1
        }
        if !isEnded { decodeGroups(input, &from, output, &to, values) }
        while from < input.count {
            guard push(input[from], output, &to, values) else { return nil }
            from += 1
        }
        return to
    }

    /// Decodes whole groups up to the first that holds padding or a byte outside the alphabet.
    @inline(__always)
    private func decodeGroups(
        _ input: UnsafeRawBufferPointer, _ from: inout Int, _ output: UnsafeMutableRawBufferPointer, _ to: inout Int,
        _ values: UnsafeBufferPointer<UInt32>
    ) {
        var read = from
        var write = to
        while read &+ 4 <= input.count {
            let group =
                values[Int(input[read])] | values[256 &+ Int(input[read &+ 1])] | values[512 &+ Int(input[read &+ 2])]
                | values[768 &+ Int(input[read &+ 3])]
            guard group < Base64Tables.invalid else { break }
            output[write] = UInt8(truncatingIfNeeded: group >> 16)
            output[write &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
            output[write &+ 2] = UInt8(truncatingIfNeeded: group)
            read &+= 4
            write &+= 3
        }
        from = read
        to = write
    }

    /// Takes one character of a group that is incomplete or the last.
    private mutating func push(
        _ byte: UInt8, _ output: UnsafeMutableRawBufferPointer, _ to: inout Int, _ values: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        guard !isEnded else { return false }
        pending = pending << 8 | UInt32(byte)
        pendingCount += 1
        guard pendingCount == 4 else { return true }
        pendingCount = 0
        let padding = pending & 0xFFFF == 0x3D3D ? 2 : pending & 0xFF == 0x3D ? 1 : 0
        var group = values[Int(pending >> 24)] | values[256 + Int(pending >> 16 & 255)]
        if padding < 2 { group |= values[512 + Int(pending >> 8 & 255)] }
        if padding < 1 { group |= values[768 + Int(pending & 255)] }
        let unused: UInt32 = padding == 2 ? 0xFFFF : padding == 1 ? 0xFF : 0
        guard group < Base64Tables.invalid, group & unused == 0 else { return false }
        for index in 0..<3 - padding {
            output[to] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
            to += 1
        }
        isEnded = padding > 0
        return true
    }
}
