import StentorBase
import StentorWire
import Testing

@testable import StentorDialect

@Suite struct `A session of typed messages` {
    private let driver = SessionDriver(.typed)
    private var device: SessionDriver.Device { driver[0] }

    private func message(_ content: String) -> String { #"{"sender":"server","content":"\#(content)"}"# }

    @Test func `is ready with the first message that it can read, and not before`() {
        #expect(device.connect() == nil)
        #expect(device.news() == [])
        device.receive(message("hello"), .text)
        device.receive([0xFF, 0x7B])
        #expect(device.news() == [.wrongKind, .malformedFrame])
        device.receive(message("welcome"))
        #expect(device.news() == [.ready])
        device.lose(at: 1)
        device.connect()
        #expect(device.news() == [], "once for each connection")
        device.receive(message("[#3] late"), at: 2)
        #expect(device.news() == [.ready, replied(3, at: 2)], "a reply greets as well as any")
    }

    @Test func `sends its texts as binary messages, and finds replies by their marker`() {
        #expect(device.session.messageKind == .binary && Dialect.typed.leaveCode == 1001)
        device.connect()
        device.receive(message("welcome"))
        let text = String(decoding: device.send(12, bytes: 30), as: UTF8.self)
        #expect(text == #"{"sender":"d-0","content":"\#(TextBody.make(sequence: 12, bytes: 30))"}"#)
        device.receive(message("[#12] hi"), at: 5)
        device.stream(Array(message("[#12] hi").utf8), piece: 4, at: 6)
        device.receive(message("no marker"))
        #expect(device.news() == [.ready, replied(12, at: 5), replied(12, at: 6), .unmatchedReply])
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"sender":"s"}"#, #"{"content":"c"}"#, #"{"sender":1,"content":"c"}"#, #"{"sender":"s","content":null}"#,
    ])
    func `what is no pair of texts is malformed and disturbs nothing`(text: String) {
        device.connect()
        device.receive(text)
        #expect(device.news() == [.malformedFrame])
        device.receive(message("welcome"))
        #expect(device.news() == [.ready])
    }

    @Test func `text messages are of the wrong kind, whole and in pieces`() {
        device.connect()
        device.receive(message("[#1]"), .text)
        device.stream(Array(message("[#1]").utf8), piece: 5, .text)
        #expect(device.news() == [.wrongKind, .wrongKind])
    }

    @Test func `a message past all reason is malformed`() {
        device.connect()
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: MessageAssembly.limitBytes + 1)
        device.stream(long, piece: 1 << 20)
        device.stream(Array(message("welcome").utf8), piece: 1)
        #expect(device.news() == [.malformedFrame, .ready])
    }
}
