import StentorBase
import Testing

@testable import StentorGateway

struct TimerTests {
    @Test func `a connection is reset after its time, or closed with the code given`() throws {
        let bench = try GatewayBench(["drop-after": "3s"])
        let socket = bench.connect()
        bench.advance(.milliseconds(2999))
        #expect(bench.deeds[socket] == [])
        bench.advance(.milliseconds(1))
        #expect(bench.deeds[socket] == [.reset] && bench.total("dropped") == 1)

        let polite = try GatewayBench(["drop-after": "3s", "close-code": "4321"])
        let other = polite.connect()
        polite.advance(.seconds(3))
        #expect(polite.deeds[other] == [.close(4321)] && polite.total("dropped") == 1)
    }

    @Test func `a text that crosses our close is taken, its reply is unsent`() throws {
        let bench = try GatewayBench(["drop-after": "3s", "close-code": "4321", "edits": "0"])
        let socket = bench.connect()
        bench.advance(.seconds(3))
        bench.say(socket, "crossing")
        #expect(bench.total("texts") == 1 && bench.total("replies", "unsent") == 1 && bench.texts(socket).isEmpty)
    }

    @Test func `a ping without a pong closes with 1011`() throws {
        let bench = try GatewayBench(["ping-every": "5s"])
        let socket = bench.connect()
        bench.advance(.seconds(5))
        bench.core.pong(socket)
        bench.advance(.seconds(5))
        #expect(bench.deeds[socket] == [.ping, .ping])
        bench.advance(.seconds(5))
        #expect(bench.deeds[socket] == [.ping, .ping, .close(1011)])
    }

    @Test(arguments: [("close", GatewayBench.Deed.close(1001)), ("reset", .reset), ("silence", .silence)])
    func `a restart ends every connection as asked`(how: String, deed: GatewayBench.Deed) throws {
        let bench = try GatewayBench(["restart-how": how, "edits": "0"])
        let (ready, greeting) = (bench.connect(), bench.open())
        bench.core.restart(at: bench.now)
        bench.perform()
        #expect(bench.deeds[ready] == [deed] && bench.deeds[greeting] == [deed])
        guard how == "silence" else { return }
        bench.say(ready, "unheard")
        bench.advance(.seconds(100))
        #expect(bench.total("texts") == 0 && bench.deeds[greeting] == [deed])
        bench.core.stop()
        bench.perform()
        #expect(bench.deeds[ready] == [.silence, .reset])
    }

    @Test func `the end closes with 1001, once`() {
        let bench = GatewayBench()
        let socket = bench.connect()
        bench.core.stop()
        bench.core.stop()
        bench.perform()
        #expect(bench.deeds[socket] == [.close(1001)])
    }

    @Test func `a device asks for one wake at a time`() throws {
        let bench = try GatewayBench(["reply-delay": "1s"])
        let socket = bench.connect()
        var wakes = 0
        for n in 0..<100 {
            let frame = #"{"t":"text","id":"\#(bench.newID())","text":"[#\#(n)]"}"#
            Array(frame.utf8).withUnsafeBytes { bench.core.message(socket, .text, $0, at: bench.now) }
            wakes += bench.core.output.actions.count { if case .wakeDevice = $0 { true } else { false } }
            bench.perform()
        }
        #expect(wakes == 1)
    }

    @Test func `a place in the list is used again, with nothing left in it`() throws {
        let bench = try GatewayBench(["hello-timeout": "2s"])
        let first = bench.connect("a")
        bench.cut(first)
        let second = bench.open()
        #expect(second == first)
        bench.send(second, bench.hello("b"))
        bench.say(second, "for b")
        bench.advance(.seconds(3))
        #expect(bench.violations.isEmpty && bench.total("devices") == 2 && bench.texts(second).last == "for b")
    }
}
