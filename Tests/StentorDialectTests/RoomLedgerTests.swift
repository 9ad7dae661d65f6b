import StentorBase
import Testing

@testable import StentorDialect

/// The ledger of a room, event by event. Time is in milliseconds; texts are due when they are sent, and their deadline is 5 s later.
@Suite struct `A room's ledger` {
    private static let settle = 1000

    private static func ledger(
        members: Int = 3, joinedAt: Int64 = -10_000, _ change: (inout RoomLedger.Options) -> Void = { _ in }
    ) -> RoomLedger {
        var options = RoomLedger.Options()
        change(&options)
        var ledger = RoomLedger(options)
        for _ in 0..<members { ledger.joined(ledger.addMember(), at: ms(joinedAt)) }
        return ledger
    }

    private static func text(_ sequence: Int, at time: Int64) -> SentText {
        SentText(sequence: sequence, due: ms(time), deadline: ms(time + 5000), phaseTag: 1)
    }

    private static func delivered(
        due: Int64, at time: Int64, _ before: Delivery.Before = .inDoubt, isLate: Bool = false, isReordered: Bool = false,
        settles settled: RoomLedger.Settled? = nil
    ) -> RoomLedger.Receipt {
        .delivered(
            Delivery(due: ms(due), arrived: ms(time), phaseTag: 1, before: before, isLate: isLate, isReordered: isReordered), settled)
    }

    private static func settled(
        _ sequence: Int, of sender: Int = 0, due: Int64, first: Int64?, last: Int64?, isComplete: Bool = true
    ) -> RoomLedger.Settled {
        RoomLedger.Settled(
            sender: sender, sequence: sequence, due: ms(due), phaseTag: 1, first: first.map(ms), last: last.map(ms), isComplete: isComplete)
    }

