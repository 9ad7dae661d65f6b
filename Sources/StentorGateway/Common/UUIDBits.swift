import StentorBase

/// A UUID as 128 bits: the ids that the gateway gives to messages, cards and photos, without a string each.
struct UUIDBits: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Makes a random (version 4) UUID (RFC 9562 § 5.4).
    init(_ random: inout SeededRandom) {
        high = random.next() & ~0xF000 | 0x4000
        low = random.next() & ~(0xC000 << 48) | 0x8000 << 48
    }

    /// Reads the canonical lower-case text, the only one that the gateway writes; nil for anything else.
    init?(lowerCase text: UnsafeRawBufferPointer) {
        guard UUIDBits.isUUID(text) else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var nibbles = 0
        for byte in text where byte != UInt8(ascii: "-") {
            guard byte < UInt8(ascii: "A") || byte >= UInt8(ascii: "a") else { return nil }
            let value = UInt64(byte < UInt8(ascii: "a") ? byte - UInt8(ascii: "0") : byte - UInt8(ascii: "a") + 10)
            if nibbles < 16 { words.0 = words.0 << 4 | value } else { words.1 = words.1 << 4 | value }
            nibbles += 1
        }
        (high, low) = words
    }

    /// Appends the 36 characters of the canonical text in lower case.
    func append(to target: inout [UInt8]) {
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { target.append(UInt8(ascii: "-")) }
            let value = UInt8(truncatingIfNeeded: (nibble < 16 ? high : low) >> UInt64(60 - 4 * (nibble % 16))) & 15
            target.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
    }

    /// The canonical text in lower case.
    var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a text is 8-4-4-4-12 hexadecimal digits of either case.
    static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
                else { return false }
            }
        }
        return true
    }
}
