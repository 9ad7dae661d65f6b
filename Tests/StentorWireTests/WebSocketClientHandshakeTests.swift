import StentorBase
import Testing

@testable import StentorWire

struct WebSocketClientHandshakeTests {
    typealias Outcome = WebSocketClientHandshake.Outcome

    /// The nonce, key and accept value of RFC 6455 § 1.3.
    private static let nonce = Array("the sample nonce".utf8)
    private static let good = """
        HTTP/1.1 101 Switching Protocols
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=


        """

    private static func wire(_ text: String) -> [UInt8] {
        Array(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n").utf8)
    }

    /// The outcome of an answer given in these pieces; the last outcome asked for.
    private static func outcome(_ pieces: [[UInt8]], headers: [(String, String)] = []) throws -> Outcome {
        var handshake = try WebSocketClientHandshake(target: "/chat", host: "server.example.com", headers: headers, nonce: nonce)
        var outcome = Outcome.needBytes
        for piece in pieces where outcome == .needBytes { outcome = piece.withUnsafeBytes { handshake.next($0) } }
        return outcome
    }

    private static func outcome(_ text: String, headers: [(String, String)] = []) throws -> Outcome {
        try outcome([wire(text)], headers: headers)
    }

    /// The good answer with one line replaced.
    private static func answer(_ line: String, _ replacement: String) -> String {
        precondition(good.contains(line), "no such line")
        return good.split(separator: "\n", omittingEmptySubsequences: false).map { $0.hasPrefix(line) ? replacement : String($0) }
            .joined(separator: "\n")
    }

    // MARK: The request

    @Test func `the request has the fields of RFC 6455 section 1_3`() throws {
        let handshake = try WebSocketClientHandshake(
            target: "/ws?token=a%2Bb", host: "gateway.example:8080", headers: [("X-Env", "staging")], nonce: Self.nonce)
        let expected = """
            GET /ws?token=a%2Bb HTTP/1.1
            Host: gateway.example:8080
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
            Sec-WebSocket-Version: 13
            X-Env: staging


            """
        #expect(handshake.request == Self.wire(expected))
    }

    @Test(arguments: [
        ("X-Env", "a\r\nHost: b", "value of header 'X-Env' holds a control character"),
        ("X-Env", "a\nb", "value of header 'X-Env' holds a control character"),
        ("X-Env", "a\u{0}", "value of header 'X-Env' holds a control character"),
        ("X-Env", "\u{7F}", "value of header 'X-Env' holds a control character"),
        ("X Env", "a", "header name 'X?Env' is not a token"), ("X:", "a", "header name 'X:' is not a token"),
        ("X\r\nHost", "a", "header name 'X??Host' is not a token"), ("", "a", "header name '' is not a token"),
        ("ÄÖ", "a", "header name '??' is not a token"), ("host", "a", "header 'host' is written by the handshake itself"),
        ("Sec-WebSocket-Key", "a", "header 'Sec-WebSocket-Key' is written by the handshake itself"),
        ("Content-Length", "0", "header 'Content-Length' is written by the handshake itself"),
    ])
    func `a header that must not be sent is refused`(name: String, value: String, message: String) {
        let failure = #expect(throws: UserFailure.self) {
            _ = try WebSocketClientHandshake(target: "/", host: "h", headers: [(name, value)], nonce: Self.nonce).request
        }
        #expect(failure?.message == message)
        #expect(failure?.cause == .profile)
    }

