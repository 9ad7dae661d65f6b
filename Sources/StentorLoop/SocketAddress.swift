import CStentorSystem

/// An IPv4 or IPv6 address with a port, as the kernel wants it.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Copies a `sockaddr_in` or `sockaddr_in6`.
    init(_ pointer: UnsafeRawPointer, length: Int) {
        bytes = Array(UnsafeRawBufferPointer(start: pointer, count: length))
    }

    /// Makes an address from an IP literal; nil when the text is none.
    public init?(literal: String, port: UInt16) {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, literal, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, literal, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            bytes = withUnsafeBytes(of: v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// `AF_INET` or `AF_INET6`.
    public var family: Int32 { Int32(bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }) }

    /// Whether a text is an IP address, not a name.
    public static func isLiteral(_ text: String) -> Bool {
        SocketAddress(literal: text, port: 0) != nil
    }

    /// Whether a socket can be bound to it: false only when the kernel says that no interface has it (EADDRNOTAVAIL).
    public var isOfThisMachine: Bool {
        let descriptor = stentor_tcp_socket(family)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return withPointer { stentor_bind(descriptor, $0, $1) } == 0 || stentor_errno() != EADDRNOTAVAIL
    }

    /// For instance `127.0.0.1:80` or `[::1]:80`.
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let port = UInt16(bigEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) })
            let offset = family == AF_INET ? 4 : 8
            return bytes.withUnsafeBytes { raw in
                // SAFETY: both address forms are longer than their offset, and the text's capacity is INET6_ADDRSTRLEN or more.
                guard inet_ntop(family, raw.baseAddress! + offset, text.baseAddress!, 64) != nil else { return "?" }
                let host = String(cString: text.baseAddress!)
                return family == AF_INET ? "\(host):\(port)" : "[\(host)]:\(port)"
            }
        }
    }

    func withPointer<Result>(_ body: (UnsafeRawPointer, socklen_t) -> Result) -> Result {
        // SAFETY: an address is never empty.
        bytes.withUnsafeBytes { body($0.baseAddress!, socklen_t($0.count)) }
    }
}
