import StentorBase
import StentorClient
import StentorLoop
import StentorWire
import TestSupport
import Testing

@Suite struct `Closing` {
    /// Opens, lets the server say something, and gives what both sides noted once the connection ended and the close frame arrived.
    private static func afterwards(
        messageLimitBytes: Int = 16 << 20, say bytes: [UInt8], frames: Int = 1
    ) async throws -> (heard: [Heard], frames: [ClientFrame]) {
        try await onLoop { loop in
            let exchange = try Exchange(loop, messageLimitBytes: messageLimitBytes)
            _ = await exchange.open()
            exchange.server.say(bytes)
            let heard = await exchange.heardToTheEnd()
            return (heard, await exchange.frames(frames))
        }
    }

    @Test(
        arguments: [
            ([0x88, 0], nil, "", []), ([0x88, 2, 0x03, 0xE9], 1001, "", [0x03, 0xE9]),
            ([0x88, 5, 0x03, 0xF0, 0x6E, 0x6F, 0x21], 1008, "no!", [0x03, 0xF0]), ([0x88, 2, 0x0F, 0xA1], 4001, "", [0x0F, 0xA1]),
        ] as [([UInt8], UInt16?, String, [UInt8])])
    func `the server's close ends it at once and is echoed`(bytes: [UInt8], code: UInt16?, reason: String, echo: [UInt8]) async throws {
        let (heard, frames) = try await Self.afterwards(say: bytes + serverFrame(0x81, Array("behind".utf8)))
        #expect(heard == [.opened, .ended(.closedByServer(code: code, reason: reason))])
        #expect(frames.map(\.first) == [0x88])
        #expect(frames.first?.payload == echo)
    }

