import Glibc

/// The URL of a gateway, taken apart (RFC 3986, RFC 6455 § 3).
public struct TargetURL: Sendable, Equatable {
    /// The URL as written.
    public let text: String
    /// Scheme in lower case: `ws` or `wss`.
    public let scheme: String
    /// Host name or IP address, without the brackets of IPv6, in lower case.
    public let host: String
    /// TCP port; 80 or 443 when the URL names none.
    public let port: UInt16
    /// What follows the authority: path and query, at least `/`.
    public let pathAndQuery: String

    /// Whether TLS is used.
    public var isSecure: Bool { scheme == "wss" || scheme == "https" }

    /// Value of the `Host` header: brackets around IPv6, the port unless it is the scheme's own (RFC 9110 § 7.2).
    public var hostHeader: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Whether the host is this machine for certain: `localhost`, 127.0.0.0/8 or ::1; nothing is resolved.
    public var isLoopback: Bool {
        switch IPAddress(host) {
        case .v4(let first): first == 127
        case .v6(let isLoopback): isLoopback
        case nil: host == "localhost"
        }
    }
}

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

extension TargetURL {
    /// Takes a URL apart.
    ///
    /// The complaint never quotes the URL, which may hold a credential.
    init(_ text: String, schemes: [String], example: String) throws(Complaint) {
        guard let separator = Self.separator(in: text), schemes.contains(text[..<separator.lowerBound].lowercased()) else {
            throw Complaint(
                "expected a URL such as \(example)", hint: "it begins with \(schemes.map { "\($0)://" }.joined(separator: " or "))")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Complaint("the URL holds a character that must be percent-encoded", hint: "write a blank as %20")
        }
        guard !text.contains("#") else { throw Complaint("the URL has a fragment", hint: "remove the '#' and what follows it") }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Complaint("the URL holds credentials", hint: "give them in keys of their own, not in the URL")
        }
        let (host, port) = try Self.split(authority)
        let tail = rest.dropFirst(authority.count)
        self.text = text
        scheme = text[..<separator.lowerBound].lowercased()
        self.host = host.lowercased()
        self.port = port ?? (scheme == "wss" || scheme == "https" ? 443 : 80)
        pathAndQuery = tail.first == "/" ? String(tail) : "/" + tail
    }

    private static func separator(in text: String) -> Range<String.Index>? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return colon..<text.index(colon, offsetBy: 3)
    }

    private static func split(_ authority: Substring) throws(Complaint) -> (host: Substring, port: UInt16?) {
        var host = authority
        var portText: Substring?
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw Complaint("the URL's '[' has no ']'") }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.first == ":", case .v6 = IPAddress(String(host)) else {
                throw Complaint("the URL's host is no IPv6 address", hint: "write it as [::1]")
            }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            portText = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty else { throw Complaint("the URL has no host") }
        guard authority.first == "[" || host.utf8.allSatisfy(isNameByte) else {
            throw Complaint("the URL's host holds a character that no host name has")
        }
        guard let portText else { return (host, nil) }
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText), port > 0 else {
            throw Complaint("the URL's port is not a number from 1 to 65535")
        }
        return (host, port)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
