import Glibc

/// Tells IP addresses from names.
enum IPAddress {
    /// An IPv4 address in dotted decimal form; its first byte.
    case v4(UInt8)
    /// An IPv6 address; whether it is ::1.
    case v6(isLoopback: Bool)

    /// Reads an address as inet_pton(3) does; nil for anything else, short forms such as `127.1` included.
    init?(_ text: String) {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt8(truncatingIfNeeded: UInt32(bigEndian: v4.s_addr) >> 24))
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &v6) { Array($0) }
        self = .v6(isLoopback: bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 })
    }
}
