import StentorBase

/// The opening handshake of a client: one request, and the strict reading of its answer (RFC 6455 § 4.1).
///
/// Does no I/O.
public struct WebSocketClientHandshake: ~Copyable {
    /// What the answer means so far.
    ///
    /// `consumed` counts the bytes of the piece handed over last.
    public enum Outcome: Equatable, Sendable {
        /// The answer's head is not complete; the whole piece is consumed.
        case needBytes
        /// The connection is open; the piece's bytes from `consumed` on are frames.
        case upgraded(consumed: Int)
        /// Another status than 101. `retryAfterSeconds` is 0...31,536,000, nil when the server did not say.
        case refused(status: Int, retryAfterSeconds: Int?, consumed: Int)
        /// The answer breaks the rules: `badUpgrade` or `badAccept`, and what was wrong in fixed words, without text of the peer.
        case failed(DialCause, String)
    }

    /// Fields that the handshake writes itself, or that would change what the request is.
    private static let reserved = [
        "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Accept", "Sec-WebSocket-Extensions",
        "Content-Length", "Transfer-Encoding",
    ]

    /// The request to send.
    public let request: [UInt8]
    private let accept: String
    private let protocols: [String]
    private var reader = HTTPHeadReader(.status)
    private var settled: Outcome?

    /// Makes the request.
    ///
    /// - Parameters:
    ///   - target: Path and query, beginning with `/`: ``TargetURL/target``.
    ///   - host: Value of `Host`: ``TargetURL/hostHeader``.
    ///   - headers: More fields, in order. `Sec-WebSocket-Protocol` may be among them; then the answer may choose one of its members.
    ///   - nonce: 16 random bytes, new for each connection.
    /// - Throws: ``UserFailure`` for a header that must not be sent, see ``validate(headers:)``.
    public init(target: String, host: String, headers: [(String, String)] = [], nonce: [UInt8]) throws(UserFailure) {
        guard target.utf8.first == UInt8(ascii: "/"), HTTPGrammar.isVisible(target.utf8), HTTPGrammar.isVisible(host.utf8) else {
            throw UserFailure(.target, "target or host holds a character that cannot be sent")
        }
        try Self.validate(headers: headers)
        let key = WebSocketKey.key(nonce: nonce)
        var fields = HTTPFields([
            ("Host", host), ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", key),
            ("Sec-WebSocket-Version", "13"),
        ])
        for (name, value) in headers { fields.append(name, value) }
        var bytes = Array("GET \(target) HTTP/1.1\r\n".utf8)
        fields.write(to: &bytes)
        request = bytes + Array("\r\n".utf8)
        accept = WebSocketKey.accept(for: key)
        // Subprotocol names are case-sensitive, so the lower-case list of members does not do.
        protocols = fields.values(of: "Sec-WebSocket-Protocol").flatMap { value in
            value.split(separator: ",").map { String(HTTPGrammar.trimmed($0)) }
        }
    }

    /// Checks headers that a user wants to send with the handshake.
    ///
    /// - Throws: ``UserFailure`` with cause `.profile`: a bad name, a control character in a value, or a field that the handshake writes itself.
    public static func validate(headers: [(String, String)]) throws(UserFailure) {
        for (name, value) in headers {
            try HTTPFields.validate(name: name, value: value)
            guard !reserved.contains(where: { HTTPGrammar.equalsIgnoringCase($0, name) }) else {
                throw UserFailure(.profile, "header '\(name)' is written by the handshake itself")
            }
        }
    }

    /// Takes the next bytes of the answer.
    ///
    /// Once it has given anything but `needBytes`, it gives the same again.
    public mutating func next(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if let settled { return settled }
        var offset = 0
        let outcome: Outcome
        do throws(HTTPHeadFailure) {
            outcome = try read(bytes, from: &offset)
        } catch {
            outcome = .failed(.badUpgrade, "answer to the upgrade: \(error.reason)")
        }
        if outcome != .needBytes { settled = outcome }
        return outcome
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, from offset: inout Int) throws(HTTPHeadFailure) -> Outcome {
        while true {
            guard let head = try reader.feed(bytes, from: &offset) else { return .needBytes }
            let response = try HTTPResponseHead(HTTPHead(head))
            if response.status == 101 { return judge(response, consumed: offset) }
            if response.status >= 200 {
                return .refused(status: response.status, retryAfterSeconds: response.retryAfterSeconds, consumed: offset)
            }
            // Any other 1xx is interim: the final answer follows (RFC 9110 § 15.2).
        }
    }

    /// Holds a 101 against RFC 6455 § 4.1.
    ///
    /// Lengths and encodings of a body mean nothing in it (RFC 9110 § 15.2) and are ignored.
    private func judge(_ response: HTTPResponseHead, consumed: Int) -> Outcome {
        let fields = response.fields
        guard response.minorVersion >= 1 else { return .failed(.badUpgrade, "status 101 of HTTP/1.0") }
        guard fields.members(of: "Upgrade") == ["websocket"] else { return .failed(.badUpgrade, "Upgrade is not websocket") }
        guard fields.members(of: "Connection").contains("upgrade") else { return .failed(.badUpgrade, "Connection does not say upgrade") }
        let accepts = fields.values(of: "Sec-WebSocket-Accept")
        guard !accepts.isEmpty else { return .failed(.badAccept, "Sec-WebSocket-Accept is missing") }
        guard accepts.count == 1 else { return .failed(.badAccept, "Sec-WebSocket-Accept is repeated") }
        guard accepts[0] == accept else { return .failed(.badAccept, "Sec-WebSocket-Accept does not match the key") }
        guard fields.members(of: "Sec-WebSocket-Extensions").isEmpty else {
            return .failed(.badUpgrade, "an extension that was not asked for")
        }
        let chosen = fields.values(of: "Sec-WebSocket-Protocol")
        guard chosen.isEmpty || (chosen.count == 1 && protocols.contains(chosen[0])) else {
            return .failed(.badUpgrade, "a subprotocol that was not asked for")
        }
        return .upgraded(consumed: consumed)
    }
}
