import StentorBase
import Testing

@testable import StentorWire

struct WebSocketMachineTests {
    private static let hello = Array("Hello".utf8)

    // MARK: RFC 6455 § 5.7

    @Test func `the client reads the unmasked frames of RFC 6455 section 5.7`() {
        let long = (0..<256).map { UInt8($0) }
        let longer = (0..<65_536).map { UInt8(truncatingIfNeeded: $0) }
        let events = WebSocketScript.events(
            .client,
            [
                hex("81 05 48 65 6c 6c 6f"), hex("01 03 48 65 6c"), hex("80 02 6c 6f"), hex("89 05 48 65 6c 6c 6f"),
                hex("82 7E 01 00") + long, hex("82 7F 00 00 00 00 00 01 00 00") + longer,
            ])
        #expect(
            events == [
                .message(.text, Self.hello), .begin(.text), .payload(Array("Hel".utf8)), .payload(Array("lo".utf8)), .end,
                .ping(Self.hello),
                .message(.binary, long), .message(.binary, longer),
            ])
    }

    @Test func `the server reads the masked frames of RFC 6455 section 5.7`() {
        let reads = [hex("81 85 37 fa 21 3d 7f 9f 4d 51 58"), hex("8a 85 37 fa 21 3d 7f 9f 4d 51 58")]
        #expect(WebSocketScript.events(.server, reads) == [.message(.text, Self.hello), .pong(Self.hello)])
    }

    // MARK: Messages

    @Test(arguments: [(UInt8(0x81), MessageKind.text), (0x82, .binary)])
    func `an empty message is a message`(first: UInt8, kind: MessageKind) {
        #expect(WebSocketScript.events(.client, [[first, 0]]) == [.message(kind, [])])
        #expect(WebSocketScript.events(.server, [[first, 0x80, 1, 2, 3, 4]]) == [.message(kind, [])])
    }

    @Test func `empty fragments make an empty message`() {
        let reads = [[0x01, 0], [0x00, 0], [0x80, 0]] as [[UInt8]]
        #expect(WebSocketScript.events(.client, reads) == [.begin(.text), .end])
    }

    @Test func `a message whose header came in an earlier read is still whole`() {
        #expect(WebSocketScript.events(.client, [hex("81"), hex("05"), Self.hello]) == [.message(.text, Self.hello)])
    }

    @Test func `a message cut in its payload is streamed`() {
        let events = WebSocketScript.events(.client, [hex("81 05 48"), hex("65 6c"), hex("6c 6f 82 01 07")])
        let streamed: [WebSocketEvent] = [.begin(.text), .payload(hex("48")), .payload(hex("65 6c")), .payload(hex("6c 6f")), .end]
        #expect(events == streamed + [.message(.binary, [7])])
    }

    @Test func `control frames between fragments come at their place`() {
        let bytes = hex("01 01 61 89 01 70 00 01 62 8a 00 80 01 63")
        let start: [WebSocketEvent] = [.begin(.text), .payload(hex("61")), .ping(hex("70")), .payload(hex("62")), .pong([])]
        #expect(WebSocketScript.events(.client, [bytes]) == start + [.payload(hex("63")), .end])
    }

    @Test func `ranges count from the start of the buffer, not from the offset`() {
        var bytes = hex("FF FF 82 02 0A 0B")
        var machine = WebSocketMachine(role: .client)
        var offset = 2
        let action = bytes.withUnsafeMutableBytes { machine.next(in: $0, from: &offset, at: .distantPast) }
        #expect(action == .message(.binary, 4..<6))
        #expect(offset == 6)
    }

    @Test func `a frame with the longest length but one is awaited, not kept`() {
        let script = WebSocketScript(.client, messageLimitBytes: .max)
        script.feed(hex("82 7F 7F FF FF FF FF FF FF FF"))
        script.feed([1])
        #expect(script.events == [.begin(.binary), .payload([1])])
    }

    // MARK: Violations

    @Test(arguments: [
        ("C1 00", "reserved bit is set"), ("A1 00", "reserved bit is set"), ("91 00", "reserved bit is set"), ("F1", "reserved bit is set"),
        ("83", "reserved opcode"), ("84", "reserved opcode"), ("85", "reserved opcode"), ("86", "reserved opcode"),
        ("87", "reserved opcode"),
        ("8B", "reserved opcode"), ("8C", "reserved opcode"), ("8D", "reserved opcode"), ("8E", "reserved opcode"),
        ("8F", "reserved opcode"),
        ("09", "fragmented control frame"), ("0A", "fragmented control frame"), ("08", "fragmented control frame"),
        ("89 7E 00 7E", "control frame over 125 bytes"), ("8A 7E", "control frame over 125 bytes"),
        ("88 7F", "control frame over 125 bytes"),
        ("81 85 37 fa 21 3d 7f 9f 4d 51 58", "frame of a server is masked"), ("88 80", "frame of a server is masked"),
        ("82 7E 00 7D", "length not in its shortest form"), ("82 7F 00 00 00 00 00 00 FF FF", "length not in its shortest form"),
        ("82 7F 80 00 00 00 00 00 00 00", "length with its top bit set"), ("80 00", "continuation without a message"),
        ("00 00", "continuation without a message"), ("01 00 81 00", "new message inside a fragmented one"),
        ("01 00 02 00", "new message inside a fragmented one"), ("01 00 80 00 80 00", "continuation without a message"),
        ("88 01 03", "close payload of one byte"),
    ])
    func `a frame against the rules fails with 1002`(bytes: String, reason: String) {
        let events = WebSocketScript.events(.client, [hex(bytes)])
        #expect(events.last == .fail(1002, reason))
        #expect(WebSocketScript.merged(WebSocketScript.events(.client, hex(bytes).map { [$0] })).last == .fail(1002, reason))
    }

    @Test(arguments: ["81 00", "81 05 48 65 6c 6c 6f", "89 00", "88 00"])
    func `a client's frame without a mask fails with 1002`(bytes: String) {
        #expect(WebSocketScript.events(.server, [hex(bytes)]) == [.fail(1002, "frame of a client is not masked")])
    }

    @Test func `nothing is said after a failure`() {
        let script = WebSocketScript(.client)
        script.feed(hex("83 00 81 01 61"))
        script.feed(hex("89 00 88 00"))
        #expect(script.events == [.fail(1002, "reserved opcode")])
        #expect(script.isClosing)
    }

    @Test func `a whole message before a bad frame is still delivered`() {
        let events = WebSocketScript.events(.client, [hex("81 01 61 C1 01 62 89 00")])
        #expect(events == [.message(.text, hex("61")), .fail(1002, "reserved bit is set")])
    }

    // MARK: Text

    private static let notText = WebSocketEvent.fail(1007, "text is not valid UTF-8")

    @Test(arguments: ["81 01 FF", "81 01 C2", "81 03 ED A0 80", "81 04 F4 90 80 80", "81 02 C0 AF"])
    func `a text message that is not UTF-8 fails with 1007`(bytes: String) {
        #expect(WebSocketScript.events(.client, [hex(bytes)]) == [Self.notText])
    }

    @Test func `binary messages may hold anything`() {
        #expect(WebSocketScript.events(.client, [hex("82 02 FF C2")]) == [.message(.binary, hex("FF C2"))])
    }

    @Test func `a character may be cut by fragments and by pings`() {
        let events = WebSocketScript.events(.client, [hex("01 01 E2 89 00 00 01 82 80 01 AC")])
        #expect(WebSocketScript.merged(events) == [.ping([]), .message(.text, Array("€".utf8))])
    }

    @Test func `text fails at its first impossible byte, not at the end of frame or message`() {
        let script = WebSocketScript(.client)
        script.feed(hex("01 08 CE BA"))
        script.feed(hex("F4"))
        #expect(!script.isClosing)
        script.feed(hex("90"))
        #expect(script.events.last == Self.notText)
    }

    @Test func `text may not end inside a character`() {
        let events = WebSocketScript.events(.client, [hex("01 01 E2 00 01 82 80 00")])
        #expect(events == [.begin(.text), .payload(hex("E2")), .payload(hex("82")), Self.notText])
    }

    @Test func `a new text message starts with a fresh character`() {
        let events = WebSocketScript.events(.client, [hex("82 01 C2 81 01 61 01 01 61 80 00 81 01 62")])
        let expected: [(MessageKind, String)] = [(.binary, "C2"), (.text, "61"), (.text, "61"), (.text, "62")]
        #expect(WebSocketScript.merged(events) == expected.map { .message($0, hex($1)) })
    }

    // MARK: Limits

    private static let tooBig = WebSocketEvent.fail(1009, "message is over the limit")

    @Test func `a message at the limit passes, one byte more fails with 1009 from its header alone`() {
        let exact = [UInt8](repeating: 1, count: 200)
        #expect(WebSocketScript.events(.client, messageLimitBytes: 200, [rawFrame(0x82, exact)]) == [.message(.binary, exact)])
        #expect(WebSocketScript.events(.client, messageLimitBytes: 200, [hex("82 7E 00 C9")]) == [Self.tooBig])
        #expect(WebSocketScript.events(.client, messageLimitBytes: 200, [hex("82 7F 7F FF FF FF FF FF FF FF")]) == [Self.tooBig])
    }

    @Test func `fragments count together against the limit`() {
        let events = WebSocketScript.events(.client, messageLimitBytes: 4, [hex("02 02 01 02 89 02 70 70 00 02 03 04 80 01")])
        let start: [WebSocketEvent] = [.begin(.binary), .payload([1, 2]), .ping(hex("70 70")), .payload([3, 4])]
        #expect(events == start + [Self.tooBig])
    }

    @Test func `each message has the whole limit`() {
        let frame = hex("82 04 01 02 03 04")
        let message = WebSocketEvent.message(.binary, [1, 2, 3, 4])
        #expect(WebSocketScript.events(.client, messageLimitBytes: 4, [frame + frame]) == [message, message])
    }

    @Test func `the sum of lengths near the top does not overflow`() {
        let events = WebSocketScript.events(.client, messageLimitBytes: .max, [hex("02 01 07 80 7F 7F FF FF FF FF FF FF FF")])
        #expect(events.last == Self.tooBig)
    }
}
