/// Why a text is no acceptable JSON (RFC 8259), and where.
public struct JSONFailure: Error, Equatable, Sendable {
    /// The kinds of fault; closed, so that they can be counted.
    public enum Cause: String, CaseIterable, Sendable {
        /// The text ends too early.
        case truncated
        /// The text is no object, or no array, where one was asked for.
        case wrongKind = "wrong_kind"
        /// A byte stands where the grammar does not allow it (RFC 8259 §§ 2-5).
        case unexpectedByte = "unexpected_byte"
        /// Something other than blanks follows the value.
        case trailingBytes = "trailing_bytes"
        /// A backslash is followed by no known escape, or by half a surrogate pair (RFC 8259 § 7).
        case badEscape = "bad_escape"
        /// A string is not UTF-8 (RFC 3629 § 3).
        case badUTF8 = "bad_utf8"
        /// A number breaks the grammar (RFC 8259 § 6) or is too large for a `Double`.
        case badNumber = "bad_number"
        /// Objects and arrays are nested deeper than 64.
        case tooDeep = "too_deep"
    }

    /// The kind of fault.
    public let cause: Cause
    /// The offset of the byte at fault, from the start of the buffer.
    public let offset: Int

    /// Makes a failure.
    public init(_ cause: Cause, at offset: Int) {
        self.cause = cause
        self.offset = offset
    }
}
