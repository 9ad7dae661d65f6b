import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

/// The rooms gateway: messages go to the members of a room.
struct RoomsMachineTests {
    private typealias Bench = ChatBench<RoomsMachine>

    private static func frame(_ type: String, _ sender: String, _ text: String? = nil, room: String = "r", at seconds: Int = 1000) -> String
    {
        let text = text.map { #","text":"\#($0)""# } ?? ""
        return #"{"type":"\#(type)","room":"\#(room)","sender":"\#(sender)"\#(text),"timestamp":\#(seconds)}"#
    }

    /// A connection that has joined a room.
    private static func member(_ bench: Bench, _ name: String, room: String = "r") -> Int {
        let socket = bench.open()
        bench.send(socket, frame("join", name, room: room))
        return socket
    }

    @Test func `a message goes as it came to every member, and to nobody else`() throws {
        let bench = try Bench()
        let (a, b, other) = (Self.member(bench, "a"), Self.member(bench, "b"), Self.member(bench, "c", room: "s"))
        let message = Self.frame("message", "a", #"q\" [#1]"#)
        bench.send(a, message)
        #expect(bench.sent[a] == [message] && bench.sent[b] == [message] && bench.sent[other] == [])
        #expect(try bench.total("deliveries", "sent") == 2 && bench.total("per_room", "r", "deliveries") == 2)
        #expect(try bench.total("per_sender", "a", "messages") == 1 && bench.total("per_sender", "a", "distinct") == 1)
    }

    @Test func `a sender gets its own message only with own-echo`() throws {
        let bench = try Bench(["own-echo": "false"])
        let (a, b) = (Self.member(bench, "a"), Self.member(bench, "b"))
        bench.send(a, Self.frame("message", "a", "x"))
        #expect(bench.sent[a] == [] && bench.sent[b]?.count == 1)
    }

    @Test func `joins and leaves are told only with announce`() throws {
        let quiet = try Bench()
        let a = Self.member(quiet, "a")
        quiet.send(Self.member(quiet, "b"), Self.frame("leave", "b"))
        #expect(quiet.sent[a] == [])

        let bench = try Bench(["announce": "true", "leave-on-close": "true", "own-echo": "false"])
        let first = Self.member(bench, "a")
        let second = Self.member(bench, "b")
        bench.send(second, Self.frame("leave", "b"))
        bench.cut(Self.member(bench, "c"))
        #expect(bench.sent[first]?.count == 4)
        #expect(bench.sent[first]?[0] == Self.frame("join", "b") && bench.sent[first]?[1] == Self.frame("leave", "b"))
        #expect(bench.sent[first]?[3] == #"{"type":"leave","room":"r","sender":"c","timestamp":1000.0}"#)
    }

    @Test func `who has left or is gone gets nothing`() throws {
        let bench = try Bench()
        let (a, left, gone) = (Self.member(bench, "a"), Self.member(bench, "b"), Self.member(bench, "c"))
        bench.send(left, Self.frame("leave", "b"))
        bench.cut(gone)
        bench.send(a, Self.frame("message", "a", "x"))
        #expect(bench.sent[left] == [] && bench.sent[gone] == [])
        #expect(try bench.total("deliveries", "sent") == 1)
    }

    @Test func `one who joins late gets the latest messages if asked for`() throws {
        let bench = try Bench(["history": "2"])
        let a = Self.member(bench, "a")
        for text in ["1", "2", "3"] { bench.send(a, Self.frame("message", "a", text)) }
        let late = Self.member(bench, "b")
        #expect(bench.sent[late] == [Self.frame("message", "a", "2"), Self.frame("message", "a", "3")])
        #expect(try bench.total("replayed") == 2 && bench.total("deliveries", "sent") == 3)
    }

    @Test(arguments: [
        ("nonsense", "malformed"), ("[1]", "malformed"), (Self.frame("dance", "a", "x"), "unknown_type"),
        (Self.frame("message", "a"), "field_missing"),
        (#"{"type":"message","room":"r","sender":"a","text":5,"timestamp":1}"#, "field_type"),
        (#"{"type":"message","room":"r","sender":"a","text":"x","timestamp":"now"}"#, "field_type"),
        (Self.frame("join", "a"), "joined_twice"),
        (Self.frame("message", "b", "x"), "sender_changed"), (Self.frame("message", "a", "x", room: "s"), "not_joined"),
        (Self.frame("message", " ", "x"), "blank_name"),
    ])
    func `a wrong message is counted and goes nowhere`(message: String, violation: String) throws {
        let bench = try Bench()
        let (a, b) = (Self.member(bench, "a"), Self.member(bench, "b"))
        bench.send(a, message)
        #expect(bench.sent[b] == [] && bench.sent[a] == [])
        #expect(try bench.total("violations", violation) == 1)
    }

    @Test(arguments: [(4601, 1), (4600, 0), (-2600, 0), (-2601, 1)])
    func `a timestamp that is far off is told, and delivered`(seconds: Int, violations: Int) throws {
        let bench = try Bench()
        let a = Self.member(bench, "a")
        bench.send(a, Self.frame("message", "a", "x", at: seconds))
        #expect(bench.sent[a]?.count == 1)
        #expect(try bench.total("violations", "timestamp") == violations)
    }

    @Test func `what a sender got is counted when its connections end`() throws {
        let bench = try Bench()
        let (a, b) = (Self.member(bench, "a"), Self.member(bench, "b"))
        bench.send(a, Self.frame("message", "a", "x"))
        #expect(try bench.total("per_sender", "b", "got") == 0)
        bench.close(b, 1001)
        #expect(try bench.total("per_sender", "b", "got") == 1)
    }
}
