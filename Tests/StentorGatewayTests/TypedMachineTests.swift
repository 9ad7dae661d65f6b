import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

/// The typed gateway: `{sender, content}` in binary messages, and it speaks first.
struct TypedMachineTests {
    private static let hello = #"{"sender":"a","content":"hi [#1]"}"#

    @Test func `it speaks first, in a binary message`() throws {
        let bench = try ChatBench<TypedMachine>()
        let socket = bench.open()
        #expect(bench.sent[socket] == [#"{"sender":"server","content":"welcome"}"#])
        #expect(bench.kinds[socket] == [.binary])
        #expect(try bench.total("replies", "sent") == 0)
    }

    @Test func `it answers with the same content`() throws {
        let bench = try ChatBench<TypedMachine>(["no": "", "greet": "false"].filter { $0.key != "no" })
        let socket = bench.open()
        bench.send(socket, #"{"sender":"a","content":"q\"\\ 你好 [#7]"}"#, .binary)
        #expect(bench.sent[socket] == [#"{"sender":"server","content":"q\"\\ 你好 [#7]"}"#])
        #expect(try bench.total("per_sender", "a", "marked") == 1 && bench.total("per_sender", "a", "distinct") == 1)
    }

    @Test func `a message before the greeting is a violation, and answered`() throws {
        let bench = try ChatBench<TypedMachine>(["greet-delay": "1s"])
        let socket = bench.open()
        bench.send(socket, Self.hello, .binary)
        bench.advance(.seconds(1))
        #expect(bench.sent[socket]?.count == 2)
        #expect(bench.sent[socket]?.last == #"{"sender":"server","content":"welcome"}"#)
        bench.send(socket, Self.hello, .binary)
        #expect(try bench.total("violations", "before_first_message") == 1)
    }

    @Test(arguments: [
        (#"{"sender":"a","content":"x"}"#, MessageKind.text, "text_message"), ("nonsense", .binary, "malformed"),
        ("[1]", .binary, "malformed"),
        (#"{"sender":"a"}"#, .binary, "field_missing"), (#"{"sender":1,"content":"b"}"#, .binary, "field_type"),
    ])
    func `a wrong message is counted and gets no answer`(message: String, kind: MessageKind, violation: String) throws {
        let bench = try ChatBench<TypedMachine>()
        let socket = bench.open()
        bench.send(socket, message, kind)
        #expect(bench.sent[socket]?.count == 1)
        #expect(try bench.total("violations", violation) == 1 && bench.total("messages") == 0)
    }

    @Test func `a member too many is counted, and answered`() throws {
        let bench = try ChatBench<TypedMachine>()
        let socket = bench.open()
        bench.send(socket, #"{"sender":"a","content":"x","more":1}"#, .binary)
        #expect(bench.sent[socket]?.count == 2)
        #expect(try bench.total("violations", "field_extra") == 1)
    }

    @Test func `faults are as many as asked for`() throws {
        let bench = try ChatBench<TypedMachine>(["text-fault-rate": "1", "undecodable-rate": "1"])
        let socket = bench.open()
        bench.send(socket, Self.hello, .binary)
        #expect(bench.kinds[socket] == [.binary, .binary, .text])
        #expect(try bench.total("text_faults") == 1 && bench.total("undecodable_faults") == 1 && bench.total("replies", "sent") == 1)
    }

    @Test func `leaving with another code than 1001 is a violation`() throws {
        let bench = try ChatBench<TypedMachine>()
        bench.close(bench.open(), 1001)
        bench.close(bench.open(), 1000)
        #expect(try bench.total("violations", "close_not_1001") == 1)
    }
}
