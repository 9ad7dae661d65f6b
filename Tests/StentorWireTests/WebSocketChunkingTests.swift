import StentorBase
import Testing

@testable import StentorWire

/// Any split of an input gives the same messages, pings, pongs, close and failure in the same order.
struct WebSocketChunkingTests {
    /// A random conversation in the clear, and what must come of it.
    private static func conversation(_ random: inout SeededRandom, isMasked: Bool) -> (bytes: [UInt8], expected: [WebSocketEvent]) {
        var bytes: [UInt8] = []
        var expected: [WebSocketEvent] = []
        func key() -> [UInt8]? {
            isMasked ? (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) } : nil
        }
        for _ in 0..<random.integer(in: 1...12) {
            let isText = random.chance(0.5)
            let payload = payload(&random, isText: isText)
            let kind: MessageKind = isText ? .text : .binary
            let cuts = (0..<random.integer(in: 0...3)).map { _ in random.integer(in: 0...payload.count) }.sorted()
            var start = 0
            for (index, end) in (cuts + [payload.count]).enumerated() {
                let opcode: UInt8 = index > 0 ? 0 : isText ? 1 : 2
                let isFinal = index == cuts.count
                bytes += rawFrame((isFinal ? 0x80 : 0) | opcode, Array(payload[start..<end]), key: key())
                start = end
                if isFinal { expected.append(.message(kind, payload)) }
                guard random.chance(0.3) else { continue }
                let control = Array(payload.prefix(random.integer(in: 0...125)))
                let isPing = random.chance(0.5)
                bytes += rawFrame(isPing ? 0x89 : 0x8A, control, key: key())
                expected.append(isPing ? .ping(control) : .pong(control))
            }
        }
        switch random.integer(in: 0...2) {
        case 0:
            bytes += rawFrame(0x88, hex("03 E8 62 79 65"), key: key()) + [0xFF, 0xFF]
            expected.append(.close(1000, "bye", mustReply: true))
        case 1:
            bytes += rawFrame(0x81, Array("valid, then ".utf8) + [0xF8, 0x80], key: key())
            expected.append(.fail(1007, "text is not valid UTF-8"))
        default:
            bytes += rawFrame(0x87, [], key: key())
            expected.append(.fail(1002, "reserved opcode"))
        }
        return (bytes, expected)
    }

    private static func payload(_ random: inout SeededRandom, isText: Bool) -> [UInt8] {
        let count = random.chance(0.05) ? random.integer(in: 65_530...65_600) : random.integer(in: 0...300)
        guard isText else { return (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }
        let characters = ["a", "µ", "€", "😀", "plain ASCII for the wide path, "]
        var text: [UInt8] = []
        while text.count < min(count, 400) { text += Array(characters[random.integer(in: 0...4)].utf8) }
        return text
    }

    private static func pieces(_ bytes: [UInt8], _ random: inout SeededRandom, upTo longest: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + random.integer(in: 0...longest))
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }

    @Test(arguments: [WebSocketMachine.Role.client, .server])
    func `a split changes nothing`(role: WebSocketMachine.Role) {
        for stream in 0..<40 {
            var random = SeededRandom(seed: 3, stream: UInt64(stream))
            let (bytes, expected) = Self.conversation(&random, isMasked: role == .server)
            #expect(WebSocketScript.merged(WebSocketScript.events(role, [bytes])) == expected, "stream \(stream), whole")
            for longest in [3, 20, 200, 5000] where bytes.count < longest * 4000 {
                let split = Self.pieces(bytes, &random, upTo: longest)
                #expect(
                    WebSocketScript.merged(WebSocketScript.events(role, split)) == expected, "stream \(stream), pieces up to \(longest)")
            }
        }
    }

    @Test(arguments: [WebSocketMachine.Role.client, .server])
    func `every place for one cut, and single bytes, change nothing`(role: WebSocketMachine.Role) {
        let key: [UInt8]? = role == .server ? [0xA1, 0xB2, 0xC3, 0xD4] : nil
        var bytes = rawFrame(0x81, Array("Hello µ€😀".utf8), key: key) + rawFrame(0x01, hex("E2 82"), key: key)
        bytes += rawFrame(0x89, hex("01 02 03"), key: key) + rawFrame(0x80, hex("AC"), key: key)
        bytes += rawFrame(0x82, [UInt8](repeating: 5, count: 130), key: key) + rawFrame(0x88, hex("03 E8 6F 6B"), key: key)
        let expected: [WebSocketEvent] = [
            .message(.text, Array("Hello µ€😀".utf8)), .ping([1, 2, 3]), .message(.text, Array("€".utf8)),
            .message(.binary, [UInt8](repeating: 5, count: 130)), .close(1000, "ok", mustReply: true),
        ]
        for cut in 0...bytes.count {
            let events = WebSocketScript.events(role, [Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(WebSocketScript.merged(events) == expected, "cut at \(cut)")
        }
        #expect(WebSocketScript.merged(WebSocketScript.events(role, bytes.map { [$0] })) == expected)
    }
}
