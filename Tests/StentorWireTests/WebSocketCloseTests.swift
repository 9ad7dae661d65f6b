import StentorBase
import Testing

@testable import StentorWire

struct WebSocketCloseTests {
    @Test func `exactly the registered and private codes are valid`() {
        let valid = (UInt16.min...UInt16.max).filter(WebSocketCloseCode.isValid)
        #expect(valid == Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4001, 4999] as [UInt16])
    func `a valid close code is handed on`(code: UInt16) {
        let frame = rawFrame(0x88, [UInt8(code >> 8), UInt8(code & 255)] + Array("so long".utf8))
        #expect(WebSocketScript.events(.client, [frame]) == [.close(code, "so long", mustReply: true)])
    }

    @Test(arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16])
    func `an invalid close code fails with 1002`(code: UInt16) {
        let frame = rawFrame(0x88, [UInt8(code >> 8), UInt8(code & 255)])
        #expect(WebSocketScript.events(.client, [frame]) == [.fail(1002, "invalid close code")])
    }

    @Test func `a close without a payload has no code`() {
        #expect(WebSocketScript.events(.client, [hex("88 00")]) == [.close(nil, "", mustReply: true)])
    }

    @Test func `a masked close is unmasked`() {
        let frame = rawFrame(0x88, hex("03 E9 62 79 65"), key: [9, 8, 7, 6])
        #expect(WebSocketScript.events(.server, [frame]) == [.close(1001, "bye", mustReply: true)])
    }

    @Test(arguments: ["03 E8 FF", "03 E8 C2", "03 E8 CE BA ED A0 80"])
    func `a reason that is not UTF-8 fails with 1007`(payload: String) {
        let events = WebSocketScript.events(.client, [rawFrame(0x88, hex(payload))])
        #expect(events == [.fail(1007, "close reason is not valid UTF-8")])
    }

    @Test func `the longest reason passes`() {
        let reason = String(repeating: "r", count: 123)
        let frame = rawFrame(0x88, hex("03 E8") + Array(reason.utf8))
        #expect(WebSocketScript.events(.client, [frame]) == [.close(1000, reason, mustReply: true)])
    }

    @Test func `whatever follows a close is ignored`() {
        let script = WebSocketScript(.client)
        script.feed(hex("88 02 03 E8 81 01 61 FF FF"))
        script.feed(hex("89 00"))
        #expect(script.events == [.close(1000, "", mustReply: true)])
    }

    @Test func `a close ends a fragmented message that is open`() {
        let events = WebSocketScript.events(.client, [hex("01 01 61 88 02 03 E8 80 01 62")])
        #expect(events == [.begin(.text), .payload(hex("61")), .close(1000, "", mustReply: true)])
    }

    @Test func `the deadline runs from the close received, not from our answer`() {
        let script = WebSocketScript(.server, closeTimeout: .seconds(5))
        #expect(script.closeDeadline == nil)
        #expect(!script.isClosing)
        script.now = Instant(nanoseconds: 1_000_000_000)
        script.feed(rawFrame(0x88, [], key: [1, 2, 3, 4]))
        #expect(script.isClosing)
        #expect(!script.isClosed)
        script.now = Instant(nanoseconds: 3_000_000_000)
        script.closeSent()
        #expect(script.isClosed)
        #expect(script.closeDeadline == Instant(nanoseconds: 6_000_000_000))
    }

    @Test func `the deadline runs from our close, whatever the peer still sends`() {
        let script = WebSocketScript(.client, closeTimeout: .milliseconds(100))
        script.closeSent()
        script.now = Instant(nanoseconds: 50_000_000)
        script.feed(hex("81 01 61"))
        #expect(script.isClosing)
        #expect(!script.isClosed)
        script.now = Instant(nanoseconds: 60_000_000)
        script.feed(hex("88 02 03 E8"))
        #expect(script.events == [.message(.text, hex("61")), .close(1000, "", mustReply: false)])
        #expect(script.isClosed)
        #expect(script.closeDeadline == Instant(nanoseconds: 100_000_000))
    }

    @Test func `a failure starts the deadline, and is closed once our close is sent`() {
        let script = WebSocketScript(.client)
        script.now = Instant(nanoseconds: 7)
        script.feed(hex("83"))
        #expect(script.closeDeadline == Instant(nanoseconds: 5_000_000_007))
        #expect(!script.isClosed)
        script.closeSent()
        #expect(script.isClosed)
    }
}
