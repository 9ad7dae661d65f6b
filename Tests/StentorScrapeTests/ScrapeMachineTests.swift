import StentorBase
import StentorWire
import Testing

@testable import StentorScrape

struct ScrapeMachineTests {
    static let start = Instant.distantPast + .seconds(1000)

    private static func request(_ line: String = "GET /metrics HTTP/1.1", _ fields: String...) -> String {
        ([line, "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func refusal(_ status: Int, _ reason: String) -> ScrapeMachine.Action {
        .send(ScrapeMachine.Answer(content: .refusal(status: status, reason: reason), closes: true))
    }

    private static func numbers(_ coding: ContentCoding = .identity, omitsBody: Bool = false, closes: Bool = false) -> ScrapeMachine.Action
    {
        .send(ScrapeMachine.Answer(content: .numbers(coding), omitsBody: omitsBody, closes: closes))
    }

    @Test func `a connection serves request after request, however they are cut`() {
        for cut in 0..<Self.request().utf8.count {
            let machine = Held(at: Self.start)
            for _ in 1...3 {
                let bytes = Array(Self.request().utf8)
                let first = machine.received(bytes: bytes[..<cut])
                #expect(first == .wait)
                let second = machine.received(bytes: bytes[cut...])
                #expect(second == Self.numbers())
                #expect(!machine.isReading)
                #expect(machine.answered(at: Self.start))
                #expect(machine.isReading)
            }
        }
    }

    @Test(
        arguments: [
            (request("HEAD /metrics HTTP/1.1"), numbers(omitsBody: true)),
            (request("GET /metrics?name=x HTTP/1.1"), numbers()),
            (request("GET http://a/metrics HTTP/1.1"), numbers()),
            (request("GET /metrics HTTP/1.1", "Connection: close"), numbers(closes: true)),
            (request("GET /metrics HTTP/1.0"), numbers(closes: true)),
            (request("GET /metrics HTTP/1.0", "Connection: keep-alive"), numbers()),
            (request("GET /metrics HTTP/1.1", "Accept-Encoding: gzip"), numbers(.gzip)),
            (request("GET /metrics HTTP/1.1", "Content-Length: 3"), numbers(closes: true)),
            (request("GET /metrics HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"), numbers()),
            (request("GET / HTTP/1.1"), refusal(404, "the metrics are at /metrics")),
            (request("GET /metrics/ HTTP/1.1"), refusal(404, "the metrics are at /metrics")),
            (request("POST /metrics HTTP/1.1", "Content-Length: 0"), refusal(405, "only GET and HEAD are answered")),
            (request("DELETE /metrics HTTP/1.1"), refusal(405, "only GET and HEAD are answered")),
            (request("GET /metrics HTTP/2.0"), refusal(505, "only HTTP/1.1 is spoken here")),
            ("\u{16}\u{3}", refusal(400, "not an HTTP request")),
            (request("GET /metrics HTTP/1.1", "X: " + String(repeating: "x", count: 17_000)), refusal(431, "head is over 16 KiB")),
        ])
    func `each request has its answer`(request: String, action: ScrapeMachine.Action) {
        let machine = Held(at: Self.start)
        #expect(machine.received(request) == action)
        guard case .send(let answer) = action else { return }
        #expect(machine.answered(at: Self.start) == !answer.closes)
    }

    @Test func `what comes before the answer is out is not served, and ends the connection`() {
        let machine = Held(at: Self.start)
        #expect(machine.received(Self.request() + Self.request()) == Self.numbers(closes: true))
        let other = Held(at: Self.start)
        #expect(other.received(Self.request()) == Self.numbers())
        #expect(other.received(Self.request()) == .wait)
        #expect(!other.answered(at: Self.start))
        #expect(other.received(Self.request()) == .wait)
    }

    @Test func `a request that trickles in is refused after ten seconds, a silent connection is cut`() {
        let machine = Held(at: Self.start)
        #expect(machine.deadline == Self.start + .seconds(10))
        #expect(machine.received("GET /met", at: Self.start + .seconds(4)) == .wait)
        #expect(machine.received("rics", at: Self.start + .seconds(13)) == .wait)
        #expect(machine.deadline == Self.start + .seconds(14), "later bytes do not move it")
        #expect(machine.timeCame(at: Self.start + .seconds(13)) == .wait)
        #expect(machine.timeCame(at: Self.start + .seconds(14)) == Self.refusal(408, "the request took too long"))
        #expect(machine.timeCame(at: Self.start + .seconds(44)) == .cut)

        let silent = Held(at: Self.start)
        #expect(silent.timeCame(at: Self.start + .seconds(10)) == .cut)
    }

    @Test func `a connection may rest for three minutes, and an answer take half of one`() {
        let machine = Held(at: Self.start)
        #expect(machine.received(Self.request()) == Self.numbers())
        #expect(machine.deadline == Self.start + .seconds(30))
        #expect(machine.answered(at: Self.start))
        #expect(machine.deadline == Self.start + .seconds(180))
        #expect(machine.received("G", at: Self.start + .seconds(100)) == .wait)
        #expect(machine.deadline == Self.start + .seconds(110))
    }

    @Test func `a peer that does not end after the last answer is cut`() {
        let machine = Held(at: Self.start)
        #expect(machine.received(Self.request("GET / HTTP/1.1")) == Self.refusal(404, "the metrics are at /metrics"))
        #expect(!machine.answered(at: Self.start))
        #expect(machine.timeCame(at: Self.start + .seconds(1)) == .wait)
        #expect(machine.timeCame(at: Self.start + .seconds(2)) == .cut)
    }
}

/// A machine that macros of tests can look at.
private final class Held {
    private var machine: ScrapeMachine

    init(at now: Instant) { machine = ScrapeMachine(at: now) }

    var isReading: Bool { machine.isReading }
    var deadline: Instant { machine.deadline }
    func received(_ text: String, at now: Instant = ScrapeMachineTests.start) -> ScrapeMachine.Action {
        received(bytes: Array(text.utf8)[...], at: now)
    }
    func received(bytes: ArraySlice<UInt8>, at now: Instant = ScrapeMachineTests.start) -> ScrapeMachine.Action {
        bytes.withUnsafeBytes { machine.received($0, at: now) }
    }
    func answered(at now: Instant) -> Bool { machine.answered(at: now) }
    func timeCame(at now: Instant) -> ScrapeMachine.Action { machine.timeCame(at: now) }
}
