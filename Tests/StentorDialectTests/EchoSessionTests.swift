import StentorBase
import StentorWire
import Testing

@testable import StentorDialect

@Suite struct `A session with an echo` {
    private func driver(binary: Bool = false) -> SessionDriver {
        let driver = SessionDriver(.echo, ["binary": .boolean(binary)])
        #expect(driver[0].connect() == nil)
        #expect(driver[0].news() == [.ready], "an open connection is all it needs")
        return driver
    }

    @Test(arguments: [0, 1, 3, 4, 5, 20, 21, 22, 400, 70_000], [1, 7, 20, 21, 22, 16_384])
    func `knows its text again, whatever its size and its pieces`(bytes: Int, piece: Int) {
        let driver = driver()
        let text = driver[0].send(42, bytes: bytes)
        #expect(text.count == bytes)
        driver[0].stream(text, piece: piece, at: 3)
        driver[0].receive(text, at: 4)
        #expect(driver[0].news() == [replied(42, at: 3), replied(42, at: 4)])
    }

    @Test(arguments: [21, 400, 70_000])
    func `notices each byte that is not the same`(bytes: Int) {
        let driver = driver()
        let text = driver[0].send(5, bytes: bytes)
        for place in [0, 1, 2, 5, 20, bytes / 2, bytes - 1] where place < bytes {
            var damaged = text
            damaged[place] ^= 1
            driver[0].receive(damaged)
            driver[0].stream(damaged, piece: 6)
            #expect(driver[0].news() == [.corruptReply, .corruptReply], "byte \(place)")
        }
        driver[0].receive(Array(text.dropLast()))
        driver[0].receive(text + [0x20])
        driver[0].receive(text, at: 9)
        #expect(driver[0].news() == [.corruptReply, .corruptReply, replied(5, at: 9)])
    }

    @Test func `takes a greeting for one once, as the first message of a connection`() {
        let driver = driver()
        driver[0].receive("Request served by 4d896d95b55478", at: 1)
        #expect(driver[0].news() == [])
        driver[0].receive("Request served by 4d896d95b55478", at: 2)
        #expect(driver[0].news() == [.unmatchedReply])
        driver[0].lose(at: 3)
        driver[0].connect()
        driver[0].stream(Array("Request served by another".utf8), piece: 3)
        #expect(driver[0].news() == [.ready])
        #expect(driver.factory.received.counts == [0, 2, 1])
    }

    @Test func `a text comes first, a greeting later is none`() {
        let driver = driver()
        let text = driver[0].send(1)
        driver[0].receive(text, at: 1)
        driver[0].receive("Request served by a", at: 2)
        #expect(driver[0].news() == [replied(1, at: 1), .unmatchedReply])
    }

    @Test func `overtaking is left to the account, equal texts are told apart by their order`() {
        let driver = driver()
        let texts = (1...3).map { driver[0].send($0, bytes: 100) }
        for (index, text) in [texts[1], texts[0], texts[2]].enumerated() { driver[0].receive(text, at: Int64(index)) }
        #expect(driver[0].news() == [replied(2, at: 0), replied(1, at: 1), replied(3, at: 2)])
        for sequence in 4...6 { _ = driver[0].send(sequence, bytes: 0) }
        for time in 0..<4 { driver[0].receive("", at: Int64(time)) }
        #expect(driver[0].news() == [replied(4, at: 0), replied(5, at: 1), replied(6, at: 2), replied(6, at: 3)])
    }

    @Test func `of equal texts those within their deadline come first, and what never left cannot come back`() {
        let driver = driver()
        _ = driver[0].send(1, bytes: 0, at: 0)
        _ = driver[0].send(2, bytes: 0, at: 4000)
        driver[0].receive("", at: 5500)
        driver[0].receive("", at: 5600)
        #expect(driver[0].news() == [replied(2, at: 5500), replied(1, at: 5600)])
        _ = driver[0].session.text(sequence: 3, id: "", bytes: 2)
        driver[0].lose(at: 6000)
        driver[0].connect(at: 6001)
        driver[0].receive("[#", at: 6002)
        #expect(driver[0].news() == [.ready, .unmatchedReply])
    }

    @Test func `binary texts come back binary, or not at all`() {
        let driver = driver(binary: true)
        #expect(driver[0].session.messageKind == .binary)
        let text = driver[0].send(1)
        driver[0].receive("Request served by x", .text)
        driver[0].receive(text, .text)
        driver[0].receive(text, .binary, at: 2)
        #expect(driver[0].news() == [.wrongKind, replied(1, at: 2)])
    }

    @Test func `a thousand texts without an echo cost no more memory than a few`() {
        let driver = driver()
        var first: [UInt8] = []
        for sequence in 1...1000 {
            let text = driver[0].send(sequence, at: Int64(sequence))
            if sequence == 1 { first = text }
            if sequence == 1000 { driver[0].receive(text, at: 2000) }
        }
        driver[0].receive(first, at: 2001)
        #expect(driver[0].news() == [replied(1000, at: 2000), .unmatchedReply], "the oldest are forgotten")
    }
}
