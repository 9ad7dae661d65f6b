import CStentorSystem

/// Unpredictable bits from the kernel, drawn 4 KiB at a time. Confined to one thread.
///
/// RFC 6455 § 5.3 asks for mask keys from a strong source of entropy, fresh for each frame.
public final class SecureRandomPool {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    private var used = 4096

    /// Makes a pool; nothing is drawn before the first use.
    public init() {}

    deinit { bytes.deallocate() }

    /// The next 32 bits.
    public func nextUInt32() -> UInt32 {
        if used + 4 > bytes.count { refill() }
        defer { used += 4 }
        return bytes.loadUnaligned(fromByteOffset: used, as: UInt32.self)
    }

    /// The next bytes, for nonces.
    public func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: nextUInt32() >> 13) }
    }

    private func refill() {
        // SAFETY: 4 KiB were allocated in init.
        let result = stentor_random_bytes(bytes.baseAddress!, bytes.count)
        precondition(result == 0, "SecureRandomPool: getrandom failed")
        used = 0
    }
}
