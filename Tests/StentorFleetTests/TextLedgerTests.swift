import StentorBase
import StentorMetrics
import Testing

@testable import StentorFleet

@Suite struct `The accounts of texts` {
    /// A ledger with its book, and texts that are due every 100 ms and have 1 s.
    private final class Script {
        let book = Book()
        var ledger = TextLedger()

        func queue(_ count: Int = 1, phase: Phase = .steady) {
            for _ in 0..<count {
                let sequence = ledger.nextSequence()
                let due = at(Int64(sequence) * 100)
                ledger.queued(sequence, due: due, deadline: due + .seconds(1), phase: phase)
            }
        }
        func send(_ sequences: Int..., at milliseconds: Int64) {
            for sequence in sequences { ledger.sent(sequence, at: at(milliseconds), book.shard) }
        }
        @discardableResult func reply(_ sequence: Int, at milliseconds: Int64) -> Bool {
            ledger.replyEnded(sequence, edits: 3, at: at(milliseconds), book.shard)
        }
        func look(at milliseconds: Int64) { ledger.deadlinePassed(at: at(milliseconds), book.shard) }
        func cut() { ledger.connectionLost(book.shard) }
        var counts: [String: Int64] { book.counts("messages.") }
    }

    @Test func `an answered text is measured from due and from sent, in the phase in which it was queued`() {
        let script = Script()
        script.queue(phase: .outage)
        #expect(script.counts.isEmpty)
        script.send(1, at: 130)
        #expect(script.counts == ["messages.sent": 1, "messages.in_doubt": 1])
        script.ledger.replyBegan(1, at: at(200), script.book.shard)
        script.ledger.replyBegan(1, at: at(300), script.book.shard)
        #expect(script.reply(1, at: 600))
        #expect(script.counts == ["messages.sent": 1, "messages.answered": 1])
        #expect(script.ledger.waitingCount == 0)
        func samples(_ metric: Metric) -> Book.Samples { script.book.samples(metric, in: .outage) }
        #expect(samples(.sendLag) == .init(count: 1, milliseconds: 30))
        #expect(samples(.replyFirst) == .init(count: 1, milliseconds: 100))
        #expect(samples(.replyFirstService) == .init(count: 1, milliseconds: 70))
        #expect(samples(.reply) == .init(count: 1, milliseconds: 500))
        #expect(samples(.replyService) == .init(count: 1, milliseconds: 470))
        #expect(script.book.totals().histogram(.edits, in: .outage).sum == 3)
    }

    @Test func `a reply at the deadline is in time, one after it is late whether or not the deadline was noticed`() {
        let script = Script()
        script.queue(3)
        script.send(1, 2, 3, at: 300)
        script.reply(1, at: 1100)
        script.reply(2, at: 1201)
        #expect(script.counts == ["messages.sent": 3, "messages.answered": 1, "messages.late": 1, "messages.in_doubt": 1])
        script.look(at: 1300)
        #expect(script.counts == ["messages.sent": 3, "messages.answered": 1, "messages.late": 1, "messages.lost": 1])
        script.reply(3, at: 5000)
        #expect(script.counts == ["messages.sent": 3, "messages.answered": 1, "messages.late": 2])
    }

