import StentorBase
import Testing

@testable import StentorDialect

/// The ledger against a model that keeps everything: random joins, cuts, silences, losses, duplicates and overtaking.
@Suite struct `A room's ledger in a random room` {
    /// Pairs of text and member, each with one word for what became of it; no counters, no indices, no order.
    private struct Model {
        struct Pair: Hashable {
            let sender: Int
            let sequence: Int
            let member: Int
        }

        var fates: [Pair: String] = [:]
        var counts: [String: Int] = [:]

        func count(_ fate: String) -> Int { fates.values.count { $0 == fate } }

        mutating func excuse(_ member: Int) -> Int {
            let owed = fates.filter { $0.key.member == member && $0.value == "in doubt" }.map(\.key)
            for pair in owed { fates[pair] = "away" }
            return owed.count
        }
    }

    private struct Account {
        var counts: [String: Int] = [:]
        mutating func add(_ name: String, _ amount: Int = 1) { counts[name, default: 0] += amount }
        subscript(name: String) -> Int { counts[name] ?? 0 }

        /// The account's own identity.
        var isClosed: Bool { self["expected"] == self["delivered"] + self["late"] + self["lost"] + self["away"] + self["in doubt"] }
    }

    /// A world of members, wires and a gateway that loses, doubles and swaps.
    private struct World {
        let members: Int
        let ownEcho: Bool
        var random: SeededRandom
        var now: Int64 = 0
        var joined: [Bool]
        var silent: [Bool]
        var lastJoin: [Int64]
        var lastLeave: [Int64]
        var sequences: [Int]
        var sentAt: [[Int64]]
        /// Copies under way: who gets which text of whom, and when at the earliest.
        var wire: [(sender: Int, sequence: Int, member: Int, at: Int64)] = []
    }

