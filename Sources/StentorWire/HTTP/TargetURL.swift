import Glibc
import StentorBase

/// Where a gateway is: a `ws://`, `wss://`, `http://` or `https://` URL (RFC 3986; RFC 6455 § 3).
///
/// Printing it leaves the query out, as that may hold a token.
public struct TargetURL: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The schemes spoken.
    public enum Scheme: String, CaseIterable, Sendable {
        /// WebSocket over TCP.
        case ws
        /// WebSocket over TLS.
        case wss
        /// HTTP over TCP.
        case http
        /// HTTP over TLS.
        case https

        /// Whether the connection is encrypted.
        public var isSecure: Bool { self == .wss || self == .https }
        /// The port when the URL names none: 80 or 443.
        public var defaultPort: UInt16 { isSecure ? 443 : 80 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// A name in lower case, an IPv4 address, or an IPv6 address without its brackets.
    public let host: String
    /// The TCP port, 1...65535.
    public let port: UInt16
    /// Path and query as given, at least `/`: may hold a token, so never print it.
    public private(set) var target: String

    /// Whether the connection is encrypted.
    public var isSecure: Bool { scheme.isSecure }

    /// The value of the `Host` field: brackets around IPv6, the port only when it is not the scheme's default.
    public var hostHeader: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    /// Whether the host is an IP address; then no name is sent in the TLS handshake (RFC 6066 § 3).
    public var isAddress: Bool { host.contains(":") || Self.isIPv4(host) }

    /// Whether the host is this machine by its name or address: `localhost` and names below it, 127.0.0.0/8, `::1`.
    public var isLoopback: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        if host.contains(":") { return Self.ipv6Bytes(host) == [UInt8](repeating: 0, count: 15) + [1] }
        return Self.isIPv4(host) && host.hasPrefix("127.")
    }

    /// The URL without its query: `?…` stands for one.
    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let path = target.prefix { $0 != "?" }
        return "\(scheme.rawValue)://\(name):\(port)\(path)\(path.count < target.count ? "?…" : "")"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Reads a URL.
    ///
    /// - Parameters:
    ///   - text: Scheme, host, optional port, optional path and query. User names, passwords and fragments are refused.
    ///   - cause: The kind of failure thrown; `.arguments` for a flag. Default `.profile`.
    ///   - place: Where the text stands, for the failure.
    /// - Throws: ``UserFailure``; its message quotes nothing that may be a secret.
    public init(_ text: String, cause: UserFailure.Cause = .profile, place: String = "") throws(UserFailure) {
        func failure(_ message: String, hint: String = "") -> UserFailure {
            UserFailure(cause, message, place: place, hint: hint)
        }
        guard HTTPGrammar.isVisible(text.utf8) else {
            throw failure(
                text.isEmpty ? "URL is empty" : "URL holds a character that must be percent-encoded",
                hint: text.isEmpty
                    ? "for instance wss://gateway.example/ws" : "no blanks, controls or non-ASCII letters; a host in its xn-- form")
        }
        guard let colon = text.firstRange(of: "://") else {
            throw failure("URL has no scheme", hint: "begin with ws://, wss://, http:// or https://")
        }
        let word = text[..<colon.lowerBound].lowercased()
        guard let scheme = Scheme(rawValue: word) else {
            throw failure("URL scheme is not known", hint: Suggestion.hint(for: word, among: Scheme.allCases.map(\.rawValue)))
        }
        let rest = text[colon.upperBound...]
        guard !rest.contains("#") else {
            throw failure("URL has a fragment ('#')", hint: "write a '#' that belongs to the path or query as %23")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw failure("URL holds a user name", hint: "give credentials in keys of their own, not in the URL")
        }
        switch Self.split(authority, defaultPort: scheme.defaultPort) {
        case .failure(let fault): throw failure(fault.message)
        case .success(let (host, port)): (self.host, self.port) = (host, port)
        }
        self.scheme = scheme
        let tail = rest[authority.endIndex...]
        target = tail.first == "/" ? String(tail) : "/" + tail
    }

    /// This URL with one more query item, both parts percent-encoded but for unreserved characters, so that `+` arrives as `+`.
    public func appendingQuery(name: String, value: String) -> TargetURL {
        var result = self
        let separator = target.contains("?") ? (target.hasSuffix("?") || target.hasSuffix("&") ? "" : "&") : "?"
        result.target += "\(separator)\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        return result
    }
}

extension TargetURL {
    private struct Fault: Error {
        let message: String
    }

    private static func split(_ authority: Substring, defaultPort: UInt16) -> Result<(String, UInt16), Fault> {
        var host = authority.prefix { $0 != ":" }
        let isBracketed = authority.first == "["
        if isBracketed {
            guard let end = authority.firstIndex(of: "]") else { return .failure(Fault(message: "URL has an IPv6 address without ']'")) }
            host = authority[authority.index(after: authority.startIndex)..<end]
        }
        let rest = authority[(isBracketed ? authority.index(after: host.endIndex) : host.endIndex)...]
        guard isBracketed ? ipv6Bytes(String(host)) != nil : isHostName(host) else {
            return .failure(Fault(message: host.isEmpty ? "URL has no host" : "URL host is not valid"))
        }
        var port = defaultPort
        if !rest.isEmpty {
            guard rest.first == ":", let number = HTTPGrammar.number(rest.dropFirst()), let exact = UInt16(exactly: number), exact > 0
            else {
                return .failure(Fault(message: "URL port is not in 1...65535"))
            }
            port = exact
        }
        return .success((host.lowercased(), port))
    }

    /// Whether the text is a host name (RFC 1123 § 2.1, underscores allowed as in practice) or an IPv4 address.
    private static func isHostName(_ text: Substring) -> Bool {
        let name = text.hasSuffix(".") ? text.dropLast() : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, let last = labels.last else { return false }
        // A name that ends in a number would be taken for an address by some resolvers (WHATWG URL § 3.5).
        if HTTPGrammar.number(last) != nil { return isIPv4(String(text)) }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { HTTPGrammar.isAlphanumeric($0) || "-_".utf8.contains($0) }
        }
    }

    private static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    private static func ipv6Bytes(_ text: String) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: address) { Array($0) }
    }
}
