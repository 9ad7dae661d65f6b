import StentorBase
import StentorDialect
import StentorMetrics
import Testing

@testable import StentorFleet

@Suite struct `The accounts of prompts` {
    private final class Script {
        let book = Book()
        var ledger = PromptLedger()

        /// Shows a card that is answered with an option after 100 ms; nil: left alone.
        func show(_ id: String, option: String? = "once", at milliseconds: Int64) {
            let card = PromptCard(id: id, kind: "exec_approval", options: [.init(id: "once"), .init(id: "deny")])
            ledger.shown(card, at: at(milliseconds), phase: .steady, book.shard) { _ in
                option.map { (PromptResponse(optionID: $0), .milliseconds(100)) }
            }
        }
        /// Takes the answer that is due and hands it to the kernel.
        @discardableResult func answer(at milliseconds: Int64, isSent: Bool = true) -> String? {
            guard let answer = ledger.takeDue(at: at(milliseconds)) else { return nil }
            if isSent { ledger.sent(answer.mark, at: at(milliseconds)) }
            return answer.id
        }
        func take(at milliseconds: Int64) -> (id: String, response: PromptResponse, mark: Int)? { ledger.takeDue(at: at(milliseconds)) }
        func close(_ id: String, option: String? = "once", isExpired: Bool = false, at milliseconds: Int64) {
            ledger.closed(id, optionID: option, isExpired: isExpired, at: at(milliseconds), book.shard)
        }
        var counts: [String: Int64] { book.counts("prompts.") }
    }

    @Test func `an answer is due after the time to think, and measured from the kernel to the card's end`() {
        let script = Script()
        script.show("a", at: 0)
        #expect(script.counts == ["prompts.received": 1, "prompts.open": 1])
        #expect(script.ledger.due == at(100))
        #expect(script.answer(at: 99) == nil)
        #expect(script.answer(at: 120) == "a")
        #expect(script.answer(at: 130) == nil)
        #expect(script.ledger.due == nil && script.ledger.unconfirmedCount == 1)
        script.close("a", at: 150)
        #expect(script.counts == ["prompts.received": 1, "prompts.answered": 1])
        #expect(script.book.samples(.promptAnswer, in: .steady) == .init(count: 1, milliseconds: 30))
        #expect(script.ledger.unconfirmedCount == 0)
    }

    @Test func `another option than was given is a substitution; case and silence about it are none`() {
        let script = Script()
        for (id, applied) in [("a", "deny"), ("b", "ONCE"), ("c", nil)] {
            script.show(id, at: 0)
            script.answer(at: 100)
            script.close(id, option: applied, at: 200)
        }
        #expect(script.counts == ["prompts.received": 3, "prompts.substituted": 1, "prompts.answered": 2])
    }

    @Test func `a card that expires is expired, answered or not`() {
        let script = Script()
        script.show("a", at: 0)
        script.show("b", at: 0)
        script.answer(at: 100)
        script.close("a", option: nil, isExpired: true, at: 200)
        script.close("b", option: nil, isExpired: true, at: 200)
        #expect(script.counts == ["prompts.received": 2, "prompts.expired": 2])
        #expect(script.ledger.due == nil)
    }

    @Test func `a card closed before its answer was given is superseded`() {
        let script = Script()
        script.show("a", at: 0)
        script.close("a", at: 50)
        #expect(script.counts == ["prompts.received": 1, "prompts.superseded": 1])
        #expect(script.answer(at: 200) == nil)
    }

    @Test func `a card left alone is ignored, never due, and ends in another count too`() {
        let script = Script()
        script.show("a", option: nil, at: 0)
        script.show("b", option: nil, at: 0)
        #expect(script.ledger.due == nil && script.ledger.unconfirmedCount == 0)
        script.close("a", option: nil, isExpired: true, at: 500)
        script.close("b", option: "deny", at: 500)
        #expect(script.counts == ["prompts.received": 2, "prompts.ignored": 2, "prompts.expired": 1, "prompts.superseded": 1])
    }

    @Test func `an answer that was not handed over is given again at once on the next connection`() {
        let script = Script()
        script.show("a", at: 0)
        #expect(script.answer(at: 100, isSent: false) == "a")
        script.ledger.connectionLost(at: at(110))
        #expect(script.ledger.due == at(110) && script.ledger.unconfirmedCount == 0)
        #expect(script.answer(at: 300) == "a")
        script.close("a", at: 320)
        #expect(script.counts == ["prompts.received": 1, "prompts.answered": 1])
        #expect(script.book.samples(.promptAnswer, in: .steady) == .init(count: 1, milliseconds: 20))
    }

    @Test func `an answer that was lost on the way is given again when the card is shown again, and the card counts once`() {
        let script = Script()
        script.show("a", at: 0)
        script.answer(at: 100)
        script.ledger.connectionLost(at: at(110))
        #expect(script.ledger.due == nil && script.ledger.unconfirmedCount == 1)
        script.show("a", option: "deny", at: 400)
        #expect(script.ledger.due == at(400))
        #expect(script.take(at: 400)?.response == PromptResponse(optionID: "once"))
        script.close("a", at: 420)
        #expect(script.counts == ["prompts.received": 1, "prompts.answered": 1])
    }

    @Test func `a card shown again while the device still thinks keeps its time`() {
        let script = Script()
        script.show("a", at: 0)
        script.ledger.connectionLost(at: at(30))
        script.show("a", at: 60)
        #expect(script.ledger.due == at(100))
        #expect(script.counts == ["prompts.received": 1, "prompts.open": 1])
    }

    @Test func `an answer given on a lost connection that ended the card is answered, without a time`() {
        let script = Script()
        script.show("a", at: 0)
        script.answer(at: 100, isSent: false)
        script.ledger.connectionLost(at: at(110))
        script.close("a", at: 400)
        #expect(script.counts == ["prompts.received": 1, "prompts.answered": 1])
        #expect(script.book.samples(.promptAnswer, in: .steady).count == 0)
    }

    @Test func `an end without a card, a second end, and a mark of a closed card change nothing`() throws {
        let script = Script()
        script.close("x", at: 0)
        script.show("a", at: 0)
        let answer = try #require(script.take(at: 100))
        script.close("a", at: 110)
        script.close("a", option: "deny", at: 120)
        script.ledger.sent(answer.mark, at: at(130))
        script.ledger.sent(99, at: at(130))
        #expect(script.counts == ["prompts.received": 1, "prompts.answered": 1])
        #expect(script.ledger.due == nil && script.ledger.unconfirmedCount == 0)
    }
}
