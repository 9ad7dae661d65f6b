import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

struct TotalsTests {
    @Test func `the totals of a gateway without devices are this line`() {
        #expect(
            GatewayBench().core.totals()
                == #"{"devices": 0, "hellos": 0, "refused": {}, "texts": 0, "audios": 0, "#
                + #""replies": {"sent": 0, "lost": 0, "duplicated": 0, "reordered": 0, "unsent": 0}, "#
                + #""uploads": {"begun": 0, "complete": 0, "bytes": 0, "confirmed": 0, "corrupt": {}, "corrupt_bytes": 0}, "#
                + #""photos": {"sent": 0, "bytes": 0}, "#
                + #""prompts": {"sent": 0, "resent": 0, "answered": 0, "expired": 0, "substituted": 0, "superseded": 0, "late_answers": 0, "#
                + #""repeated_answers": 0}, "on_purpose": {}, "reconnect_gap_s": {"count": 0}, "per_device": {}, "#
                + #""connections": 0, "peak": 0, "peak_dials_per_s": 0, "dropped": 0, "restarts": 0, "#
                + #""closes": {"by_device": {}, "by_gateway": {}, "cut": 0}, "violations": {}}"#)
    }

    @Test func `a device's totals name its markers and gaps`() throws {
        let bench = try GatewayBench(["edits": "0"])
        let socket = bench.connect("de\\\"v")
        for n in [3, 4, 7, 5, 4, 1] { bench.say(socket, "[#\(n)]") }
        bench.say(socket, "no marker")
        let line = bench.core.totals()
        #expect(
            line.contains(
                #""de\"v": {"connections": 1, "texts": 7, "replied": 7, "marked": 6, "repeated": 1, "disordered": 2, "first": 1, "highest": 7, "#
                    + #""gaps": [2, 6]}"#), "\(line)")
    }

    @Test func `a jump of the markers adds a bounded number of gaps`() {
        var truth = DeviceTruth()
        for n in [0, 1_000_000_000] { truth.arrived(n) }
        var json = TotalsWriter()
        json.object { truth.write(to: &$0) }
        #expect(json.text.count { $0 == "," } < 1010)
    }

    @Test func `reconnect gaps are told in seconds`() {
        let bench = GatewayBench()
        for gap in [Duration.milliseconds(1500), .milliseconds(250), .seconds(2), .milliseconds(1001)] {
            let socket = bench.connect()
            bench.cut(socket)
            bench.advance(gap)
        }
        _ = bench.connect()
        #expect(bench.core.totals().contains(#""reconnect_gap_s": {"count": 4, "min": 0.25, "median": 1.2505, "max": 2.0}"#))
    }

    @Test func `closes are told by who came first`() {
        let bench = GatewayBench()
        let sockets = (0..<5).map { bench.connect("d\($0)") }
        bench.core.closeReceived(sockets[0], code: 1000, at: bench.now)
        bench.core.closeReceived(sockets[1], code: nil, at: bench.now)
        bench.core.failed(sockets[2], WebSocketFailure(closeCode: 1009, reason: "too big"), at: bench.now)
        bench.core.close(sockets[3], 4001, "replaced")
        bench.core.closeReceived(sockets[3], code: 4001, at: bench.now)
        for socket in sockets { bench.cut(socket) }
        let line = bench.core.totals()
        #expect(
            line.contains(#""closes": {"by_device": {"1000": 1, "1005": 1}, "by_gateway": {"1009": 1, "4001": 1}, "cut": 1}"#), "\(line)")
        #expect(bench.violations == ["websocket_1009"] && bench.total("peak") == 5)
    }

    @Test func `twenty violations of a kind are reported, all are counted`() {
        let bench = GatewayBench()
        let socket = bench.connect("de'v\\u001b")
        for _ in 0..<25 { bench.send(socket, "nonsense") }
        #expect(bench.violations.count == 25 && bench.reports.count == 20)
        #expect(bench.reports[0] == #"violation device='de\u{27}v\u{1b}' kind=malformed 8 bytes"#)
    }
}
