import StentorBase
import StentorDialect
import Testing

private func message(_ id: String, _ text: String, edit: Bool = false, final: Bool = false) -> String {
    #"{"t":"message","id":"\#(id)","text":"\#(text)","edit":\#(edit),"final":\#(final)}"#
}

private let idle = #"{"t":"avatar","state":"idle"}"#
private let stop = #"{"t":"typing","stop":true}"#

private func began(_ sequence: Int, _ at: Int64) -> DeviceFact {
    .replyBegan(sequence: sequence, firstShownAt: ms(at))
}

private func ended(_ sequence: Int, _ at: Int64, until end: Int64? = nil, edits: Int = 0) -> DeviceFact {
    .replyEnded(sequence: sequence, firstShownAt: ms(at), endedAt: ms(end ?? at), edits: edits)
}

struct HermesReplyTests {
    // MARK: By marker

    @Test func `a turn as the protocol draws it gives one reply with its edits`() {
        let driver = HermesDriver()
        #expect(
            driver.receive(all: [#"{"t":"typing"}"#, #"{"t":"avatar","state":"thinking"}"#, #"{"t":"avatar","state":"speaking"}"#]) == [])
        #expect(driver.receive(message("m1", "[#7] He"), at: 100) == [began(7, 100)])
        #expect(driver.receive(message("m1", "[#7] Hello", edit: true), at: 900) == [edited(after: 800)])
        #expect(
            driver.receive(message("m1", "[#7] Hello!", edit: true, final: true), at: 1000) == [
                edited(after: 100), ended(7, 100, until: 1000, edits: 2),
            ])
        #expect(driver.receive(all: [idle, stop], at: 1001) == [])
        #expect(driver.deadline == nil)
    }

    @Test(arguments: [idle, #"{"t":"avatar"}"#, stop])
    func `without final, an idle avatar or the end of typing ends a reply after its text`(end: String) {
        let driver = HermesDriver()
        #expect(driver.receive(end) == [])
        #expect(driver.receive(message("a", "[#1] x"), at: 5) == [began(1, 5)])
        #expect(driver.receive(#"{"t":"typing"}"#) == [])
        #expect(driver.receive(#"{"t":"avatar","state":"speaking"}"#) == [])
        #expect(driver.receive(end, at: 9) == [ended(1, 5, until: 9)])
    }

    @Test func `an idle avatar before any text ends nothing`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("a", "")) == [])
        #expect(driver.receive(idle) == [])
        #expect(
            driver.receive(message("a", "[#3]", edit: true, final: true), at: 4) == [
                edited(after: 4), began(3, 0), ended(3, 0, until: 4, edits: 1),
            ])
    }

    @Test func `a quiet time of two seconds after the last piece ends a reply`() {
        let driver = HermesDriver()
        #expect(driver.deadline == nil)
        _ = driver.receive(message("a", "[#1] x"), at: 100)
        #expect(driver.deadline == 2100)
        _ = driver.receive(message("a", "[#1] xy", edit: true), at: 600)
        #expect(driver.deadline == 2600)
        #expect(driver.pass(to: 2599) == [])
        #expect(driver.pass(to: 2600) == [ended(1, 100, until: 600, edits: 1)])
        #expect(driver.deadline == nil)
    }

    @Test func `the quiet time is an option`() {
        let driver = HermesDriver { $0.quietTime = .milliseconds(50) }
        _ = driver.receive(message("a", "[#1] x"))
        #expect(driver.deadline == 50)
    }

    @Test func `a marker that a later edit completes dates the reply to its first piece`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("a", "[#4"), at: 10) == [])
        #expect(driver.receive(message("a", "[#42] yes", edit: true), at: 30) == [edited(after: 20), began(42, 10)])
    }

    @Test func `a marker that is split over appended pieces is found`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("a", "You said [#"), at: 1) == [])
        #expect(driver.receive(message("a", "9"), at: 2) == [edited(after: 1)])
        #expect(driver.receive(message("a", "] hi"), at: 3) == [edited(after: 1), began(9, 1)])
        #expect(driver.receive(message("a", " there", final: true), at: 4) == [edited(after: 1), ended(9, 1, until: 4, edits: 3)])
    }

    @Test func `an edit replaces what was appended`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", "[#"))
        _ = driver.receive(message("a", "nothing", edit: true))
        #expect(driver.receive(message("a", "1]", final: true), at: 1) == [edited(after: 1), .unmatchedReply])
    }

    @Test func `an edit of an unknown id creates the message`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("a", "[#1] x", edit: true, final: true), at: 3) == [began(1, 3), ended(1, 3)])
    }

    @Test func `a marker is found behind escapes, and when its own signs are escaped`() {
        let driver = HermesDriver()
        #expect(driver.receive(message("a", #"\"a\/b\" \u005b#12\u005d"#, final: true)) == [began(12, 0), ended(12, 0)])
    }

    @Test func `the same answer under another id, or sent again, is reported again`() {
        let driver = HermesDriver()
        let twice = [message("a", "[#1] x", final: true), message("b", "[#1] x", final: true), message("a", "[#1] x", final: true)]
        #expect(twice.map { driver.receive($0) } == Array(repeating: [began(1, 0), ended(1, 0)], count: 3))
    }

    @Test func `a late edit of a complete message is no second reply`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", "[#1] x"))
        #expect(driver.pass(to: 2000) == [ended(1, 0)])
        #expect(driver.receive(message("a", "[#1] xy", edit: true, final: true), at: 2100) == [])
    }

    @Test func `a message that ended without a marker is matched when the marker comes`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", "wait"))
        #expect(driver.pass(to: 2000) == [.unmatchedReply])
        #expect(driver.receive(message("a", "[#1] done", edit: true, final: true), at: 2100) == [began(1, 0), ended(1, 0, until: 2100)])
    }

    @Test func `interleaved replies do not end each other`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", "[#1] x"), at: 0)
        _ = driver.receive(message("b", "[#2] x"), at: 1)
        #expect(
            driver.receive(message("a", "[#1] xy", edit: true, final: true), at: 2) == [edited(after: 2), ended(1, 0, until: 2, edits: 1)])
        #expect(driver.receive(all: [idle, stop], at: 3) == [])
        #expect(driver.receive(message("b", "[#2] xy", edit: true), at: 4) == [edited(after: 3)])
        #expect(driver.receive(idle, at: 1500) == [ended(2, 1, until: 1500, edits: 1)])
    }

    @Test func `replies of a server that sends no ids are told apart by their markers`() {
        let driver = HermesDriver()
        #expect(driver.receive(#"{"t":"message","text":"[#1] x"}"#) == [began(1, 0)])
        #expect(driver.receive(#"{"t":"message","text":"[#2] x"}"#) == [ended(1, 0), began(2, 0)])
        #expect(driver.receive(stop) == [ended(2, 0)])
        #expect(driver.receive(#"{"t":"message","text":"[#3] x","final":true}"#) == [began(3, 0), ended(3, 0)])
    }

    @Test func `past 64 open messages the oldest is ended`() {
        let driver = HermesDriver()
        for index in 0..<64 { #expect(driver.receive(message("m\(index)", "no mark")) == []) }
        #expect(driver.receive(message("m64", "no mark")) == [.unmatchedReply])
        #expect(driver.pass(to: 2000) == Array(repeating: .unmatchedReply, count: 64))
    }

    @Test func `a marker is still found after 4 KiB of appended text`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", String(repeating: "x", count: 9000) + "[#"))
        #expect(driver.receive(message("a", "5]"), at: 1) == [edited(after: 1), began(5, 0)])
    }

    @Test func `a lost connection ends no reply, and its next piece goes on`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", "[#1] x"))
        #expect(driver.lose() == [])
        #expect(driver.deadline == nil)
        driver.reconnect()
        #expect(driver.receive(idle) == [])
        #expect(driver.receive(message("a", "[#1] xy", edit: true, final: true), at: 9000) == [ended(1, 0, until: 9000, edits: 1)])
    }

    @Test func `what waits over a second lost connection is forgotten`() {
        let driver = HermesDriver()
        _ = driver.receive(message("a", "[#1] x"))
        _ = driver.lose()
        _ = driver.lose()
        #expect(driver.receive(message("a", "[#1] xy", edit: true, final: true), at: 9) == [began(1, 9), ended(1, 9)])
    }

    // MARK: By turn

    @Test func `all messages of a turn are one reply`() {
        let driver = HermesDriver { $0.correlation = .turn }
        driver.openTurn(5)
        #expect(driver.receive(message("a", "Let me see"), at: 10) == [began(5, 10)])
        #expect(driver.receive(message("b", "[#77] there"), at: 20) == [])
        #expect(
            driver.receive(message("b", "there it is", edit: true, final: true), at: 30) == [
                edited(after: 10), ended(5, 10, until: 30, edits: 1),
            ])
        #expect(driver.receive(all: [idle, stop], at: 31) == [])
    }

    @Test(arguments: [idle, stop])
    func `a turn ends when the server rests`(end: String) {
        let driver = HermesDriver { $0.correlation = .turn }
        driver.openTurn(5)
        #expect(driver.receive(end) == [])
        _ = driver.receive(message("a", "x"), at: 10)
        #expect(driver.receive(end, at: 11) == [ended(5, 10, until: 11)])
        driver.openTurn(6)
        #expect(driver.receive(message("c", "y", final: true), at: 20) == [began(6, 20), ended(6, 20)])
    }

    @Test func `a turn ends after a quiet time that each piece begins anew`() {
        let driver = HermesDriver { $0.correlation = .turn }
        driver.openTurn(5)
        #expect(driver.deadline == nil)
        _ = driver.receive(message("a", "x"), at: 10)
        _ = driver.receive(message("b", "y"), at: 500)
        #expect(driver.deadline == 2500)
        #expect(driver.pass(to: 2500) == [ended(5, 10, until: 500)])
    }

    @Test func `a turn that a lost connection cut waits for its rest`() {
        let driver = HermesDriver { $0.correlation = .turn }
        driver.openTurn(5)
        _ = driver.receive(message("a", "half"), at: 10)
        #expect(driver.lose() == [])
        #expect(driver.deadline == nil)
        driver.reconnect()
        #expect(driver.receive(idle, at: 5000) == [])
        #expect(driver.receive(message("a", "half and whole", edit: true, final: true), at: 9000) == [ended(5, 10, until: 9000, edits: 1)])
    }

    @Test func `what comes outside a turn is unmatched`() {
        let driver = HermesDriver { $0.correlation = .turn }
        #expect(driver.receive(message("a", "hello", final: true)) == [.unmatchedReply])
        driver.openTurn(5)
        driver.closeTurn()
        #expect(driver.receive(message("b", "late", final: true)) == [.unmatchedReply])
    }

    @Test func `what was open before a turn does not answer it`() {
        let driver = HermesDriver { $0.correlation = .turn }
        driver.openTurn(5)
        _ = driver.receive(message("a", "slow"))
        driver.openTurn(6)
        #expect(driver.receive(message("a", "slow indeed", edit: true, final: true), at: 1) == [edited(after: 1), .unmatchedReply])
        #expect(driver.receive(message("b", "fast", final: true), at: 2) == [began(6, 2), ended(6, 2)])
    }
}
