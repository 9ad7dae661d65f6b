import StentorBase
import StentorMetrics
import StentorProfile
import StentorWire
import Testing

@testable import StentorDialect
@testable import StentorFleet

@Suite struct `The accounts of deliveries` {
    private static func delivered(_ before: Delivery.Before, isLate: Bool = false, isReordered: Bool = false) -> DeviceFact {
        .delivered(
            Delivery(
                due: at(0), arrived: at(30), phaseTag: UInt8(Phase.recovery.rawValue), before: before, isLate: isLate,
                isReordered: isReordered))
    }

    private func counts(_ facts: DeviceFact...) -> [String: Int64] {
        let book = Book()
        for fact in facts { DeliveryAccount.note(fact, book.shard) }
        var totals = Totals()
        totals.add(book.totals())
        #expect(totals.openAccounts == [])
        return book.counts("deliveries.")
    }

    @Test func `what is expected is in doubt, or away from the start`() {
        #expect(
            counts(.deliveriesExpected(5, away: 2, uncertain: 1)) == [
                "deliveries.expected": 5, "deliveries.away": 2, "deliveries.in_doubt": 3, "deliveries.uncertain": 1,
            ])
    }

    @Test func `each delivery leaves the account that it was in`() {
        let all = counts(
            .deliveriesExpected(6, away: 1, uncertain: 0), .deliveriesLost(2), .deliveriesAway(1), Self.delivered(.inDoubt),
            Self.delivered(.lost, isLate: true), Self.delivered(.away), Self.delivered(.away, isLate: true, isReordered: true),
            Self.delivered(.uncertain), .deliveryDuplicated, .deliveryReplayed, .deliveryUnexpected)
        #expect(
            all == [
                "deliveries.expected": 7, "deliveries.delivered": 3, "deliveries.late": 2, "deliveries.lost": 1, "deliveries.in_doubt": 1,
                "deliveries.duplicated": 1, "deliveries.replayed": 1, "deliveries.unexpected": 1, "deliveries.reordered": 1,
            ])
    }

    @Test func `times run from due, in the phase of the text`() {
        let book = Book()
        DeliveryAccount.note(.deliveriesExpected(1, away: 0, uncertain: 0), book.shard)
        DeliveryAccount.note(Self.delivered(.inDoubt), book.shard)
        DeliveryAccount.note(.fannedOut(due: at(0), at: at(50), phaseTag: UInt8(Phase.drain.rawValue)), book.shard)
        #expect(book.samples(.fanout, in: .recovery) == Book.Samples(count: 1, milliseconds: 30))
        #expect(book.samples(.fanoutLast, in: .drain) == Book.Samples(count: 1, milliseconds: 50))
    }
}

@Suite struct `The loops of a fleet` {
    private func plan(_ dialect: String, _ more: String = "", loops: Int) throws -> FleetPlan {
        let text = """
            version: 1
            name: test
            target: {url: "ws://127.0.0.1:1/", dialect: \(dialect)}
            devices: {count: 40}
            load: [{ramp: 100%, over: 1s}]
            \(more)

            """
        let profile = try Profile.decode(Array(text.utf8), file: "t", options: DecodingOptions(dialects: Dialect.catalogue))
        return try FleetPlan(profile: profile, url: TargetURL("ws://127.0.0.1:1/"), tokens: .shared(Secret("")), loopCount: loops)
    }

    @Test(arguments: ["rooms: {members: 7}", "rooms: {count: 9}"])
    func `keep the members of a room together`(rooms: String) throws {
        let plan = try plan("rooms", rooms, loops: 3)
        let loops = Dictionary(grouping: 0..<40) { plan.dialect.group($0, plan.profile.dialectSettings) }.mapValues { members in
            Set(members.map { plan.loop(ofDevice: $0) })
        }
        #expect(loops.count > 3 && loops.values.allSatisfy { $0.count == 1 })
        #expect(Set(loops.values).count == 3)
    }

    @Test(arguments: ["hermes", "typed", "echo"])
    func `take devices in turn where they share nothing`(dialect: String) throws {
        let plan = try plan(dialect, loops: 3)
        #expect((0..<40).map { plan.loop(ofDevice: $0) } == (0..<40).map { $0 % 3 })
    }
}
