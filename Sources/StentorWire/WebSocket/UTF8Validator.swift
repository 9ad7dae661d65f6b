/// Checks UTF-8 as it arrives, in pieces of any size, and fails at the first byte that cannot belong to a valid text.
///
/// Strict after RFC 3629 § 4: no overlong forms, no surrogates, nothing past U+10FFFF. Allocates nothing; skips ASCII eight bytes and more at a time.
public struct UTF8Validator: Sendable {
    /// Continuation bytes that the current character still lacks, 0...3.
    private var missing: UInt8 = 0
    /// Bounds of the next continuation byte; narrower than 80...BF only after E0, ED, F0 and F4.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF
    private var hasFailed = false

    /// Makes a validator at the start of a text.
    public init() {}

    /// Takes the next bytes of the text.
    ///
    /// - Returns: False once the text can no longer become valid; it stays false from then on.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !hasFailed else { return false }
        var index = 0
        while true {
            if missing == 0 { index = Self.endOfASCII(bytes, from: index) }
            guard index < bytes.count else { return true }
            let isPossible = missing == 0 ? lead(bytes[index]) : follow(bytes[index])
            guard isPossible else {
                hasFailed = true
                return false
            }
            index += 1
        }
    }

    /// Whether the text may end here: it was valid so far and no character is cut off.
    ///
    /// Stays callable; changes nothing.
    public func finish() -> Bool {
        !hasFailed && missing == 0
    }

    private mutating func lead(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }

    private mutating func follow(_ byte: UInt8) -> Bool {
        guard byte >= lowest, byte <= highest else { return false }
        (lowest, highest) = (0x80, 0xBF)
        missing -= 1
        return true
    }

    /// The index of the first byte at or after `start` that is not ASCII; the count when there is none.
    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var index = start
        while index + 32 <= bytes.count {
            let first = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let second = bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
            let third = bytes.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self)
            let fourth = bytes.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self)
            guard (first | second | third | fourth) & highBits == 0 else { break }
            index += 32
        }
        while index + 8 <= bytes.count {
            let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) & highBits
            guard high == 0 else { return index + high.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
