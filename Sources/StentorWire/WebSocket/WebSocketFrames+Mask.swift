extension WebSocketFrames {
    /// Masks or unmasks bytes: the same XOR both ways (RFC 6455 § 5.3).
    ///
    /// - Parameters:
    ///   - target: At least as long as `source`; either the same memory or memory that does not overlap it.
    ///   - key: Its most significant byte is the first on the wire. 0 copies.
    ///   - phase: Position of the first source byte in the frame's payload; only its value modulo 4 counts.
    public static func mask(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, key: UInt32, phase: Int) {
        precondition(target.count >= source.count, "WebSocketFrames: mask target too short")
        let turn = UInt32(truncatingIfNeeded: phase & 3) * 8
        let turned = (key << turn) | (key >> ((32 - turn) & 31))
        let word = UInt64(turned.bigEndian) &* 0x1_0000_0001
        var index = 0
        // All four loads stand before the stores, so that they can be merged into vector registers even when both ranges are one.
        while index + 32 <= source.count {
            let first = source.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            let second = source.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self) ^ word
            let third = source.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self) ^ word
            let fourth = source.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self) ^ word
            target.storeBytes(of: first, toByteOffset: index, as: UInt64.self)
            target.storeBytes(of: second, toByteOffset: index + 8, as: UInt64.self)
            target.storeBytes(of: third, toByteOffset: index + 16, as: UInt64.self)
            target.storeBytes(of: fourth, toByteOffset: index + 24, as: UInt64.self)
            index += 32
        }
        while index + 8 <= source.count {
            let masked = source.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            target.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < source.count {
            target[index] = source[index] ^ UInt8(truncatingIfNeeded: turned >> UInt32(24 - 8 * (index & 3)))
            index += 1
        }
    }
}