    @Test func `a second reply is a duplicate, also to a late text, and changes nothing else`() {
        let script = Script()
        script.queue(2)
        script.send(1, 2, at: 200)
        script.look(at: 1150)
        script.reply(2, at: 1160)
        script.reply(1, at: 1170)
        #expect(script.reply(1, at: 1180) && script.reply(2, at: 1190))
        #expect(
            script.counts == [
                "messages.sent": 2, "messages.answered": 1, "messages.late": 1, "messages.duplicated": 2, "messages.reordered": 1,
            ])
        #expect(script.book.samples(.reply, in: .steady).count == 2)
    }

    @Test func `replies that overtake each other are counted once for each that comes too late`() {
        let script = Script()
        script.queue(5)
        script.send(1, 2, 3, 4, 5, at: 500)
        for sequence in [3, 1, 2, 5, 4] { script.reply(sequence, at: 600) }
        #expect(script.counts == ["messages.sent": 5, "messages.answered": 5, "messages.reordered": 3])
    }

    @Test func `a lost connection takes back what was not sent, and leaves the rest in doubt until its deadline`() {
        let script = Script()
        script.queue(4)
        script.send(1, 2, at: 400)
        script.cut()
        #expect(script.counts == ["messages.sent": 2, "messages.in_doubt": 2, "messages.not_sent": 2])
        #expect(script.ledger.waitingCount == 2)
        #expect(script.reply(1, at: 700))
        script.look(at: 1200)
        #expect(script.counts == ["messages.sent": 2, "messages.answered": 1, "messages.lost": 1, "messages.not_sent": 2])
        script.cut()
        #expect(script.counts["messages.not_sent"] == 2)
    }

    @Test func `nothing answers a text that was not sent, was never made, or has no number`() {
        let script = Script()
        script.queue(2)
        script.send(1, at: 200)
        #expect(!script.reply(2, at: 300))
        script.cut()
        #expect(!script.reply(2, at: 400))
        #expect(!script.reply(3, at: 400) && !script.reply(0, at: 400) && !script.reply(-1, at: 400) && !script.reply(.max, at: 400))
        #expect(script.counts == ["messages.sent": 1, "messages.in_doubt": 1, "messages.not_sent": 1])
    }

    @Test func `a text whose deadline passed before the kernel took it is lost once it is sent, and late when it is answered`() {
        let script = Script()
        script.queue(3)
        #expect(script.ledger.deadline == at(1100))
        script.look(at: 5000)
        #expect(script.counts.isEmpty && script.ledger.deadline == nil && script.ledger.waitingCount == 3)
        script.send(1, 2, at: 5000)
        #expect(script.counts == ["messages.sent": 2, "messages.lost": 2])
        #expect(script.reply(1, at: 5001))
        #expect(script.counts == ["messages.sent": 2, "messages.lost": 1, "messages.late": 1])
        script.cut()
        #expect(script.counts == ["messages.sent": 2, "messages.lost": 1, "messages.late": 1, "messages.not_sent": 1])
        #expect(!script.reply(3, at: 5002) && script.ledger.waitingCount == 0)
    }

    @Test func `a late text is an offence of its own, so that the records of lost ones can be told from those that came`() {
        let script = Script()
        script.queue(3)
        script.send(1, 2, 3, at: 300)
        script.look(at: 1200)
        script.reply(1, at: 1250)
        script.reply(3, at: 1301)
        let offences = script.ledger.takeOffences()
        #expect(offences.map(\.sequence) == [1, 2, 1, 3])
        #expect(offences.map(\.fate) == [.lost, .lost, .late, .late])
    }

    @Test func `the next deadline is the earliest of the texts that wait`() {
        let script = Script()
        script.queue(4)
        script.send(1, 2, 3, at: 400)
        #expect(script.ledger.deadline == at(1100))
        script.look(at: 1100)
        #expect(script.ledger.deadline == at(1200))
        script.reply(2, at: 1150)
        #expect(script.ledger.deadline == at(1300))
        script.reply(3, at: 1160)
        #expect(script.ledger.deadline == at(1400))
        #expect(script.ledger.waitingCount == 1)
    }

    @Test func `an offence tells the way of its text and of those that were answered meanwhile`() {
        let script = Script()
        script.queue(3)
        script.send(1, 2, 3, at: 350)
        script.ledger.replyBegan(1, at: at(400), script.book.shard)
        script.reply(2, at: 500)
        script.look(at: 1100)
        script.reply(1, at: 1200)
        let offences = script.ledger.takeOffences()
        #expect(offences.map(\.fate) == [.lost, .late, .reordered])
        for offence in offences {
            #expect(offence.sequence == 1 && offence.due == at(100) && offence.sent == at(350) && offence.begun == at(400))
            #expect(offence.others.map(\.sequence) == [2] && offence.others.map(\.replied) == [at(500)])
        }
        #expect(offences.map(\.replied) == [[], [at(1200)], [at(1200)]])
        #expect(offences.map(\.deadline) == [at(1100), at(1100), nil])
        #expect(script.ledger.takeOffences().isEmpty)
    }

    @Test func `a duplicate is told with the first reply, while that is remembered`() {
        let script = Script()
        script.queue(10)
        for sequence in 1...10 {
            script.send(sequence, at: 1000)
            script.reply(sequence, at: 1000 + Int64(sequence))
        }
        script.reply(3, at: 1050)
        script.reply(2, at: 1060)
        let offences = script.ledger.takeOffences()
        #expect(offences.map(\.fate) == [.duplicated, .duplicated])
        #expect(offences[0].due == at(300) && offences[0].sent == at(1000) && offences[0].replied == [at(1003), at(1050)])
        #expect(offences[0].others.map(\.sequence) == [7, 8, 9, 10])
        #expect(offences[1].due == nil && offences[1].replied == [at(1060)], "of the latest eight the second is the ninth")
    }

    @Test func `the oldest lost texts are forgotten: a reply to them answers nothing, and they stay lost`() {
        let script = Script()
        script.queue(300)
        for sequence in 1...300 { script.send(sequence, at: 30_000) }
        script.look(at: 100_000)
        #expect(script.counts == ["messages.sent": 300, "messages.lost": 300])
        #expect(!script.reply(44, at: 100_001))
        #expect(script.reply(45, at: 100_001))
        #expect(script.counts == ["messages.sent": 300, "messages.lost": 299, "messages.late": 1])
        #expect(script.ledger.waitingCount == 0)
    }
}