    @Test(arguments: 1...40)
    func `keeps one account of each pair, whatever happens in which order`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), stream: 1)
        let members = random.integer(in: 2...7)
        let ownEcho = random.unit() < 0.5
        var options = RoomLedger.Options()
        options.ownEcho = ownEcho
        options.memoryLimit = 10_000
        options.memory = .seconds(3600)
        var ledger = RoomLedger(options)
        for _ in 0..<members { _ = ledger.addMember() }
        var world = World(
            members: members, ownEcho: ownEcho, random: random, joined: Array(repeating: false, count: members),
            silent: Array(repeating: false, count: members), lastJoin: Array(repeating: -1_000_000, count: members),
            lastLeave: Array(repeating: -1_000_000, count: members), sequences: Array(repeating: 0, count: members),
            sentAt: Array(repeating: [], count: members))
        var model = Model()
        var account = Account()
        var settled: Set<[Int]> = []
        for step in 0..<600 {
            world.now += Int64(world.random.integer(in: 0...40))
            let draw = world.random.unit()
            let who = world.random.integer(in: 0...(members - 1))
            switch draw {
            case ..<0.03: toggle(who, &world, &ledger, &model, &account, &settled)
            case ..<0.05: silence(who, &world, &ledger, &model, &account, &settled)
            case ..<0.30: send(who, &world, &ledger, &model, &account, &settled)
            case ..<0.95: deliver(&world, &ledger, &model, &account, &settled)
            default: expire(&world, &ledger, &model, &account)
            }
            #expect(account.isClosed, "step \(step): \(account.counts)")
            guard step % 10 == 0 else { continue }
            for fate in ["delivered", "late", "lost", "away", "in doubt"] {
                #expect(account[fate] == model.count(fate), "step \(step): \(fate)")
            }
            for member in 0..<members {
                let owed = model.fates.contains { $0.key.member == member && $0.value == "in doubt" }
                #expect(ledger.isExpecting(member) == owed, "step \(step): member \(member)")
            }
        }
        expectSettled(settled, world, model)
        #expect(account["delivered"] > 0 && account["expected"] == model.fates.count)
    }

    // MARK: Events

    private func toggle(
        _ who: Int, _ world: inout World, _ ledger: inout RoomLedger, _ model: inout Model, _ account: inout Account,
        _ settled: inout Set<[Int]>
    ) {
        guard world.joined[who] else {
            world.joined[who] = true
            world.silent[who] = false
            world.lastJoin[who] = world.now
            return ledger.joined(who, at: ms(world.now))
        }
        world.joined[who] = false
        world.lastLeave[who] = world.now
        // What is on a wire that is cut does not arrive.
        world.wire.removeAll { $0.member == who }
        note(ledger.left(who, at: ms(world.now)), model.excuse(who), &account, &settled)
    }

    private func silence(
        _ who: Int, _ world: inout World, _ ledger: inout RoomLedger, _ model: inout Model, _ account: inout Account,
        _ settled: inout Set<[Int]>
    ) {
        guard world.joined[who] else { return }
        world.silent[who].toggle()
        let departure = ledger.silenceChanged(who, isSilent: world.silent[who])
        note(departure, world.silent[who] ? model.excuse(who) : 0, &account, &settled)
    }

    private func note(_ departure: RoomLedger.Departure, _ away: Int, _ account: inout Account, _ settled: inout Set<[Int]>) {
        #expect(departure.away == away)
        account.add("away", departure.away)
        account.add("in doubt", -departure.away)
        for text in departure.settled { settle(text, &settled) }
    }

    private func settle(_ text: RoomLedger.Settled, _ settled: inout Set<[Int]>) {
        #expect(settled.insert([text.sender, text.sequence]).inserted, "settled twice")
    }

    private func send(
        _ who: Int, _ world: inout World, _ ledger: inout RoomLedger, _ model: inout Model, _ account: inout Account,
        _ settled: inout Set<[Int]>
    ) {
        guard world.joined[who], !world.silent[who] else { return }
        world.sequences[who] += 1
        let sequence = world.sequences[who]
        world.sentAt[who].append(world.now)
        let text = SentText(sequence: sequence, due: ms(world.now), deadline: ms(world.now + 2000), phaseTag: 0)
        let fanout = ledger.sent(text, by: who, at: ms(world.now))
        var (expected, away) = (0, 0)
        for member in 0..<world.members where world.joined[member] && (member != who || world.ownEcho) {
            if member == who || world.now - world.lastJoin[member] >= 1000 {
                expected += 1
                if world.silent[member] { away += 1 }
                model.fates[.init(sender: who, sequence: sequence, member: member)] = world.silent[member] ? "away" : "in doubt"
            }
            for _ in 0..<copies(&world.random) {
                world.wire.append(
                    (who, sequence, member, world.now + Int64(world.random.integer(in: 1...(world.random.unit() < 0.1 ? 3000 : 60)))))
            }
        }
        #expect(fanout.expected == expected && fanout.away == away)
        account.add("expected", expected)
        account.add("away", away)
        account.add("in doubt", expected - away)
        if let text = fanout.settled { settle(text, &settled) }
    }

    private func copies(_ random: inout SeededRandom) -> Int {
        let draw = random.unit()
        return draw < 0.1 ? 0 : draw < 0.2 ? 2 : 1
    }

    private func deliver(
        _ world: inout World, _ ledger: inout RoomLedger, _ model: inout Model, _ account: inout Account, _ settled: inout Set<[Int]>
    ) {
        let ready = world.wire.indices.filter { world.wire[$0].at <= world.now && !world.silent[world.wire[$0].member] }
        guard !ready.isEmpty else { return }
        let copy = world.wire.remove(at: ready[world.random.integer(in: 0...(ready.count - 1))])
        let pair = Model.Pair(sender: copy.sender, sequence: copy.sequence, member: copy.member)
        let sentAt = world.sentAt[copy.sender][copy.sequence - 1]
        let arrival = world.now <= sentAt + 2000 ? "delivered" : "late"
        let receipt = ledger.received(copy.sequence, of: copy.sender, by: copy.member, at: ms(world.now))
        switch receipt {
        case .delivered(let delivery, let text):
            let names: [Delivery.Before: String] = [.inDoubt: "in doubt", .lost: "lost", .away: "away"]
            #expect(model.fates[pair] == names[delivery.before], "\(pair)")
            #expect(delivery.isLate == (arrival == "late"))
            let later = model.fates.contains {
                $0.key.sender == copy.sender && $0.key.member == copy.member && $0.key.sequence > copy.sequence
                    && ["delivered", "late"].contains($0.value)
            }
            #expect(delivery.isReordered == later)
            if let name = names[delivery.before] { account.add(name, -1) } else { account.add("expected") }
            account.add(arrival)
            model.fates[pair] = arrival
            if let text { settle(text, &settled) }
        case .duplicated: #expect(["delivered", "late"].contains(model.fates[pair]))
        case .unexpected, .replayed, .unknown:
            Issue.record("\(pair) was sent to a member, and is \(receipt)")
        }
    }

    private func expire(_ world: inout World, _ ledger: inout RoomLedger, _ model: inout Model, _ account: inout Account) {
        for sender in 0..<world.members {
            var idle: Set<Int> = []
            let lost = ledger.deadlinePassed(sender, at: ms(world.now)) { idle.insert($0) }
            let due = model.fates.filter { pair, fate in
                pair.sender == sender && fate == "in doubt" && world.sentAt[sender][pair.sequence - 1] + 2000 <= world.now
            }.map(\.key)
            #expect(lost == due.count)
            for pair in due { model.fates[pair] = "lost" }
            let free = Set(due.map(\.member)).filter { member in
                !model.fates.contains { $0.key.member == member && $0.value == "in doubt" }
            }
            #expect(idle == free)
            account.add("lost", lost)
            account.add("in doubt", -lost)
        }
    }

    /// A text was settled once nothing of it was open or lost, and no other was; one that got whole again after a loss is among them.
    private func expectSettled(_ settled: Set<[Int]>, _ world: World, _ model: Model) {
        for sender in 0..<world.members {
            for sequence in 1...max(1, world.sequences[sender]) where sequence <= world.sequences[sender] {
                let isOpen = model.fates.contains {
                    $0.key.sender == sender && $0.key.sequence == sequence && ["in doubt", "lost"].contains($0.value)
                }
                #expect(settled.contains([sender, sequence]) == !isOpen, "text \(sequence) of \(sender)")
            }
        }
    }
}
