import StentorBase
import StentorLoop
import Testing

@testable import StentorGateway

/// What a soak has to find: slower replies, memory that grows, a connection that starves.
struct SoakFaultTests {
    @Test(arguments: [("leak", "10MiB/min"), ("leak", "1KiB/s"), ("latency-drift", "250%/h"), ("slow-writes", "20B/s")])
    func `a rate is taken`(name: String, value: String) throws {
        var options = GatewayOptions()
        try #require(GatewayOption.named(name)).apply(value, to: &options)
    }

    @Test func `rates land in their fields, for one second`() throws {
        var options = GatewayOptions()
        for (name, value) in [("leak", "6MiB/min"), ("latency-drift", "6%/min"), ("slow-writes", "2KiB/s")] {
            try #require(GatewayOption.named(name)).apply(value, to: &options)
        }
        #expect(options.leakPerSecond == 104_857.6)
        #expect(abs(options.latencyDrift - 0.001) < 1e-12)
        #expect(options.slowWrites == 2048)
    }

    @Test(arguments: [
        ("leak", "10MiB", "'10MiB' is not a size per time such as 10MiB/min"),
        ("leak", "0B/s", "'0B/s' is not a size per time such as 10MiB/min"),
        ("leak", "10/min", "'10/min' is not a size per time such as 10MiB/min"),
        ("latency-drift", "10%", "'10%' is not a share per time such as 10%/min"),
        ("latency-drift", "10ms/min", "'10ms/min' is not a share per time such as 10%/min"),
        ("latency-drift", "-1%/min", "'-1%/min' is not a share per time such as 10%/min"),
        ("slow-writes", "10KiB", "'10KiB' is not a size per time such as 10KiB/s, at least 20B/s"),
        ("slow-writes", "10B/s", "'10B/s' is not a size per time such as 10KiB/s, at least 20B/s"),
    ])
    func `a rate that is none is refused`(name: String, value: String, message: String) throws {
        var options = GatewayOptions()
        let option = try #require(GatewayOption.named(name))
        #expect(throws: UserFailure(.arguments, message, place: "--\(name)")) { try option.apply(value, to: &options) }
    }

    @Test func `a drift of nothing is refused`() {
        var options = GatewayOptions()
        options.latencyDrift = 0.1
        #expect(throws: UserFailure(.arguments, "needs a --reply-delay that can grow", place: "--latency-drift")) { try options.validate() }
    }

    @Test func `the reply delay grows with the time since the start`() throws {
        let bench = try GatewayBench(["reply-delay": "100ms", "latency-drift": "10%/min", "edits": "0", "moods": "none"])
        bench.core.began(origin: "", at: bench.now, wallSeconds: 0)
        let socket = bench.connect()
        bench.say(socket, "early")
        bench.advance(.milliseconds(99))
        #expect(bench.texts(socket).isEmpty)
        bench.advance(.milliseconds(1))
        #expect(bench.texts(socket) == ["early"])
        // Ten minutes at 10 % a minute: twice as long.
        bench.advance(.seconds(600) - .milliseconds(100))
        bench.say(socket, "late")
        bench.advance(.milliseconds(199))
        #expect(bench.texts(socket) == ["early"])
        bench.advance(.milliseconds(1))
        #expect(bench.texts(socket) == ["early", "late"])
    }

    @Test func `slow writes let no more through than their rate, and lose nothing`() async throws {
        let body = String(repeating: "slow", count: 500)
        let settings = ["slow-writes": "8KiB/s", "edits": "0", "moods": "none", "reply-delay": "0s"]
        let (seen, totals) = try await withGateway(settings) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            let begin = Instant.now()
            peer.say(body)
            let isThere = await peer.until { peer.messages.contains { $0.contains(body) } }
            let took = Instant.now() - begin
            peer.close(1000)
            let isClosed = await peer.until { peer.closeCode == 1000 && peer.end != nil }
            return (took, isThere && isClosed)
        }
        // 2000 bytes and more at 8 KiB/s, and never before the first step.
        #expect(seen.0 >= .milliseconds(2000 * 1000 / 8192))
        #expect(seen.1)
        #expect(totals.contains(#""by_device": {"1000": 1}"#) && totals.contains(#""violations": {}"#))
    }

    @Test func `slow writes hold for photos and plain answers too`() async throws {
        let settings = ["slow-writes": "64KiB/s", "token": "t", "refuse": "401", "edits": "0", "moods": "none"]
        let (seen, _) = try await withGateway(settings) { loop, gateway in
            let peer = try await GatewayPeer.ready(loop, gateway)
            let photos = { peer.messages.count { $0.contains(#""t":"media""#) } }
            // The first photo has its content made, which takes its own time.
            peer.say("send photo 1")
            _ = await peer.until { photos() == 1 }
            let begin = Instant.now()
            peer.say("send photo 12000")
            let isThere = await peer.until { photos() == 2 }
            let took = Instant.now() - begin
            let stranger = try await GatewayPeer(loop, port: gateway.port)
            _ = try await stranger.open("/ws?token=bad")
            let isEnded = await stranger.until { stranger.end != nil }
            return (took, isThere && isEnded, stranger.status)
        }
        // 12,000 bytes are 16,000 in base64.
        #expect(seen.0 >= .milliseconds(16_000 * 1000 / 65_536))
        #expect(seen.1 && seen.2 == 401)
    }

    @Test func `a leak takes what was asked for and no more`() async throws {
        let (seen, _) = try await withGateway(["leak": "60MiB/min"]) { loop, gateway in
            let begin = loop.now
            await loop.sleep(until: begin + .milliseconds(700))
            return (gateway.leak?.bytes ?? 0, (loop.now - begin).inSeconds)
        }
        // In steps of 200 ms, so a step may be missing at the end.
        #expect(seen.0 >= 1 << 19 && Double(seen.0) <= Double(1 << 20) * (seen.1 + 0.1))
    }

    @Test func `a healthy gateway leaks nothing`() async throws {
        let (isLeaking, _) = try await withGateway { _, gateway in gateway.leak != nil }
        #expect(!isLeaking)
    }
}
