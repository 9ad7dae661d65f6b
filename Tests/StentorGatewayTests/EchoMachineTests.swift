import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

/// The echo gateway: what comes goes back.
struct EchoMachineTests {
    @Test func `a text comes back as it was, an empty one too`() throws {
        let bench = try ChatBench<EchoMachine>()
        let socket = bench.open()
        for text in ["hello [#1]", "", #"{"t":"text"}"#, "при вет"] { bench.send(socket, text) }
        #expect(bench.sent[socket] == ["hello [#1]", "", #"{"t":"text"}"#, "при вет"])
        #expect(bench.kinds[socket] == [.text, .text, .text, .text])
        #expect(try bench.total("texts") == 4 && bench.total("marked") == 1)
        #expect(try bench.total("bytes") == 10 + 12 + "при вет".utf8.count)
    }

    @Test func `the greeting comes first and counts nowhere`() throws {
        let bench = try ChatBench<EchoMachine>(["greeting": "true"])
        let socket = bench.open()
        #expect(bench.sent[socket] == ["Request served by 127.0.0.1"])
        #expect(try bench.total("replies", "sent") == 0)
    }

    @Test(arguments: [("false", 1), ("true", 0)])
    func `a binary message comes back as one, and is a violation unless allowed`(allowed: String, violations: Int) throws {
        let bench = try ChatBench<EchoMachine>(["binary": allowed])
        let socket = bench.open()
        bench.send(socket, "x", .binary)
        #expect(bench.kinds[socket] == [.binary])
        #expect(try bench.total("binary") == 1 && bench.total("violations", "binary_message") == violations)
    }

    @Test func `replies wait for their delay, in order`() throws {
        let bench = try ChatBench<EchoMachine>(["reply-delay": "50ms"])
        let socket = bench.open()
        bench.send(socket, "a")
        bench.advance(.milliseconds(20))
        bench.send(socket, "b")
        bench.advance(.milliseconds(29))
        #expect(bench.sent[socket] == [])
        bench.advance(.milliseconds(1))
        #expect(bench.sent[socket] == ["a"])
        bench.advance(.milliseconds(20))
        #expect(bench.sent[socket] == ["a", "b"])
    }

    @Test func `a message in pieces is one message`() throws {
        let bench = try ChatBench<EchoMachine>()
        let socket = bench.open()
        bench.core.messageBegan(socket, .text)
        for piece in ["one ", "two"] { Array(piece.utf8).withUnsafeBytes { bench.core.messagePiece(socket, $0) } }
        bench.core.messageEnded(socket, at: bench.now)
        bench.perform()
        #expect(bench.sent[socket] == ["one two"])
    }

    // MARK: Faults, shared by all gateways without turns

    @Test func `lost, doubled and overtaken replies are counted as what they were`() throws {
        let lossy = try ChatBench<EchoMachine>(["lose-rate": "1"])
        lossy.send(lossy.open(), "a")
        #expect(try lossy.total("replies", "lost") == 1 && lossy.total("replies", "sent") == 0)

        let double = try ChatBench<EchoMachine>(["duplicate-rate": "1"])
        let twice = double.open()
        double.send(twice, "a")
        #expect(double.sent[twice] == ["a", "a"])
        #expect(try double.total("replies", "sent") == 2 && double.total("replies", "duplicated") == 1)

        // All are late: the first is held, the second overtakes it.
        let late = try ChatBench<EchoMachine>(["reorder-rate": "1"])
        let socket = late.open()
        late.send(socket, "a")
        #expect(late.sent[socket] == [])
        late.send(socket, "b")
        #expect(late.sent[socket] == ["b", "a"])
        #expect(try late.total("replies", "reordered") == 1)
        late.send(socket, "c")
        late.advance(.seconds(2))
        #expect(late.sent[socket] == ["b", "a", "c"])
        #expect(try late.total("replies", "reordered") == 1 && late.total("replies", "sent") == 3)
    }

    @Test func `what waits for a connection that is gone is not sent`() throws {
        let bench = try ChatBench<EchoMachine>(["reply-delay": "1s"])
        let socket = bench.open()
        bench.send(socket, "a")
        bench.cut(socket)
        let next = bench.open()
        bench.advance(.seconds(5))
        #expect(next == socket && bench.sent[next] == [])
        #expect(try bench.total("replies", "sent") == 0 && bench.total("closes", "cut") == 1)
    }

    @Test func `a full gateway closes the next with 1013`() throws {
        let bench = try ChatBench<EchoMachine>(["max-devices": "1"])
        let first = bench.open()
        let second = bench.open()
        #expect(bench.closes == [second: 1013])
        bench.cut(second)
        bench.cut(first)
        #expect(bench.closes[bench.open()] == 1013 || bench.closes.count == 1)
        #expect(try bench.total("peak") == 1)
    }

    @Test func `drops come on time, with a reset or a code`() throws {
        let bench = try ChatBench<EchoMachine>(["drop-after": "3s"])
        let socket = bench.open()
        bench.advance(.milliseconds(2999))
        #expect(bench.resets.isEmpty)
        bench.advance(.milliseconds(1))
        #expect(bench.resets == [socket])
        let closing = try ChatBench<EchoMachine>(["drop-after": "3s", "close-code": "4001"])
        let closed = closing.open()
        closing.advance(.seconds(3))
        #expect(closing.closes == [closed: 4001])
        #expect(try closing.total("dropped") == 1)
    }

    @Test func `no pong within the period closes with 1011`() throws {
        let bench = try ChatBench<EchoMachine>(["ping-every": "1s"])
        let good = bench.open()
        let bad = bench.open()
        bench.advance(.seconds(1))
        bench.core.pong(good)
        bench.advance(.seconds(1))
        #expect(bench.closes == [bad: 1011])
        #expect(bench.pings == [good: 2, bad: 1])
    }

    @Test func `leaving with another code than 1000 is a violation`() throws {
        let bench = try ChatBench<EchoMachine>()
        bench.close(bench.open(), 1000)
        bench.close(bench.open(), 1001)
        bench.close(bench.open(), nil)
        #expect(try bench.total("violations", "close_not_1000") == 2)
        #expect(try bench.total("closes", "by_device", "1000") == 1)
    }

    @Test func `a restart ends each connection as asked for`() throws {
        let closing = try ChatBench<EchoMachine>(["restart-how": "close"])
        let socket = closing.open()
        closing.core.restart(at: closing.now)
        closing.perform()
        #expect(closing.closes == [socket: 1001])
        let silent = try ChatBench<EchoMachine>(["restart-how": "silence"])
        let dead = silent.open()
        silent.core.restart(at: silent.now)
        silent.perform()
        silent.send(dead, "a")
        #expect(silent.sent[dead] == [] && silent.resets == [dead])
    }
}