@Suite struct `The accounts of texts, whatever happens` {
    private enum Fate { case queued, overdue, sent, answered, late, lost, notSent }

    /// The same accounts kept in the plainest way: one fate for each text, all counts by counting.
    private struct Plain {
        var fates: [Fate] = []
        var deadlines: [Instant] = []
        var duplicated = 0
        var unmatched = 0

        mutating func reply(_ sequence: Int, at now: Instant) {
            guard fates.indices.contains(sequence - 1) else { return unmatched += 1 }
            switch fates[sequence - 1] {
            case .queued, .overdue, .notSent: unmatched += 1
            case .sent: fates[sequence - 1] = now <= deadlines[sequence - 1] ? .answered : .late
            case .lost: fates[sequence - 1] = .late
            case .answered, .late: duplicated += 1
            }
        }
        func count(_ fate: Fate) -> Int64 { Int64(fates.count { $0 == fate }) }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `sent is answered, late, lost and in doubt together after every event`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let book = Book()
        var ledger = TextLedger()
        var plain = Plain()
        var milliseconds: Int64 = 0
        for step in 0..<200 {
            milliseconds += Int64(random.integer(in: 0...40))
            let now = at(milliseconds)
            switch random.integer(in: 0...9) {
            case 0...2:
                ledger.queued(ledger.nextSequence(), due: now, deadline: now + .milliseconds(300), phase: .steady)
                plain.fates.append(.queued)
                plain.deadlines.append(now + .milliseconds(300))
            case 3...5:
                let sequence = random.integer(in: 0...(plain.fates.count + 1))
                ledger.sent(sequence, at: now, book.shard)
                guard plain.fates.indices.contains(sequence - 1) else { continue }
                if plain.fates[sequence - 1] == .queued { plain.fates[sequence - 1] = .sent }
                if plain.fates[sequence - 1] == .overdue { plain.fates[sequence - 1] = .lost }
            case 6...7:
                let sequence = random.integer(in: -1...(plain.fates.count + 2))
                if !ledger.replyEnded(sequence, edits: 0, at: now, book.shard) { book.shard.count(.messagesUnmatched) }
                plain.reply(sequence, at: now)
            case 8:
                ledger.deadlinePassed(at: now, book.shard)
                for index in plain.fates.indices where plain.deadlines[index] <= now {
                    if plain.fates[index] == .sent { plain.fates[index] = .lost }
                    if plain.fates[index] == .queued { plain.fates[index] = .overdue }
                }
            default:
                guard random.chance(0.3) else { continue }
                ledger.connectionLost(book.shard)
                for index in plain.fates.indices where [.queued, .overdue].contains(plain.fates[index]) { plain.fates[index] = .notSent }
            }
            let totals = book.totals()
            let ends = [
                totals.count(.messagesAnswered), totals.count(.messagesLate), totals.count(.messagesLost), totals.count(.messagesInDoubt),
            ]
            #expect(totals.count(.messagesSent) == ends.reduce(0, +), "step \(step)")
            #expect(ends == [plain.count(.answered), plain.count(.late), plain.count(.lost), plain.count(.sent)], "step \(step)")
            #expect(totals.count(.messagesNotSent) == plain.count(.notSent), "step \(step)")
            #expect(totals.count(.messagesDuplicated) == plain.duplicated, "step \(step)")
            #expect(totals.count(.messagesUnmatched) == plain.unmatched, "step \(step)")
            #expect(ledger.waitingCount == Int(plain.count(.sent) + plain.count(.queued) + plain.count(.overdue)), "step \(step)")
            let waiting = zip(plain.fates, plain.deadlines).filter { $0.0 == .sent || $0.0 == .queued }.map(\.1)
            #expect(ledger.deadline == waiting.min(), "step \(step)")
        }
    }
}