    @Test func `after the echo the server closes the stream; it does not end twice`() async throws {
        let (heard, isOpen) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.frameReceived = { server, _ in server.stream?.finish() }
            exchange.server.say([0x88, 2, 0x03, 0xE8])
            // The client closes its side when it sees the server's end.
            await exchange.watch.until { exchange.server.end != nil }
            return (exchange.client.heard, exchange.connection.isOpen)
        }
        #expect(heard == [.opened, .ended(.closedByServer(code: 1000, reason: ""))])
        #expect(!isOpen)
    }

    @Test func `a server that closes and never ends the stream is left after the close timeout`() async throws {
        let (heard, end) = try await onLoop { loop in
            let exchange = try Exchange(loop, closeTimeout: .milliseconds(30))
            _ = await exchange.open()
            exchange.server.say([0x88, 0])
            await exchange.watch.until { exchange.server.end != nil }
            return (exchange.client.heard, exchange.server.end)
        }
        #expect(heard == [.opened, .ended(.closedByServer(code: nil, reason: ""))])
        #expect(end == .endOfStream)
    }

    @Test func `our close is answered; what the server says before its answer is heard, and not a word behind it`() async throws {
        let (heard, frames) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.frameReceived = { server, frame in
                guard frame.first == 0x88 else { return }
                server.say(serverFrame(0x81, Array("last".utf8)) + [0x88, 2, 0x03, 0xE8] + serverFrame(0x81, Array("behind".utf8)))
                server.stream?.finish()
            }
            exchange.connection.close(code: 1000, reason: "bye")
            let heard = await exchange.heardToTheEnd()
            return (heard, await exchange.frames(1))
        }
        #expect(heard == [.opened, .text("last"), .ended(.closed(code: 1000))])
        #expect(frames == [ClientFrame(first: 0x88, key: frames[0].key, payload: [0x03, 0xE8] + Array("bye".utf8))])
    }

    @Test func `a ping behind our close is not answered`() async throws {
        let frames = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.frameReceived = { server, frame in
                guard frame.first == 0x88 else { return }
                server.say([0x89, 1, 7, 0x88, 0])
                server.stream?.finish()
            }
            exchange.connection.close(code: 1000)
            await exchange.watch.until { exchange.server.end != nil }
            return exchange.server.frames
        }
        #expect(frames.map(\.first) == [0x88])
    }

    @Test func `our close without an answer times out`() async throws {
        let (heard, end) = try await onLoop { loop in
            let exchange = try Exchange(loop, closeTimeout: .milliseconds(30))
            _ = await exchange.open()
            exchange.connection.close(code: 1000)
            let heard = await exchange.heardToTheEnd()
            await exchange.watch.until { exchange.server.end != nil }
            return (heard, exchange.server.end)
        }
        #expect(heard == [.opened, .ended(.closeTimedOut)])
        #expect(end == .endOfStream)
    }

    @Test(arguments: [(false, ConnectionEnd.closed(code: nil)), (true, .lost(.failed(104)))])
    func `a server that ends the stream instead of answering our close`(isReset: Bool, end: ConnectionEnd) async throws {
        let heard = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.frameReceived = { server, _ in if isReset { server.stream?.reset() } else { server.stream?.close() } }
            exchange.connection.close(code: 1000)
            return await exchange.heardToTheEnd()
        }
        #expect(heard == [.opened, .ended(end)])
    }

    @Test(arguments: [(false, StreamEnd.endOfStream), (true, .failed(104))])
    func `a stream that ends or breaks without a close frame is lost`(isReset: Bool, end: StreamEnd) async throws {
        let heard = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            if isReset { exchange.server.stream?.reset() } else { exchange.server.stream?.close() }
            return await exchange.heardToTheEnd()
        }
        #expect(heard == [.opened, .ended(.lost(end))])
    }

    // MARK: - Violations

    @Test(
        arguments: [
            ("a masked frame", [0x81, 0x81, 1, 2, 3, 4, 0x60], 1002), ("a reserved bit", [0xC1, 1, 0x61], 1002),
            ("an unknown opcode", [0x83, 0], 1002), ("a continuation of nothing", [0x80, 1, 0x61], 1002),
            ("a fragmented ping", [0x09, 0], 1002), ("a close of one byte", [0x88, 1, 3], 1002),
            ("a close code that may not be sent", [0x88, 2, 0x03, 0xED], 1002),
            ("text that is not UTF-8", [0x81, 2, 0xC0, 0x80], 1007), ("a reason that is not UTF-8", [0x88, 3, 0x03, 0xE8, 0xFF], 1007),
            ("a message over the limit", [0x82, 126, 0x04, 0x01], 1009),
            ("a message over the limit in fragments", [0x02, 126, 0x04, 0x00] + [UInt8](repeating: 0, count: 1024) + [0x80, 1, 0], 1009),
        ] as [(String, [UInt8], Int)])
    func `a violation is told to the server by its code, and nothing behind it is heard`(
        what: String, bytes: [UInt8], code: Int
    ) async throws {
        let (heard, frames) = try await Self.afterwards(messageLimitBytes: 1024, say: bytes + serverFrame(0x81, [0x61]))
        guard heard.count == 2, case .ended(.protocolViolation(let failure)) = heard[1] else {
            Issue.record("\(what): \(heard)")
            return
        }
        #expect(Int(failure.closeCode) == code)
        #expect(frames.map(\.first) == [0x88])
        #expect(frames.first?.payload.prefix(2) == [UInt8(code >> 8), UInt8(code & 255)])
        #expect(frames.first.map { String(decoding: $0.payload.dropFirst(2), as: UTF8.self) } == failure.reason)
    }

    @Test func `a message of exactly the limit is taken`() async throws {
        let heard = try await onLoop { loop in
            let exchange = try Exchange(loop, messageLimitBytes: 1024)
            _ = await exchange.open()
            exchange.server.say(serverFrame(0x82, Array(repeating: 3, count: 1024)))
            return await exchange.heard(2)
        }
        #expect(heard == [.opened, .binary(Array(repeating: 3, count: 1024))])
    }

    @Test func `a violation behind our close sends no second close frame`() async throws {
        let (heard, frames) = try await onLoop { loop in
            let exchange = try Exchange(loop, closeTimeout: .seconds(3))
            _ = await exchange.open()
            exchange.server.frameReceived = { server, _ in server.say([0xC1, 0]) }
            exchange.connection.close(code: 1000)
            let heard = await exchange.heardToTheEnd()
            await exchange.watch.until { exchange.server.end != nil }
            return (heard, exchange.server.frames)
        }
        #expect(frames.map(\.first) == [0x88])
        guard case .ended(.protocolViolation) = heard.last else {
            Issue.record("\(heard)")
            return
        }
    }

    // MARK: - Reset and abandon

    @Test(arguments: [(true, StreamEnd.failed(104)), (false, .endOfStream)])
    func `after a reset or when abandoned, the handler hears nothing more`(isReset: Bool, end: StreamEnd) async throws {
        let (heard, frames, serverEnd) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.connection.mark(1)
            _ = await exchange.heard(2)
            exchange.connection.send(.text, [0x61])
            exchange.connection.mark(2)
            if isReset { exchange.connection.reset() } else { exchange.connection.abandon() }
            exchange.connection.abandon()
            exchange.server.say(serverFrame(0x81, [0x62]))
            await exchange.watch.until { exchange.server.end != nil }
            return (exchange.client.heard, exchange.server.frames, exchange.server.end)
        }
        #expect(heard == [.opened, .mark(1)])
        #expect(frames.isEmpty)
        #expect(serverEnd == end)
    }

    @Test(arguments: [0, 1, 2])
    func `a handler that gives up within a call hears nothing of what lies behind it`(call: Int) async throws {
        let long = [UInt8](repeating: 0x61, count: 40_000)
        let (heard, pieces) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            exchange.client.onHeard = { heard in
                switch (call, heard) {
                case (0, .text), (1, .began), (2, .pong): exchange.connection.reset()
                default: break
                }
            }
            _ = await exchange.open()
            let first = [serverFrame(0x81, [0x61]), serverFrame(0x02, long) + serverFrame(0x80, long), serverFrame(0x8A, [1])][call]
            exchange.server.say(first + serverFrame(0x81, [0x62]) + [0x88, 0])
            await exchange.watch.until { exchange.server.end != nil }
            return (exchange.client.heard, exchange.client.pieces)
        }
        #expect(heard == [.opened, [.text("a"), .began(.binary), .pong([1])][call]])
        #expect(pieces.isEmpty)
    }

    @Test func `a handler that resets when it opens hears nothing, and the dial has worked`() async throws {
        let (failure, heard) = try await onLoop { loop in
            let exchange = try Exchange(loop) { $0.say($0.switching() + serverFrame(0x81, [0x61])) }
            exchange.client.onOpen = { $0.reset() }
            let failure = await exchange.open()
            await exchange.watch.until { exchange.server.end != nil }
            return (failure, exchange.client.heard)
        }
        #expect(failure == nil)
        #expect(heard == [.opened])
    }
}
