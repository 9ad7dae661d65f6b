import Testing

@testable import StentorWire

struct WebSocketServerHandshakeTests {
    typealias Outcome = WebSocketServerHandshake.Outcome

    /// The request of RFC 6455 § 1.2, with a query.
    private static let good = """
        GET /chat%20room?token=a+b%2Bc&flag&x=1=2&&%C3%A9=%E2%82%AC HTTP/1.1
        Host: server.example.com
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Origin: http://example.com
        Sec-WebSocket-Protocol: chat, superchat
        Sec-WebSocket-Version: 13


        """

    private static func wire(_ text: String) -> [UInt8] {
        Array(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
    }

    private static func outcome(_ pieces: [[UInt8]], plainMethods: [String] = ["GET", "HEAD"]) -> Outcome {
        var handshake = WebSocketServerHandshake(plainMethods: plainMethods)
        var outcome = Outcome.needBytes
        for piece in pieces where outcome == .needBytes { outcome = piece.withUnsafeBytes { handshake.next($0) } }
        return outcome
    }

    private static func request(_ line: String, _ replacement: String) -> String {
        precondition(good.contains(line), "no such line")
        return good.split(separator: "\n", omittingEmptySubsequences: false).map { $0.hasPrefix(line) ? replacement : String($0) }
            .joined(separator: "\n")
    }

    // MARK: Upgrades

    @Test func `an upgrade gives path, query and fields, and is accepted as in RFC 6455 section 1_3`() {
        var handshake = WebSocketServerHandshake()
        let bytes = Self.wire(Self.good)
        let outcome = (bytes + hex("81 80 01 02 03 04")).withUnsafeBytes { handshake.next($0) }
        guard case .upgrade(let head, let consumed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(consumed == bytes.count)
        #expect(head.method == "GET")
        #expect(head.path == "/chat room")
        #expect(head.target == "/chat%20room?token=a+b%2Bc&flag&x=1=2&&%C3%A9=%E2%82%AC")
        #expect(
            head.query == [
                .init(name: "token", value: "a+b+c"), .init(name: "flag", value: ""), .init(name: "x", value: "1=2"),
                .init(name: "é", value: "€"),
            ])
        #expect(head.queryValue("token") == "a+b+c")
        #expect(head.queryValue("nothing") == nil)
        #expect(head.fields.first("origin") == "http://example.com")
        #expect(head.fields.members(of: "sec-websocket-protocol") == ["chat", "superchat"])
        let response = """
            HTTP/1.1 101 Switching Protocols
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=
            Sec-WebSocket-Protocol: chat


            """
        #expect(handshake.accept(extraHeaders: [("Sec-WebSocket-Protocol", "chat")]) == Self.wire(response))
    }

    @Test func `a cut at any place changes nothing`() {
        let bytes = Self.wire(Self.good)
        guard case .upgrade(let head, _) = Self.outcome([bytes]) else {
            Issue.record("no upgrade")
            return
        }
        for cut in 0..<bytes.count {
            #expect(Self.outcome([Array(bytes[..<cut]), Array(bytes[cut...])]) == .upgrade(head, consumed: bytes.count - cut))
        }
        #expect(Self.outcome(bytes.map { [$0] }) == .upgrade(head, consumed: 1))
    }

    @Test(arguments: [
        ("Upgrade:", "upgrade: h2c, WEBSOCKET"), ("Connection:", "Connection: keep-alive, Upgrade"),
        ("Connection:", "Connection: keep-alive\nConnection: upgrade"), ("Origin:", "Content-Length: 0"),
        ("GET", "GET http://server.example.com/chat HTTP/1.1"), ("GET", "GET ws://server.example.com?x=1 HTTP/1.1"),
    ])
    func `a correct upgrade may be written otherwise`(line: String, replacement: String) {
        guard case .upgrade = Self.outcome([Self.wire(Self.request(line, replacement))]) else {
            Issue.record("no upgrade")
            return
        }
    }

    @Test(arguments: [
        ("GET", "POST /chat HTTP/1.1", 405, "a WebSocket is opened with GET"),
        ("GET", "GET /chat HTTP/2.0", 505, "only HTTP/1.1 is spoken here"),
        ("GET", "GET /chat HTTP/1.1 ", 400, "bad request line"), ("GET", "GET  /chat HTTP/1.1", 400, "bad request line"),
        ("GET", "GET /chat", 400, "bad request line"), ("GET", "G@T /chat HTTP/1.1", 400, "bad request line"),
        ("GET", "GET /ch\tat HTTP/1.1", 400, "bad request line"), ("GET", "GET /é HTTP/1.1", 400, "bad request line"),
        ("GET", "GET /chat HTTP/1.x", 400, "bad HTTP version"), ("GET", "GET /chat HTTTP/1.1", 400, "bad HTTP version"),
        ("GET", "GET chat HTTP/1.1", 400, "bad request target"), ("GET", "GET * HTTP/1.1", 400, "bad request target"),
        ("GET", "GET /chat#top HTTP/1.1", 400, "bad request target"), ("GET", "GET /%4 HTTP/1.1", 400, "bad escape in the path"),
        ("GET", "GET /%zz HTTP/1.1", 400, "bad escape in the path"), ("GET", "GET /%00 HTTP/1.1", 400, "bad escape in the path"),
        ("GET", "GET /%FF HTTP/1.1", 400, "bad escape in the path"), ("GET", "GET /?a=%C0%AF HTTP/1.1", 400, "bad escape in the query"),
        ("Host:", "X: y", 400, "exactly one Host field is due"), ("Host:", "Host: a\nHost: a", 400, "exactly one Host field is due"),
        ("Host:", "Host:", 400, "Host is empty"), ("Connection:", "Connection: keep-alive", 400, "Connection does not say upgrade"),
        ("Sec-WebSocket-Key:", "X: y", 400, "Sec-WebSocket-Key is not base64 of 16 bytes"),
        ("Sec-WebSocket-Key:", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ", 400, "Sec-WebSocket-Key is not base64 of 16 bytes"),
        ("Sec-WebSocket-Key:", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZTE=", 400, "Sec-WebSocket-Key is not base64 of 16 bytes"),
        ("Sec-WebSocket-Key:", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR==", 400, "Sec-WebSocket-Key is not base64 of 16 bytes"),
        ("Sec-WebSocket-Key:", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub2-jZQ==", 400, "Sec-WebSocket-Key is not base64 of 16 bytes"),
        ("Sec-WebSocket-Version:", "X: y", 426, "only WebSocket version 13 is spoken here"),
        ("Sec-WebSocket-Version:", "Sec-WebSocket-Version: 8", 426, "only WebSocket version 13 is spoken here"),
        ("Sec-WebSocket-Version:", "Sec-WebSocket-Version: 13, 8", 426, "only WebSocket version 13 is spoken here"),
        ("Origin:", "Content-Length: 1", 400, "an upgrade has no body"),
        ("Origin:", "Transfer-Encoding: chunked", 400, "an upgrade has no body"),
        ("Origin:", "Content-Length: -1", 400, "bad Content-Length"),
        ("Origin:", "Content-Length: 1\nContent-Length: 2", 400, "bad Content-Length"),
        (
            "Origin:", "Content-Length: 1\nTransfer-Encoding: chunked", 400,
            "both Content-Length and Transfer-Encoding"
        ), ("Origin:", "Transfer-Encoding: gzip", 501, "unknown transfer encoding"),
        ("Origin:", "Origin: a\n b", 400, "folded header line"), ("Origin:", "Origin : a", 400, "header line without a valid name"),
        ("Origin:", "Origin: \u{1}", 400, "header value holds a control character"),
        ("Origin:", "X: " + String(repeating: "x", count: 16_384), 431, "head is over 16 KiB"),
        ("Origin:", String(repeating: "X: y\n", count: 100), 431, "more than 100 header fields"),
    ])
    func `a bad request is rejected`(line: String, replacement: String, status: Int, reason: String) {
        let trimmed = replacement.hasSuffix("\n") ? String(replacement.dropLast()) : replacement
        #expect(Self.outcome([Self.wire(Self.request(line, trimmed))]) == .reject(status: status, reason: reason))
    }

    @Test func `a TLS greeting is rejected by its first byte`() {
        #expect(Self.outcome([hex("16 03 01")]) == .reject(status: 400, reason: "not an HTTP request"))
    }

    @Test func `a refusal of the version names ours`() {
        let expected = """
            HTTP/1.1 426 Upgrade Required
            Connection: close, Upgrade
            Upgrade: websocket
            Sec-WebSocket-Version: 13
            Content-Type: text/plain; charset=utf-8
            Content-Length: 4


            """
        #expect(WebSocketServerHandshake().rejection(status: 426, reason: "why") == Self.wire(expected) + Array("why\n".utf8))
    }

    @Test func `a refusal of the method names those allowed`() {
        let expected = """
            HTTP/1.1 405 Method Not Allowed
            Connection: close
            Allow: GET, HEAD
            Content-Type: text/plain; charset=utf-8
            Content-Length: 4


            """
        #expect(WebSocketServerHandshake().rejection(status: 405, reason: "why") == Self.wire(expected) + Array("why\n".utf8))
    }

    // MARK: Ordinary requests

    private static func plain(_ text: String, plainMethods: [String] = ["GET", "HEAD"]) -> HTTPRequestHead? {
        guard case .plain(let head, _) = outcome([wire(text)], plainMethods: plainMethods) else { return nil }
        return head
    }

    @Test(arguments: [
        ("GET /metrics HTTP/1.1\nHost: h\n\n", true), ("GET / HTTP/1.1\nHost: h\nConnection: close\n\n", false),
        ("GET / HTTP/1.0\n\n", false), ("GET / HTTP/1.0\nConnection: Keep-Alive\n\n", true),
        ("HEAD / HTTP/1.1\nHost: h\nUpgrade: h2c\nConnection: Upgrade\n\n", true),
        ("GET / HTTP/1.0\nUpgrade: websocket\nConnection: Upgrade\n\n", false),
    ])
    func `a request without an upgrade is plain`(text: String, allowsKeepAlive: Bool) throws {
        let head = try #require(Self.plain(text))
        #expect(head.allowsKeepAlive == allowsKeepAlive)
        #expect(head.body == .bytes(0))
    }

    @Test func `the body begins where the head ends`() {
        let head = Self.wire("POST /a HTTP/1.1\nHost: h\nContent-Length: 3\n\n")
        let outcome = Self.outcome([head + Array("abc".utf8)], plainMethods: ["POST"])
        guard case .plain(let request, let consumed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(request.body == .bytes(3))
        #expect(consumed == head.count)
        #expect(Self.plain("POST /a HTTP/1.1\nHost: h\nTransfer-Encoding: Chunked\n\n", plainMethods: ["POST"])?.body == .chunked)
    }

    @Test func `a method that is not wanted is rejected`() {
        let bytes = Self.wire("POST / HTTP/1.1\nHost: h\n\n")
        #expect(Self.outcome([bytes]) == .reject(status: 405, reason: "method is not allowed here"))
    }
}
