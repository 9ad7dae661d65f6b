import COpenSSL

/// A SHA-256 digest (FIPS 180-4): 32 bytes.
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Hashes some bytes.
    public init(of bytes: UnsafeRawBufferPointer) {
        self.init { SHA256(bytes.baseAddress, bytes.count, $0) }
    }

    /// Hashes some bytes.
    public init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { SHA256Digest(of: $0) }
    }

    /// Reads 64 hexadecimal digits of either case; nil for anything else.
    public init?(hex: String) {
        var hex = hex
        guard let digest = hex.withUTF8({ SHA256Digest(hex: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = digest
    }

    /// Reads 64 hexadecimal digits of either case; nil for anything else.
    public init?(hex: UnsafeRawBufferPointer) {
        guard hex.count == 64 else { return nil }
        for index in 0..<32 {
            guard let high = HexDigits.value(of: hex[2 * index]), let low = HexDigits.value(of: hex[2 * index + 1]) else { return nil }
            withUnsafeMutableBytes(of: &words) { $0[index] = high << 4 | low }
        }
    }

    /// Takes the digest that `fill` writes into 32 bytes.
    init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        withUnsafeMutableBytes(of: &words) { $0.withMemoryRebound(to: UInt8.self) { $0.baseAddress.map(fill) } }
    }

    /// Calls `body` with the 32 bytes.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: words, body)
    }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hex: String {
        withBytes { bytes in
            String(unsafeUninitializedCapacity: 64) { buffer in
                for (index, byte) in bytes.enumerated() {
                    buffer[2 * index] = HexDigits.text(byte >> 4)
                    buffer[2 * index + 1] = HexDigits.text(byte & 15)
                }
                return 64
            }
        }
    }

    /// Same as ``hex``.
    public var description: String { hex }

    /// Whether all bytes are equal.
    public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
        left.words == right.words
    }

    /// Feeds the digest's bytes.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }
}

/// SHA-1 (FIPS 180-4), which the WebSocket handshake asks for (RFC 6455 § 1.3); not for anything that must resist an attacker.
public enum SHA1Digest {
    /// The 20 bytes of the digest.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 20) { buffer, count in
            SHA1(bytes.baseAddress, bytes.count, buffer.baseAddress)
            count = 20
        }
    }
}
