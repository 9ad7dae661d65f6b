import StentorBase

/// Remembers the last so many texts by a 64-bit hash, so that a device costs 8 bytes per id and nothing before its first.
///
/// Two different texts count as one with a chance of 2⁻⁶⁴ per pair.
struct RecentKeys: Sendable {
    private let limit: UInt16
    private var next: UInt16 = 0
    private var hashes: [UInt64] = []

    /// Makes an empty memory of at most `limit` texts.
    init(limit: UInt16) {
        self.limit = limit
    }

    /// Whether the text is among the remembered ones.
    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        !hashes.isEmpty && hashes.contains(Self.hash(text))
    }

    /// Remembers a text in place of the oldest; false when it was there already.
    mutating func insert(_ text: UnsafeRawBufferPointer) -> Bool {
        let hash = Self.hash(text)
        guard !hashes.contains(hash) else { return false }
        if hashes.count < Int(limit) {
            hashes.append(hash)
        } else {
            hashes[Int(next)] = hash
            next = (next + 1) % limit
        }
        return true
    }

    /// FNV-1a over eight bytes at a time, then mixed.
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(text.count)
        var at = 0
        while at + 8 <= text.count {
            hash = SplitMix64.mixed(hash ^ text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at += 8
        }
        while at < text.count {
            hash = (hash ^ UInt64(text[at])) &* 0x0000_0100_0000_01B3
            at += 1
        }
        return SplitMix64.mixed(hash)
    }
}