    @Test(arguments: [("", "h"), ("ws", "h"), ("/a b", "h"), ("/a\r\nX: y", "h"), ("/é", "h"), ("/", ""), ("/", "h\r\nX: y")])
    func `a target or host that would break the request is refused`(target: String, host: String) {
        #expect(throws: UserFailure(.target, "target or host holds a character that cannot be sent")) {
            _ = try WebSocketClientHandshake(target: target, host: host, nonce: Self.nonce).request
        }
    }

    // MARK: The answer

    @Test func `the answer of RFC 6455 section 1_3 opens the connection`() throws {
        #expect(try Self.outcome(Self.good) == .upgraded(consumed: Self.wire(Self.good).count))
    }

    @Test func `bytes after the head belong to the frames`() throws {
        let head = Self.wire(Self.good)
        #expect(try Self.outcome([head + hex("81 01 61")]) == .upgraded(consumed: head.count))
        #expect(try Self.outcome([Array(head[..<50]), Array(head[50...]) + hex("81 01 61")]) == .upgraded(consumed: head.count - 50))
    }

    @Test func `a cut at any place changes nothing`() throws {
        let head = Self.wire(Self.good)
        for cut in 0..<head.count {
            #expect(try Self.outcome([Array(head[..<cut]), Array(head[cut...])]) == .upgraded(consumed: head.count - cut))
        }
        #expect(try Self.outcome(head.map { [$0] }) == .upgraded(consumed: 1))
        #expect(try Self.outcome([Array(head.dropLast())]) == .needBytes)
    }

    @Test(arguments: [
        ("Upgrade:", "upgrade: WebSocket"), ("Connection:", "connection: keep-alive, UPGRADE"),
        ("Connection:", "Connection: keep-alive\nConnection: upgrade"), ("HTTP", "HTTP/1.1 101"), ("HTTP", "HTTP/1.1 101 "),
        ("Upgrade:", "Upgrade:websocket\nContent-Length: 5"), ("Upgrade:", "Upgrade: \t websocket \t\nServer: a, b"),
    ])
    func `a correct answer may be written otherwise`(line: String, replacement: String) throws {
        let answer = Self.answer(line, replacement)
        #expect(try Self.outcome(answer) == .upgraded(consumed: Self.wire(answer).count))
    }

    @Test(arguments: [
        ("Sec-WebSocket-Accept:", "Server: x", DialCause.badAccept, "Sec-WebSocket-Accept is missing"),
        (
            "Sec-WebSocket-Accept:", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOO=", .badAccept,
            "Sec-WebSocket-Accept does not match the key"
        ),
        (
            "Sec-WebSocket-Accept:", "Sec-WebSocket-Accept: S3PPLMBITXAQ9KYGZZHZRBK+XOO=", .badAccept,
            "Sec-WebSocket-Accept does not match the key"
        ),
        (
            "Upgrade:", "Upgrade: websocket\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", .badAccept,
            "Sec-WebSocket-Accept is repeated"
        ),
        ("Upgrade:", "X: y", .badUpgrade, "Upgrade is not websocket"),
        ("Upgrade:", "Upgrade: h2c", .badUpgrade, "Upgrade is not websocket"),
        ("Upgrade:", "Upgrade: websocket, h2c", .badUpgrade, "Upgrade is not websocket"),
        ("Upgrade:", "Upgrade: websoc\u{212A}et", .badUpgrade, "Upgrade is not websocket"),
        ("Connection:", "X: y", .badUpgrade, "Connection does not say upgrade"),
        ("Connection:", "Connection: keep-alive, upgraded", .badUpgrade, "Connection does not say upgrade"),
        ("HTTP", "HTTP/1.0 101 Switching Protocols", .badUpgrade, "status 101 of HTTP/1.0"),
        (
            "Upgrade:", "Upgrade: websocket\nSec-WebSocket-Extensions: permessage-deflate", .badUpgrade,
            "an extension that was not asked for"
        ),
        ("Upgrade:", "Upgrade: websocket\nSec-WebSocket-Protocol: chat", .badUpgrade, "a subprotocol that was not asked for"),
        ("HTTP", "HTTP/1.1 10x Switching", .badUpgrade, "answer to the upgrade: bad status line"),
        ("HTTP", "HTTP/1.1 1011", .badUpgrade, "answer to the upgrade: bad status line"),
        ("HTTP", "HTTP/1.1  101 Switching", .badUpgrade, "answer to the upgrade: bad status line"),
        ("HTTP", "HTTP/2 101 Switching", .badUpgrade, "answer to the upgrade: not HTTP/1.1"),
        ("Connection:", "Connection : Upgrade", .badUpgrade, "answer to the upgrade: header line without a valid name"),
        ("Connection:", "Connection", .badUpgrade, "answer to the upgrade: header line without a valid name"),
        ("Connection:", ": Upgrade", .badUpgrade, "answer to the upgrade: header line without a valid name"),
        ("Connection:", "Connection: keep-alive,\n Upgrade", .badUpgrade, "answer to the upgrade: folded header line"),
        ("Connection:", "X: \u{0}", .badUpgrade, "answer to the upgrade: header value holds a control character"),
    ])
    func `a wrong answer fails with its cause`(line: String, replacement: String, cause: DialCause, text: String) throws {
        #expect(try Self.outcome(Self.answer(line, replacement)) == .failed(cause, text))
    }

    @Test func `a subprotocol that was asked for is taken, letter case and all`() throws {
        let headers = [("Sec-WebSocket-Protocol", "soap, Chat")]
        let chosen = Self.answer("Upgrade:", "Upgrade: websocket\nSec-WebSocket-Protocol: Chat")
        #expect(try Self.outcome(chosen, headers: headers) == .upgraded(consumed: Self.wire(chosen).count))
        let other = Self.answer("Upgrade:", "Upgrade: websocket\nSec-WebSocket-Protocol: chat")
        #expect(try Self.outcome(other, headers: headers) == .failed(.badUpgrade, "a subprotocol that was not asked for"))
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2", "\u{15}", "HTTQ", "h"])
    func `another protocol is known by its first bytes`(greeting: String) throws {
        #expect(try Self.outcome([Array(greeting.utf8)]) == .failed(.badUpgrade, "answer to the upgrade: not HTTP/1.1"))
    }

    @Test func `lines that end in a bare line feed fail`() throws {
        let expected = Outcome.failed(.badUpgrade, "answer to the upgrade: line does not end in CR LF")
        #expect(try Self.outcome([Array("HTTP/1.1 101 x\n".utf8)]) == expected)
        #expect(try Self.outcome([Array("HTTP/1.1 101 x\rUpgrade".utf8)]) == expected)
    }

    // MARK: Refusals

    @Test(
        arguments: [
            ("HTTP/1.1 503 Service Unavailable\nRetry-After: 120", 503, 120), ("HTTP/1.0 404 Not Found", 404, nil),
            ("HTTP/1.1 401 Unauthorized\nRetry-After: soon", 401, nil), ("HTTP/1.1 429 Slow\nRetry-After: -5", 429, nil),
            ("HTTP/1.1 503 x\nRetry-After: 99999999999999999999", 503, 31_536_000), ("HTTP/1.1 301 Moved\nLocation: /elsewhere", 301, nil),
            ("HTTP/1.1 200 OK\nContent-Length: 5", 200, nil),
            ("HTTP/1.1 503 x\nDate: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:50:00 GMT", 503, 23),
            ("HTTP/1.1 503 x\nDate: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:49:00 GMT", 503, 0),
            ("HTTP/1.1 503 x\nRetry-After: Sun, 06 Nov 1994 08:50:00 GMT", 503, nil),
        ] as [(String, Int, Int?)])
    func `another status is a refusal`(head: String, status: Int, retryAfterSeconds: Int?) throws {
        let bytes = Self.wire(head + "\n\n")
        let expected = Outcome.refused(status: status, retryAfterSeconds: retryAfterSeconds, consumed: bytes.count)
        #expect(try Self.outcome([bytes + Array("body".utf8)]) == expected)
    }

    @Test func `interim answers are passed over`() throws {
        let interim = Self.wire("HTTP/1.1 103 Early Hints\nLink: x\n\n")
        let head = Self.wire(Self.good)
        #expect(try Self.outcome([interim + interim + head + [0x81]]) == .upgraded(consumed: 2 * interim.count + head.count))
        #expect(try Self.outcome([interim, head]) == .upgraded(consumed: head.count))
        let endless = Array(repeating: interim, count: 16 * 1024 / interim.count + 1)
        #expect(try Self.outcome(endless) == .failed(.badUpgrade, "answer to the upgrade: head is over 16 KiB"))
    }

    // MARK: Limits

    @Test func `a head of 16 KiB passes, one byte more fails`() throws {
        let shortest = Self.wire(Self.answer("Upgrade:", "Upgrade: websocket\nX: ")).count
        let exact = Self.answer("Upgrade:", "Upgrade: websocket\nX: " + String(repeating: "x", count: 16_384 - shortest))
        #expect(try Self.outcome(exact) == .upgraded(consumed: 16_384))
        let over = Self.answer("Upgrade:", "Upgrade: websocket\nX: " + String(repeating: "x", count: 16_385 - shortest))
        #expect(try Self.outcome(over) == .failed(.badUpgrade, "answer to the upgrade: head is over 16 KiB"))
    }

    @Test func `100 fields pass, one more fails`() throws {
        let exact = Self.answer("Upgrade:", (["Upgrade: websocket"] + (0..<97).map { "X-\($0): y" }).joined(separator: "\n"))
        #expect(try Self.outcome(exact) == .upgraded(consumed: Self.wire(exact).count))
        let over = Self.answer("Upgrade:", (["Upgrade: websocket"] + (0..<98).map { "X-\($0): y" }).joined(separator: "\n"))
        #expect(try Self.outcome(over) == .failed(.badUpgrade, "answer to the upgrade: more than 100 header fields"))
    }
}
