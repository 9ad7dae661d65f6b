import StentorBase
import StentorWire
import Testing

@testable import StentorDialect

@Suite struct `A session in a room` {
    private func driver(_ count: Int = 3, members: Int = 10, _ more: [String: DialectSettings.Value] = [:]) -> SessionDriver {
        let settings: [String: DialectSettings.Value] = [
            "members": .integer(members), "own_echo": .boolean(true), "settle": .duration(.zero),
        ]
        let driver = SessionDriver(.rooms, devices: count, settings.merging(more) { $1 })
        for device in driver.devices {
            device.connect()
            _ = device.news()
        }
        return driver
    }

    private func message(_ sequence: Int, sender: String = "d-0", room: String = "room-0") -> String {
        #"{"type":"message","room":"\#(room)","sender":"\#(sender)","text":"[#\#(sequence)] hello","timestamp":1}"#
    }

    private func delivered(at time: Int64) -> DeviceFact {
        .delivered(Delivery(due: ms(0), arrived: ms(time), phaseTag: 1, before: .inDoubt, isLate: false, isReordered: false))
    }

    @Test func `joins when it connects, is ready with that, and leaves with a word`() {
        let driver = SessionDriver(.rooms, ["members": .integer(1)])
        #expect(driver[0].connect() == #"{"type":"join","room":"room-0","sender":"d-0","timestamp":1796000000.25}"#)
        #expect(driver[0].news() == [.ready])
        #expect(driver[0].leave(at: 5) == #"{"type":"leave","room":"room-0","sender":"d-0","timestamp":1796000000.25}"#)
        driver[0].lose(at: 6)
        #expect(driver[0].news() == [])
        #expect(driver[0].connect(at: 7)?.contains("join") == true, "again after each loss")
        #expect(Dialect.rooms.leaveCode == 1001)
        #expect(driver.factory.made.counts == [2, 1, 0, 0])
    }

    @Test func `a text names its room and sender, and the last member tells the sender's owner`() {
        let driver = driver()
        let text = String(decoding: driver[0].send(7), as: UTF8.self)
        #expect(text.hasPrefix(#"{"type":"message","room":"room-0","sender":"d-0","text":"[#7] "#))
        #expect(driver[0].news() == [.deliveriesExpected(3, away: 0, uncertain: 0)])
        driver[1].receive(text, at: 10)
        #expect(driver[1].news() == [delivered(at: 10)])
        driver[0].receive(text, at: 20)
        #expect(driver[0].news() == [delivered(at: 20)])
        #expect(driver[2].session.isExpecting)
        driver[2].stream(Array(text.utf8), piece: 7, at: 30)
        #expect(driver[2].news() == [delivered(at: 30)])
        let end = DeviceFact.replyEnded(sequence: 7, firstShownAt: ms(10), endedAt: ms(30), edits: 0)
        #expect(driver[0].news() == [.fannedOut(due: ms(0), at: ms(30), phaseTag: 1), end])
        #expect(!driver[2].session.isExpecting)
    }

    @Test func `the last to go ends a text without a fan-out to all`() {
        let driver = driver(2)
        _ = driver[0].send(1)
        driver[0].receive(message(1), at: 5)
        driver[1].lose(at: 9)
        #expect(driver[1].news() == [.deliveriesAway(1)])
        let end = DeviceFact.replyEnded(sequence: 1, firstShownAt: ms(5), endedAt: ms(5), edits: 0)
        #expect(driver[0].news().suffix(1) == [end])
    }

    @Test func `a text that nobody can get is excused`() {
        let driver = driver(1, ["own_echo": .boolean(false)])
        _ = driver[0].send(1)
        #expect(driver[0].news() == [.deliveriesExpected(0, away: 0, uncertain: 0), .replyExcused(sequence: 1)])
    }

    @Test func `the sender counts what is lost at its deadline, and whoever waits hears that he need not`() {
        let driver = driver(2)
        _ = driver[0].send(1)
        _ = driver[0].news()
        #expect(driver[0].session.deadline == ms(5000) && driver[1].session.deadline == nil)
        driver[0].pass(to: 5000)
        #expect(driver[0].news() == [.deliveriesLost(2)])
        #expect(driver[1].settledCount == 1)
    }

