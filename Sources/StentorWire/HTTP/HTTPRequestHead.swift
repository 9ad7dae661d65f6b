/// The head of a request as a server reads it (RFC 9112 § 3).
public struct HTTPRequestHead: Equatable, Sendable {
    /// One item of the query: `name=value` or a bare `name`, percent-decoded.
    public struct QueryItem: Equatable, Sendable {
        /// The part before the first `=`.
        public let name: String
        /// The part after it; empty when there is none.
        ///
        /// A plus stays a plus.
        public let value: String

        /// Makes an item of decoded texts.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How the body that follows the head is delimited (RFC 9112 § 6.3).
    public enum Body: Equatable, Sendable {
        /// Exactly this many bytes follow; 0: no body.
        case bytes(Int)
        /// `Transfer-Encoding: chunked`.
        case chunked
    }

    /// The method as written, for instance `GET`.
    public let method: String
    /// The target as written: may hold a token, so never print it.
    public let target: String
    /// The path, percent-decoded; begins with `/`.
    ///
    /// It may hold `..`: check before opening files.
    public let path: String
    /// The query's items in order; empty when there is no query.
    public let query: [QueryItem]
    /// The header fields.
    public let fields: HTTPFields
    /// The digit after `HTTP/1.`.
    public let minorVersion: Int
    /// How the body is delimited.
    public let body: Body

    /// The value of the first query item of this name; nil when there is none.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// Whether the client lets the connection go on after the response (RFC 9112 § 9.3).
    public var allowsKeepAlive: Bool {
        let options = fields.members(of: "Connection")
        guard !options.contains("close") else { return false }
        return minorVersion >= 1 || options.contains("keep-alive")
    }

    init(_ head: HTTPHead) throws(HTTPHeadFailure) {
        let words = head.startLine.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, HTTPGrammar.isToken(words[0].utf8), HTTPGrammar.isVisible(words[1].utf8) else {
            throw HTTPHeadFailure(status: 400, reason: "bad request line")
        }
        method = String(words[0])
        target = String(words[1])
        fields = head.fields
        minorVersion = try Self.minorVersion(words[2])
        (path, query) = try Self.split(target)
        body = try Self.body(fields)
        let hosts = fields.values(of: "Host")
        guard hosts.count == 1 || (hosts.isEmpty && minorVersion == 0) else {
            throw HTTPHeadFailure(status: 400, reason: "exactly one Host field is due")
        }
    }

    private static func minorVersion(_ version: Substring) throws(HTTPHeadFailure) -> Int {
        let bytes = Array(version.utf8)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[6] == UInt8(ascii: "."), HTTPGrammar.isDigit(bytes[5]),
            HTTPGrammar.isDigit(bytes[7])
        else { throw HTTPHeadFailure(status: 400, reason: "bad HTTP version") }
        guard bytes[5] == UInt8(ascii: "1") else { throw HTTPHeadFailure(status: 505, reason: "only HTTP/1.1 is spoken here") }
        return Int(bytes[7] - UInt8(ascii: "0"))
    }

    /// Path and query of a target in origin form, or in the absolute form that proxies send (RFC 9112 § 3.2).
    private static func split(_ target: String) throws(HTTPHeadFailure) -> (String, [QueryItem]) {
        var rest = target[...]
        for scheme in ["http://", "https://", "ws://", "wss://"] where HTTPGrammar.equalsIgnoringCase(rest.prefix(scheme.count), scheme) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
            if rest.first != "/" { rest = "/" + rest }
            break
        }
        guard rest.first == "/", !rest.contains("#") else { throw HTTPHeadFailure(status: 400, reason: "bad request target") }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = PercentEncoding.decode(parts[0]) else { throw HTTPHeadFailure(status: 400, reason: "bad escape in the path") }
        var query: [QueryItem] = []
        for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0]), let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "") else {
                throw HTTPHeadFailure(status: 400, reason: "bad escape in the query")
            }
            query.append(QueryItem(name: name, value: value))
        }
        return (path, query)
    }

    private static func body(_ fields: HTTPFields) throws(HTTPHeadFailure) -> Body {
        let lengths = Set(fields.values(of: "Content-Length"))
        if fields.contains("Transfer-Encoding") {
            // Both together are how requests are smuggled past a proxy (RFC 9112 § 6.3).
            guard lengths.isEmpty else { throw HTTPHeadFailure(status: 400, reason: "both Content-Length and Transfer-Encoding") }
            guard fields.members(of: "Transfer-Encoding") == ["chunked"] else {
                throw HTTPHeadFailure(status: 501, reason: "unknown transfer encoding")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .bytes(0) }
        guard lengths.count == 1, let bytes = HTTPGrammar.number(length) else {
            throw HTTPHeadFailure(status: 400, reason: "bad Content-Length")
        }
        return .bytes(bytes)
    }
}
