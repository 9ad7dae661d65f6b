import StentorBase
import StentorClient
import StentorLoop
import StentorWire
import TestSupport
import Testing

@Suite struct `Receiving` {
    /// Lets a server say pieces after the upgrade, and gives what the client heard behind its opening.
    private static func heard(_ count: Int, messageLimitBytes: Int = 16 << 20, _ pieces: [[UInt8]]) async throws -> [Heard] {
        try await onLoop { loop in
            let exchange = try Exchange(loop, messageLimitBytes: messageLimitBytes)
            _ = await exchange.open()
            exchange.server.say(pieces: pieces)
            return Array(await exchange.heard(count + 1).dropFirst())
        }
    }

    // RFC 6455 § 5.7, the unmasked examples.
    @Test func `reads the examples of the RFC`() async throws {
        let hello: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        let binary = [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 5, count: 256)
        let heard = try await Self.heard(3, [hello + fragments + binary])
        #expect(heard == [.text("Hello"), .text("Hello"), .binary(Array(repeating: 5, count: 256))])
    }

    @Test func `puts small fragments together, with a ping between them answered`() async throws {
        let (heard, frames) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            // "Grüße" with the ü cut in two.
            exchange.server.say(pieces: [
                [0x01, 3, 0x47, 0x72, 0xC3], [0x89, 2, 0x70, 0x71], [0x00, 0], [0x80, 4, 0xBC, 0xC3, 0x9F, 0x65],
            ])
            let heard = await exchange.heard(2)
            return (heard, await exchange.frames(1))
        }
        #expect(heard == [.opened, .text("Grüße")])
        #expect(frames.map(\.first) == [0x8A])
        #expect(frames.first?.payload == [0x70, 0x71])
    }

    @Test func `puts a message of one frame together that comes in pieces`() async throws {
        let frame = serverFrame(0x81, Array(String(repeating: "x", count: 1000).utf8))
        let heard = try await Self.heard(1, [Array(frame[..<3]), Array(frame[3..<500]), Array(frame[500...])])
        #expect(heard == [.text(String(repeating: "x", count: 1000))])
    }

    @Test func `streams a long message with its content intact, then takes a short one`() async throws {
        let payload = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
        let (heard, pieces, traffic) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.say(serverFrame(0x82, payload) + serverFrame(0x81, Array("short".utf8)))
            let heard = await exchange.heard(4)
            return (heard, exchange.client.pieces, exchange.context.traffic)
        }
        #expect(heard == [.opened, .began(.binary), .streamed(payload), .text("short")])
        #expect(pieces.allSatisfy { $0 > 0 } && pieces.count > 1)
        #expect(traffic.messagesReceived == 2)
        #expect(traffic.bytesReceived == payload.count + 10 + 7)
    }

    @Test(arguments: [(WebSocketConnection.assemblyLimitBytes, false), (WebSocketConnection.assemblyLimitBytes + 1, true)])
    func `streams a message in pieces past the limit only`(size: Int, isStreamed: Bool) async throws {
        let payload = [UInt8](repeating: 0x61, count: size)
        let half = size / 2
        let heard = try await Self.heard(
            isStreamed ? 2 : 1, [serverFrame(0x02, Array(payload[..<half])), serverFrame(0x80, Array(payload[half...]))])
        #expect(heard == (isStreamed ? [.began(.binary), .streamed(payload)] : [.binary(payload)]))
    }

    @Test func `two streamed messages do not mix, nor with what was put together before`() async throws {
        let (one, two) = ([UInt8](repeating: 1, count: 20_000), [UInt8](repeating: 2, count: 30_000))
        func halves(_ bytes: [UInt8]) -> [[UInt8]] { [serverFrame(0x02, Array(bytes[..<9000])), serverFrame(0x80, Array(bytes[9000...]))] }
        let small = [serverFrame(0x01, [0x61]), serverFrame(0x80, [0x62])]
        let heard = try await Self.heard(6, small + halves(one) + small + halves(two))
        #expect(heard == [.text("ab"), .began(.binary), .streamed(one), .text("ab"), .began(.binary), .streamed(two)])
    }

    @Test func `answers each ping with its payload, hears pongs, and takes empty messages`() async throws {
        let (heard, frames) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.say([0x89, 0, 0x8A, 1, 0x39, 0x81, 0] + serverFrame(0x89, Array(repeating: 9, count: 125)))
            let heard = await exchange.heard(3)
            return (heard, await exchange.frames(2))
        }
        #expect(heard == [.opened, .pong([0x39]), .text("")])
        #expect(frames.map(\.first) == [0x8A, 0x8A])
        #expect(frames.map(\.payload.count) == [0, 125])
        #expect(frames.last?.payload == Array(repeating: 9, count: 125))
    }

    @Test func `a paused connection hears nothing until it reads again`() async throws {
        let (before, after) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.connection.pauseReading()
            exchange.server.say(serverFrame(0x81, [0x61]))
            // The server's own message makes the round trip: what was said before it has long arrived.
            exchange.connection.send(.text, [0x62])
            _ = await exchange.frames(1)
            let before = exchange.client.heard
            exchange.connection.resumeReading()
            return (before, await exchange.heard(2))
        }
        #expect(before == [.opened])
        #expect(after == [.opened, .text("a")])
    }
}