    @Test func `a socket that plays dead is excused`() {
        let driver = driver(2)
        _ = driver[0].send(1)
        driver[1].fallSilent(true, at: 1)
        #expect(driver[1].news() == [.deliveriesAway(1)])
        driver[1].fallSilent(false, at: 2)
        driver[1].receive(message(1), at: 3)
        #expect(
            driver[1].news() == [
                .delivered(Delivery(due: ms(0), arrived: ms(3), phaseTag: 1, before: .away, isLate: false, isReordered: false))
            ])
    }

    @Test func `what comes to the wrong room is unexpected, what strangers say is unmatched`() {
        let driver = driver(4, members: 2)
        _ = driver[0].send(1)
        driver[2].receive(message(1))
        driver[2].receive(message(1, room: "room-1"))
        driver[1].receive(message(2))
        driver[1].receive(message(1, sender: "d-2"))
        #expect(driver[2].news() == [.deliveryUnexpected, .deliveryUnexpected])
        #expect(driver[1].news() == [.deliveryUnexpected, .deliveryUnexpected])
        driver[1].receive(message(1, sender: "guest"))
        driver[1].receive(#"{"type":"message","room":"room-0","sender":"d-0","text":"no marker","timestamp":1}"#)
        #expect(driver[1].news() == [.unmatchedReply, .unmatchedReply])
    }

    @Test func `second copies and a history are told apart`() {
        let driver = driver(2, ["history": .boolean(true)])
        _ = driver[0].send(1, at: 0)
        driver[1].receive(message(1), at: 1)
        driver[1].receive(message(1), at: 2)
        #expect(driver[1].news() == [delivered(at: 1), .deliveryDuplicated])
        driver[1].lose(at: 3)
        driver[1].connect(at: 2000)
        driver[1].receive(message(1), at: 2001)
        #expect(driver[1].news() == [.ready, .deliveryReplayed])
    }

    @Test func `an id with signs that JSON escapes is found`() {
        let driver = driver(2)
        _ = driver[0].send(1)
        driver[1].receive(#"{"type":"message","room":"room\u002d0","sender":"d\u002D0","text":"\u005b#1]","timestamp":1}"#, at: 4)
        #expect(driver[1].news() == [delivered(at: 4)])
    }

    @Test(arguments: [
        "", "[]", "{", "{}", #"{"type":"message","room":"room-0","sender":"d-0","timestamp":1}"#,
        #"{"type":"message","room":"room-0","sender":"d-0","text":1,"timestamp":1}"#,
        #"{"type":"message","room":"room-0","sender":"d-0","text":"[#1]"}"#,
        #"{"type":"message","room":"room-0","sender":"d-0","text":"[#1]","timestamp":"1"}"#,
        #"{"type":"join","room":null,"sender":"d-0","timestamp":1}"#, #"{"room":"room-0","sender":"d-0","timestamp":1}"#,
    ])
    func `a message that breaks the form is malformed and disturbs nothing`(text: String) {
        let driver = driver(1)
        driver[0].receive(text)
        #expect(driver[0].news() == [.malformedFrame])
    }

    @Test func `announcements are counted by type, other types are unknown, binary messages are of the wrong kind`() {
        let driver = driver(1)
        for type in ["join", "leave", "poke"] {
            driver[0].receive(#"{"type":"\#(type)","room":"room-0","sender":"x","timestamp":1.5}"#)
        }
        driver[0].receive(message(1), .binary)
        driver[0].stream(Array(message(1).utf8), piece: 3, .binary)
        #expect(driver[0].news() == [.unknownFrame, .wrongKind, .wrongKind])
        #expect(driver.factory.received.counts == [1, 1, 0, 1])
    }
}

@Suite struct `The plan of rooms` {
    @Test(
        arguments: [("members", 50, 0, 0), ("members", 50, 49, 0), ("members", 50, 50, 1), ("count", 7, 9, 2)] as [(String, Int, Int, Int)])
    func `gives a device its room`(option: String, value: Int, device: Int, room: Int) {
        let settings = DialectSettings([option: .integer(value)])
        #expect(RoomPlan(settings).room(ofDevice: device) == room)
        #expect(Dialect.rooms.group(device, settings) == room)
    }

    @Test func `comes back after 2, 4, 8, 16 and 30 seconds`() {
        let policy = Dialect.rooms.reconnectPolicy
        #expect((1...6).map { policy.plainDelay(attempt: $0).wholeNanoseconds / 1_000_000_000 } == [2, 4, 8, 16, 30, 30])
        #expect(Dialect.rooms.resetsBackoffAtOpen)
    }
}

@Suite struct `The table of senders` {
    @Test func `finds each of many ids, and no other`() {
        var table = SenderTable()
        for index in 0..<5000 { table.insert("device-\(index)", index) }
        table.insert("device-7", 99)
        func find(_ id: String) -> Int? { Array(id.utf8).withUnsafeBytes { table.find($0) } }
        let found: [Int?] = (0..<5000).map { (index: Int) in find("device-\(index)") }
        #expect(found == Array(0..<5000))
        #expect(find("") == nil && find("device-") == nil && find("device-5000") == nil && find("evice-1") == nil)
    }
}
