import StentorBase
import Testing

@testable import StentorWire

/// Bytes of a hostile or broken peer never trap, and a split never changes what they mean.
struct WireNoiseTests {
    /// The input with a few bytes replaced, inserted or removed.
    private static func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var result = bytes
        for _ in 0..<random.integer(in: 1...4) {
            let index = random.integer(in: 0...(result.count - 1))
            switch random.integer(in: 0...2) {
            case 0: result[index] = UInt8.random(in: 0...255, using: &random)
            case 1: result.insert(UInt8.random(in: 0...255, using: &random), at: index)
            default: result.remove(at: index)
            }
        }
        return result
    }

    @Test(arguments: [WebSocketMachine.Role.client, .server])
    func `noise is read the same however it is split`(role: WebSocketMachine.Role) {
        var random = SeededRandom(seed: 4)
        let key: [UInt8]? = role == .server ? [1, 2, 3, 4] : nil
        let frames = rawFrame(0x01, Array("€1".utf8), key: key) + rawFrame(0x89, [7], key: key) + rawFrame(0x80, Array("😀".utf8), key: key)
        for _ in 0..<300 {
            let bytes = Self.damaged(frames + frames + frames, &random)
            let whole = WebSocketScript.merged(WebSocketScript.events(role, messageLimitBytes: 1000, [bytes]))
            let single = WebSocketScript.merged(WebSocketScript.events(role, messageLimitBytes: 1000, bytes.map { [$0] }))
            #expect(whole == single, "\(bytes)")
        }
    }

    @Test func `a damaged answer opens only with the whole proof, and a split changes nothing`() throws {
        var random = SeededRandom(seed: 5)
        let proof = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        let good = "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(proof)\r\n\r\n"
        for _ in 0..<300 {
            let bytes = Self.damaged(Array(good.utf8), &random)
            var whole = try WebSocketClientHandshake(target: "/", host: "h", nonce: Array("the sample nonce".utf8))
            var single = try WebSocketClientHandshake(target: "/", host: "h", nonce: Array("the sample nonce".utf8))
            let expected = bytes.withUnsafeBytes { whole.next($0) }
            var outcome = WebSocketClientHandshake.Outcome.needBytes
            for byte in bytes where outcome == .needBytes { outcome = withUnsafeBytes(of: byte) { single.next($0) } }
            switch (expected, outcome) {
            case (.upgraded, .upgraded): #expect(String(decoding: bytes, as: UTF8.self).contains(proof))
            case (.refused(let one, _, _), .refused(let other, _, _)): #expect(one == other)
            default: #expect(expected == outcome, "\(bytes)")
            }
        }
    }

    @Test func `a damaged request is accepted or rejected, never both ways by a split`() {
        var random = SeededRandom(seed: 6)
        let good = """
            GET /a%20b?x=%2B HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
            """
        for _ in 0..<300 {
            let bytes = Self.damaged(Array(good.utf8), &random)
            var whole = WebSocketServerHandshake(plainMethods: [])
            var single = WebSocketServerHandshake(plainMethods: [])
            let expected = bytes.withUnsafeBytes { whole.next($0) }
            var outcome = WebSocketServerHandshake.Outcome.needBytes
            for byte in bytes where outcome == .needBytes { outcome = withUnsafeBytes(of: byte) { single.next($0) } }
            switch (expected, outcome) {
            case (.upgrade(let one, _), .upgrade(let other, _)), (.plain(let one, _), .plain(let other, _)): #expect(one == other)
            default: #expect(expected == outcome, "\(bytes)")
            }
        }
    }
}
