import StentorBase
import StentorClient
import StentorWire

/// The points of the rooms dialect.
enum RoomsChecks {
    static let all = [
        CommonChecks.ping, CommonChecks.close(1001), unchanged, own, otherRoom, twoRooms, left, stranger, wrong, nullText, order, again,
        announced,
    ]

    /// Unix time in seconds.
    private static var now: Double { Double(WallClock.nanosecondsSinceEpoch()) / 1e9 }

    /// One member of a room.
    private struct Member {
        let peer: CheckPeer
        let name: String

        func say(_ type: String, _ room: String, _ text: String? = nil) {
            var message: [String: CheckValue] = [
                "type": .text(type), "room": .text(room), "sender": .text(name), "timestamp": .number(RoomsChecks.now),
            ]
            message["text"] = text.map { .text($0) }
            peer.send(message)
        }

        /// The first message of a text in a room.
        func until(_ text: String, _ room: String) async throws(CheckFault) -> CheckObject? {
            let message = try await peer.until("message \(CheckText.short(text))") {
                $0.object?["text"] == text && $0.object?["room"] == room
            }
            return message.object
        }

        /// The messages since the last ``CheckPeer/forget()``.
        func texts() -> [String] {
            peer.since.filter { $0.object?["type"] == "message" }.compactMap { $0.object?["text"] }
        }
    }

    /// So many members of a new room. No server says that it has taken a join: each member speaks until it hears itself or others settle.
    private static func members(_ count: Int, _ bench: CheckBench) async throws(CheckFault) -> (room: String, members: [Member]) {
        let room = "check-\(bench.run)-\(bench.number())"
        var members: [Member] = []
        for _ in 0..<count {
            let member = Member(peer: try await bench.connect(), name: "check-\(bench.run)-\(bench.number())")
            member.say("join", room)
            members.append(member)
        }
        await settle(members, bench)
        return (room, members)
    }

    /// Waits until what was sent is surely taken: a pong comes behind it, and some quiet.
    private static func settle(_ members: [Member], _ bench: CheckBench) async {
        for member in members {
            member.peer.ping([7])
            _ = try? await member.peer.untilPong()
        }
        if let last = members.last { _ = await last.peer.quiet(for: bench.target.quiet) }
        for member in members { member.peer.forget() }
    }

    private static let unchanged = CheckPoint.rule("a message reaches each member unchanged") { (bench) throws(CheckFault) in
        let (room, members) = try await members(3, bench)
        let texts = ["hello", CommonChecks.unusual, "", String(repeating: "long ", count: 2000)]
        for text in texts {
            members[0].say("message", room, text)
            for member in members[1...] {
                let got = try await member.until(text, room)
                try expect(got?["type"] == "message" && got?["sender"] == members[0].name, "another type or sender")
                try expect(got?.isNumber("timestamp") == true, "no timestamp")
            }
        }
        return "\(texts.count) to 2 members"
    }

    private static let own = CheckPoint.rule("a sender gets its own message once or not at all") { (bench) throws(CheckFault) in
        let (room, members) = try await members(2, bench)
        members[0].say("message", room, "mine")
        _ = try await members[1].until("mine", room)
        _ = await members[0].peer.quiet(for: bench.target.quiet)
        let count = members[0].texts().count
        try expect(count < 2, "\(count) times")
        return count == 1 ? "once" : "not at all"
    }

    private static let otherRoom = CheckPoint.rule("another room gets nothing") { (bench) throws(CheckFault) in
        let (room, here) = try await members(2, bench)
        let (_, there) = try await members(1, bench)
        here[0].say("message", room, "for this room")
        _ = try await here[1].until("for this room", room)
        _ = await there[0].peer.quiet(for: bench.target.quiet)
        try expect(there[0].texts().isEmpty, "got \(there[0].texts().count)")
        return "nothing"
    }

