/// A string inside a JSON buffer: the range between the quotes, and whether it holds escapes.
///
/// Valid only with the bytes it came from, which the scanner has checked.
public struct JSONText: Equatable, Sendable {
    /// The bytes between the quotes, as offsets in the buffer.
    public let range: Range<Int>
    /// Whether a backslash is among them; if not, the bytes are the value.
    public let isEscaped: Bool

    /// Names a range that a scanner has checked.
    public init(range: Range<Int>, isEscaped: Bool) {
        self.range = range
        self.isEscaped = isEscaped
    }

    /// Compares the unescaped value with a text, byte by byte (no Unicode normalisation).
    @inlinable
    public func equals(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard isEscaped || range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { equals(UnsafeRawBufferPointer($0), in: bytes) }
    }

    /// Compares the unescaped value with UTF-8 bytes.
    @inlinable
    public func equals(_ other: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard isEscaped else {
            guard range.count == other.count else { return false }
            for index in 0..<other.count where bytes[range.lowerBound &+ index] != other[index] { return false }
            return true
        }
        return equalsEscaped(other, in: bytes)
    }

    /// The unescaped value as a `String`.
    public func string(in bytes: UnsafeRawBufferPointer) -> String {
        guard isEscaped else { return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self) }
        var unescaped: [UInt8] = []
        append(to: &unescaped, in: bytes)
        return String(decoding: unescaped, as: UTF8.self)
    }

    /// Appends the unescaped value as UTF-8 bytes.
    public func append(to target: inout [UInt8], in bytes: UnsafeRawBufferPointer) {
        unescapedRuns(in: bytes) { run in
            target.append(contentsOf: run)
            return true
        }
    }

    /// Calls `body` with the unescaped value in one piece: where it lies if it has no escapes, else in temporary memory.
    public func withUnescaped<Result>(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard isEscaped else { return body(UnsafeRawBufferPointer(rebasing: bytes[range])) }
        // No escape is shorter than the UTF-8 that it stands for.
        return withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 1) { buffer in
            var count = 0
            unescapedRuns(in: bytes) { run in
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: run)
                count += run.count
                return true
            }
            return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Calls `body` with the unescaped value in consecutive pieces, without an allocation, until it answers false.
    ///
    /// A text without escapes is one piece; an empty text is none.
    public func unescapedRuns(in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool) {
        guard isEscaped else {
            if !range.isEmpty { _ = body(UnsafeRawBufferPointer(rebasing: bytes[range])) }
            return
        }
        var at = range.lowerBound
        while at < range.upperBound {
            let start = at
            while at < range.upperBound, bytes[at] != UInt8(ascii: "\\") { at += 1 }
            if at > start, !body(UnsafeRawBufferPointer(rebasing: bytes[start..<at])) { return }
            guard at < range.upperBound else { return }
            let (scalar, next) = JSONEscape.read(bytes, after: at)
            at = next
            let goesOn = JSONEscape.withUTF8(scalar, body)
            if !goesOn { return }
        }
    }

    @usableFromInline
    func equalsEscaped(_ other: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Bool {
        var matched = 0
        var isEqual = true
        unescapedRuns(in: bytes) { run in
            isEqual = run.count <= other.count - matched && run.elementsEqual(other[matched..<matched + run.count])
            matched += run.count
            return isEqual
        }
        return isEqual && matched == other.count
    }
}

/// Escapes of strings that the scanner has accepted (RFC 8259 § 7).
enum JSONEscape {
    /// The scalar that the escape at `backslash` stands for, and the offset behind the escape.
    static func read(_ bytes: UnsafeRawBufferPointer, after backslash: Int) -> (scalar: UInt32, next: Int) {
        let letter = bytes[backslash + 1]
        guard letter == UInt8(ascii: "u") else { return (UInt32(simple(letter) ?? letter), backslash + 2) }
        let unit = hexUnit(bytes, at: backslash + 2) ?? 0xFFFD
        guard unit & 0xFC00 == 0xD800, backslash + 12 <= bytes.count, let low = hexUnit(bytes, at: backslash + 8) else {
            return (unit, backslash + 6)
        }
        return (0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF), backslash + 12)
    }

    /// The byte that a one-letter escape stands for; nil for letters that are no escape.
    static func simple(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Four hexadecimal digits, which must be in the buffer, as a UTF-16 unit; nil if one is none.
    static func hexUnit(_ bytes: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
        var unit: UInt32 = 0
        for index in start..<start + 4 {
            guard let digit = HexDigits.value(of: bytes[index]) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Calls `body` with the UTF-8 of a scalar.
    static func withUTF8(_ scalar: UInt32, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var packed: UInt32
        let count: Int
        switch scalar {
        case 0..<0x80: (packed, count) = (scalar, 1)
        case 0x80..<0x800: (packed, count) = (0xC0 | scalar >> 6 | (0x80 | scalar & 0x3F) << 8, 2)
        case 0x800..<0x10000:
            (packed, count) = (0xE0 | scalar >> 12 | (0x80 | scalar >> 6 & 0x3F) << 8 | (0x80 | scalar & 0x3F) << 16, 3)
        default:
            packed = 0xF0 | scalar >> 18 | (0x80 | scalar >> 12 & 0x3F) << 8
            packed |= (0x80 | scalar >> 6 & 0x3F) << 16 | (0x80 | scalar & 0x3F) << 24
            count = 4
        }
        packed = packed.littleEndian
        return withUnsafeBytes(of: &packed) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}

/// Hexadecimal digits of either case.
enum HexDigits {
    /// The value of a digit, 0...15; nil for any other byte.
    @inline(__always)
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}