    @Test func `owes a text to each member and its sender, and is settled by the last of them`() {
        var ledger = Self.ledger()
        #expect(ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0)) == RoomLedger.Fanout(expected: 3))
        #expect(ledger.deadline(0) == ms(5000) && ledger.isExpecting(2))
        #expect(ledger.received(1, of: 0, by: 2, at: ms(10)) == Self.delivered(due: 0, at: 10))
        #expect(!ledger.isExpecting(2) && ledger.isExpecting(0))
        #expect(ledger.received(1, of: 0, by: 0, at: ms(20)) == Self.delivered(due: 0, at: 20))
        #expect(
            ledger.received(1, of: 0, by: 1, at: ms(30))
                == Self.delivered(due: 0, at: 30, settles: Self.settled(1, due: 0, first: 10, last: 30)))
        #expect(ledger.deadline(0) == nil)
        #expect(ledger.received(1, of: 0, by: 1, at: ms(40)) == .duplicated)
    }

    @Test func `owes the sender nothing where a gateway has no own echo`() {
        var ledger = Self.ledger { $0.ownEcho = false }
        #expect(ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0)).expected == 2)
        #expect(ledger.received(1, of: 0, by: 0, at: ms(1)) == .unexpected)
        var alone = Self.ledger(members: 1) { $0.ownEcho = false }
        let nobody = alone.sent(Self.text(1, at: 0), by: 0, at: ms(0))
        #expect(nobody == RoomLedger.Fanout(settled: Self.settled(1, due: 0, first: nil, last: nil)))
    }

    @Test func `what is owed at the deadline is lost, and late when it still comes`() {
        var ledger = Self.ledger()
        _ = ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0))
        _ = ledger.received(1, of: 0, by: 0, at: ms(10))
        #expect(ledger.deadlinePassed(0, at: ms(4999)) { _ in } == 0)
        var idle: [Int] = []
        #expect(ledger.deadlinePassed(0, at: ms(5000)) { idle.append($0) } == 2)
        #expect(idle == [1, 2] && ledger.deadline(0) == nil)
        #expect(ledger.received(1, of: 0, by: 1, at: ms(6000)) == Self.delivered(due: 0, at: 6000, .lost, isLate: true))
        let last = Self.settled(1, due: 0, first: 10, last: 7000)
        #expect(ledger.received(1, of: 0, by: 2, at: ms(7000)) == Self.delivered(due: 0, at: 7000, .lost, isLate: true, settles: last))
    }

    @Test func `whoever goes excuses the gateway, and a text that was owed to him last is settled`() {
        var ledger = Self.ledger()
        _ = ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0))
        _ = ledger.received(1, of: 0, by: 0, at: ms(10))
        #expect(ledger.left(1, at: ms(20)) == RoomLedger.Departure(away: 1))
        #expect(ledger.left(1, at: ms(21)) == RoomLedger.Departure(), "once is enough")
        let settled = Self.settled(1, due: 0, first: 10, last: 10, isComplete: false)
        #expect(ledger.left(2, at: ms(30)) == RoomLedger.Departure(away: 1, settled: [settled]))
        #expect(ledger.received(1, of: 0, by: 2, at: ms(40)) == Self.delivered(due: 0, at: 40, .away), "it was on its way")
        #expect(ledger.sent(Self.text(2, at: 2000), by: 0, at: ms(2000)).expected == 1)
    }

    @Test func `a silent socket is owed nothing, and gets what waited when it wakes`() {
        var ledger = Self.ledger(members: 2)
        _ = ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0))
        #expect(ledger.silenceChanged(1, isSilent: true) == RoomLedger.Departure(away: 1))
        #expect(ledger.sent(Self.text(2, at: 100), by: 0, at: ms(100)) == RoomLedger.Fanout(expected: 2, away: 1))
        #expect(ledger.silenceChanged(1, isSilent: false) == RoomLedger.Departure())
        #expect(ledger.received(1, of: 0, by: 1, at: ms(300)) == Self.delivered(due: 0, at: 300, .away))
        #expect(ledger.received(2, of: 0, by: 1, at: ms(301)) == Self.delivered(due: 100, at: 301, .away))
        #expect(ledger.sent(Self.text(3, at: 400), by: 0, at: ms(400)) == RoomLedger.Fanout(expected: 2))
    }

    @Test(arguments: [(-999, true), (-1000, false), (999, true), (1000, false)] as [(Int64, Bool)])
    func `whoever joins near to a text counts only if he gets it`(joinedAt: Int64, isUncertain: Bool) {
        var ledger = Self.ledger(members: 2)
        _ = ledger.left(1, at: ms(-9000))
        if joinedAt < 0 { ledger.joined(1, at: ms(joinedAt)) }
        let fanout = ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0))
        #expect(fanout.expected == (joinedAt == -1000 ? 2 : 1))
        #expect(fanout.uncertain == (joinedAt == -999 ? 1 : 0))
        if joinedAt > 0 { ledger.joined(1, at: ms(joinedAt)) }
        let receipt = ledger.received(1, of: 0, by: 1, at: ms(1500))
        if isUncertain {
            #expect(receipt == Self.delivered(due: 0, at: 1500, .uncertain))
        } else if joinedAt > 0 {
            #expect(receipt == .unexpected)
        } else {
            #expect(receipt == Self.delivered(due: 0, at: 1500))
        }
        #expect(ledger.received(1, of: 0, by: 1, at: ms(1600)) == (receipt == .unexpected ? .unexpected : .duplicated))
    }

    @Test(arguments: [(999, true), (1000, false)] as [(Int64, Bool)])
    func `whoever has just left may still get a text`(later: Int64, isUncertain: Bool) {
        var ledger = Self.ledger(members: 2)
        _ = ledger.left(1, at: ms(0))
        let fanout = ledger.sent(Self.text(1, at: later), by: 0, at: ms(later))
        #expect(fanout == RoomLedger.Fanout(expected: 1, uncertain: isUncertain ? 1 : 0))
        let receipt = ledger.received(1, of: 0, by: 1, at: ms(later + 1))
        #expect(receipt == (isUncertain ? Self.delivered(due: later, at: later + 1, .uncertain) : .unexpected))
    }

    @Test func `a history is replayed to those who come, and is no second delivery`() {
        var ledger = Self.ledger(members: 2) { $0.replaysHistory = true }
        _ = ledger.sent(Self.text(1, at: 0), by: 0, at: ms(0))
        _ = ledger.received(1, of: 0, by: 1, at: ms(10))
        _ = ledger.left(1, at: ms(100))
        _ = ledger.sent(Self.text(2, at: 2000), by: 0, at: ms(2000))
        ledger.joined(1, at: ms(4000))
        #expect(ledger.received(1, of: 0, by: 1, at: ms(4001)) == .replayed)
        #expect(ledger.received(2, of: 0, by: 1, at: ms(4002)) == .replayed)
        _ = ledger.sent(Self.text(3, at: 6000), by: 0, at: ms(6000))
        #expect(ledger.received(3, of: 0, by: 1, at: ms(6001)) == Self.delivered(due: 6000, at: 6001))
        #expect(ledger.received(3, of: 0, by: 1, at: ms(6002)) == .duplicated)
    }

    @Test func `a text that was overtaken by a later one of its sender is reordered`() {
        var ledger = Self.ledger(members: 2)
        for sequence in 1...3 { _ = ledger.sent(Self.text(sequence, at: 0), by: 0, at: ms(0)) }
        _ = ledger.sent(Self.text(1, at: 0), by: 1, at: ms(0))
        #expect(ledger.received(2, of: 0, by: 1, at: ms(1)) == Self.delivered(due: 0, at: 1))
        #expect(ledger.received(1, of: 0, by: 0, at: ms(1)) == Self.delivered(due: 0, at: 1), "another member")
        #expect(ledger.received(1, of: 1, by: 1, at: ms(2)) == Self.delivered(due: 0, at: 2), "another sender")
        #expect(ledger.received(1, of: 0, by: 1, at: ms(3)).isReordered)
        #expect(!ledger.received(3, of: 0, by: 1, at: ms(4)).isReordered)
    }

    @Test func `what was never sent is unexpected, what is too old is unknown, and memory has a bound`() {
        var ledger = Self.ledger(members: 1) { $0.memoryLimit = 4 }
        #expect(ledger.received(1, of: 0, by: 0, at: ms(0)) == .unexpected)
        for sequence in 1...10 {
            _ = ledger.sent(Self.text(sequence, at: Int64(sequence)), by: 0, at: ms(Int64(sequence)))
            _ = ledger.received(sequence, of: 0, by: 0, at: ms(Int64(sequence)))
        }
        #expect(ledger.received(2, of: 0, by: 0, at: ms(20)) == .unknown)
        #expect(ledger.received(10, of: 0, by: 0, at: ms(20)) == .duplicated)
        #expect(ledger.received(11, of: 0, by: 0, at: ms(20)) == .unexpected)
        _ = ledger.sent(Self.text(11, at: 70_000), by: 0, at: ms(70_000))
        #expect(ledger.received(10, of: 0, by: 0, at: ms(70_001)) == .unknown, "its deadline is more than a minute ago")
    }
}

extension RoomLedger.Receipt {
    var isReordered: Bool { if case .delivered(let delivery, _) = self { delivery.isReordered } else { false } }
}