    private static let twoRooms = CheckPoint.rule("one connection can be in two rooms") { (bench) throws(CheckFault) in
        let (room, members) = try await members(2, bench)
        for member in members { member.say("join", room + "-2") }
        await settle(members, bench)
        members[0].say("message", room + "-2", "second")
        members[0].say("message", room, "first")
        _ = try await members[1].until("second", room + "-2")
        _ = try await members[1].until("first", room)
        return "both"
    }

    private static let left = CheckPoint.rule("after a leave nothing more comes") { (bench) throws(CheckFault) in
        let (room, members) = try await members(3, bench)
        members[2].say("leave", room)
        await settle([members[2]], bench)
        members[0].say("message", room, "without you")
        _ = try await members[1].until("without you", room)
        _ = await members[2].peer.quiet(for: bench.target.quiet)
        try expect(members[2].texts().isEmpty, "got \(members[2].texts().count)")
        return "nothing"
    }

    private static let stranger = CheckPoint.rule("a message without a join is not delivered") { (bench) throws(CheckFault) in
        let (room, members) = try await members(1, bench)
        let stranger = Member(peer: try await bench.connect(), name: "check-\(bench.run)-\(bench.number())")
        stranger.say("message", room, "from outside")
        await settleQuietly(stranger, bench)
        try expect(members[0].texts().isEmpty, "delivered")
        return "not delivered"
    }

    private static func settleQuietly(_ member: Member, _ bench: CheckBench) async {
        member.peer.ping([7])
        _ = try? await member.peer.untilPong()
        _ = await member.peer.quiet(for: bench.target.quiet)
    }

    private static let wrong = CheckPoint.rule("wrong messages are survived, and go nowhere") { (bench) throws(CheckFault) in
        let (room, members) = try await members(2, bench)
        for raw in ["nonsense", #"{"t":"#, "[1]", "null", "{}"] { members[0].peer.send(raw) }
        members[0].say("dance", room, "unknown type")
        members[0].say("message", room)
        members[0].say("message", room, "after all that")
        _ = try await members[1].until("after all that", room)
        try expect(members[1].texts() == ["after all that"], "got \(members[1].texts().count)")
        return "7 survived"
    }

    private static let nullText = CheckPoint.rule("a join with text null is taken") { (bench) throws(CheckFault) in
        let (room, members) = try await members(1, bench)
        let second = Member(peer: try await bench.connect(), name: "check-\(bench.run)-\(bench.number())")
        second.peer.send([
            "type": "join", "room": .text(room), "sender": .text(second.name), "timestamp": .number(now), "text": .null,
        ])
        await settle([second], bench)
        members[0].say("message", room, "welcome")
        _ = try await second.until("welcome", room)
        return "taken"
    }

    private static let order = CheckPoint.rule("twelve messages reach each member once, in order") { (bench) throws(CheckFault) in
        let (room, members) = try await members(3, bench)
        return try await CommonChecks.inOrder(12, members[1...].map(\.peer), quiet: bench.target.quiet) {
            members[0].say("message", room, "text [#\($0)]")
        } number: {
            ($0.object?["text"]).flatMap { CommonChecks.marker(in: $0) }
        }
    }

    private static let again = CheckPoint.rule("a device that was cut off can join again") { (bench) throws(CheckFault) in
        let (room, members) = try await members(2, bench)
        members[1].peer.reset()
        let back = Member(peer: try await bench.connect(), name: members[1].name)
        back.say("join", room)
        await settle([back], bench)
        members[0].say("message", room, "welcome back")
        _ = try await back.until("welcome back", room)
        return "joined"
    }

    private static let announced = CheckPoint.custom("a leave is told to the others") { (bench) throws(CheckFault) in
        let (room, members) = try await members(2, bench)
        members[1].say("leave", room)
        _ = try await members[0].peer.until("leave", within: bench.target.quiet * 2) {
            $0.object?["type"] == "leave" && $0.object?["sender"] == members[1].name
        }
        return "told"
    }
}
