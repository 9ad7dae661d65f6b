import StentorBase
import StentorClient
import StentorLoop
import StentorWire
import TestSupport
import Testing

@Suite struct `Sending` {
    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 100_003])
    func `a message is one masked frame with its content`(size: Int) async throws {
        let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let frames = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.connection.send(.binary, payload)
            return await exchange.frames(1)
        }
        #expect(frames.count == 1)
        #expect(frames.first?.first == 0x82)
        let isIntact = frames.first?.payload == payload
        #expect(isIntact)
    }

    @Test func `each frame has a key of its own, also pings`() async throws {
        let frames = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            for index in 0..<20 { exchange.connection.send(.text, Array("message \(index)".utf8)) }
            exchange.connection.ping([7])
            return await exchange.frames(21)
        }
        #expect(frames.map(\.text).prefix(20) == (0..<20).map { "message \($0)" }[...])
        #expect(frames.map(\.first) == Array(repeating: 0x81, count: 20) + [0x89])
        #expect(Set(frames.map(\.key)).count >= 20, "21 random keys of 32 bits: two alike in 20 million runs")
    }

    @Test(arguments: [0, 1, 2, 3, 5])
    func `prefix, shared payload and suffix are one intact frame`(prefixBytes: Int) async throws {
        let size = 700_001
        let shared = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let prefix = Array("{\"d\":\"".utf8).prefix(prefixBytes)
        let (frames, traffic, input) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.connection.send(.text, prefix: Array(prefix), SharedPayload(shared), range: 3..<(size - 2), suffix: Array("\"}".utf8))
            exchange.connection.send(.text, Array("next".utf8))
            let frames = await exchange.frames(2)
            return (frames, exchange.context.traffic, exchange.server.input.count)
        }
        #expect(frames.map(\.first) == [0x81, 0x81])
        let isIntact = frames.first?.payload == prefix + shared[3..<(size - 2)] + Array("\"}".utf8)
        #expect(isIntact)
        #expect(frames.last?.text == "next")
        #expect(traffic.messagesSent == 2)
        #expect(traffic.bytesSent == input, "what is counted is what is on the wire")
    }

    @Test func `marks come in order, the one behind the prefix before the one behind the message`() async throws {
        let heard = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            let connection = exchange.connection
            connection.mark(1)
            connection.send(.text, Array("one".utf8))
            connection.mark(2)
            connection.send(.binary, prefix: [1], SharedPayload(Array(repeating: 2, count: 300_000)), range: 0..<300_000, suffix: [3]) {
                connection.mark(3)
            }
            connection.mark(4)
            connection.send(.text, Array("two".utf8))
            connection.mark(5)
            return await exchange.heard(6)
        }
        #expect(heard == [.opened] + (1...5).map { .mark($0) })
    }

    @Test func `a mark behind bytes that the peer does not take waits for them, and the backlog is told`() async throws {
        let size = 64 << 20
        let (marksBefore, backlog, marksAfter, rest) = try await onLoop { loop in
            let exchange = try Exchange(loop)
            _ = await exchange.open()
            exchange.server.stream?.pauseReading()
            let connection = exchange.connection
            connection.mark(1)
            connection.send(.binary, prefix: [], SharedPayload(Array(repeating: 0, count: size)), range: 0..<size, suffix: [])
            connection.mark(2)
            _ = await exchange.heard(2)
            let (before, backlog) = (exchange.client.heard, connection.backlogBytes)
            exchange.connection.reset()
            return (before, backlog, exchange.client.heard, connection.backlogBytes)
        }
        #expect(marksBefore == [.opened, .mark(1)] && marksAfter == marksBefore)
        #expect(backlog > 0)
        #expect(rest == 0)
    }

    @Test func `nothing is sent before it opens or behind a close frame`() async throws {
        let frames = try await onLoop { loop in
            let exchange = try Exchange(loop)
            exchange.connection.send(.text, Array("early".utf8))
            exchange.connection.ping([1])
            _ = await exchange.open()
            exchange.connection.close(code: 1000)
            exchange.connection.send(.text, Array("late".utf8))
            exchange.connection.send(.text, prefix: [65], SharedPayload([66]), range: 0..<1, suffix: [67])
            exchange.connection.ping([2])
            exchange.connection.close(code: 1001)
            exchange.connection.mark(9)
            _ = await exchange.heard(2)
            return await exchange.frames(1)
        }
        #expect(frames.map(\.first) == [0x88])
        #expect(frames.first?.payload == [0x03, 0xE8])
    }
}
