import StentorBase
import Testing

@testable import StentorPush

struct PushMachineTests {
    private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
    private func machine() -> PushMachine { PushMachine(requestTimeout: .seconds(5), seed: 1) }

    /// The instant of a wait, in milliseconds.
    private func wait(_ action: PushMachine.Action) -> Double? {
        if case .wait(let instant) = action { Double(instant.nanoseconds) / 1e6 } else { nil }
    }

    @Test func `nothing is sent before a body is there, and each body once`() {
        var machine = machine()
        #expect(machine.next(at: Self.at(0)) == .idle)
        machine.offered()
        #expect(machine.next(at: Self.at(1000)) == .send(isLast: false, deadline: Self.at(6000)))
        machine.succeeded(isLast: false)
        #expect(machine.next(at: Self.at(1001)) == .idle)
        machine.offered()
        #expect(machine.next(at: Self.at(1002)) == .send(isLast: false, deadline: Self.at(6002)))
    }

    @Test func `back-off doubles with jitter of a half, up to thirty seconds, and a body is given up after four attempts`() throws {
        var machine = machine()
        var delay = 500.0
        for round in 0..<10 {
            machine.offered()
            for attempt in 0..<PushMachine.attemptsPerBody {
                machine.failed(isLast: false, mayRetry: true, at: Self.at(0))
                let action = machine.next(at: Self.at(0))
                if attempt == PushMachine.attemptsPerBody - 1 {
                    #expect(action == .idle, "round \(round)")
                } else {
                    let until = try #require(wait(action))
                    #expect(until >= delay / 2 && until <= delay)
                }
                delay = min(30_000, delay * 2)
            }
        }
    }

    @Test func `a newer body waits for the back-off of the one before`() throws {
        var machine = machine()
        machine.offered()
        machine.failed(isLast: false, mayRetry: true, at: Self.at(0))
        machine.offered()
        let until = try #require(wait(machine.next(at: Self.at(10))))
        #expect(until >= 250)
        #expect(machine.next(at: Self.at(501)) == .send(isLast: false, deadline: Self.at(5501)))
    }

    @Test func `the wait that the newest failure set is known until a success or the end`() throws {
        var machine = machine()
        machine.offered()
        #expect(machine.backOff == nil)
        machine.failed(isLast: false, mayRetry: true, at: Self.at(0))
        let first = try #require(machine.backOff)
        #expect(first >= .milliseconds(250) && first <= .milliseconds(500))
        #expect(machine.next(at: Self.at(0)) == .wait(until: Self.at(0) + first))
        machine.failed(isLast: false, mayRetry: true, at: Self.at(0))
        #expect((machine.backOff ?? .zero) >= .milliseconds(500))
        machine.succeeded(isLast: false)
        #expect(machine.backOff == nil)
        machine.failed(isLast: false, mayRetry: false, at: Self.at(0))
        #expect(machine.backOff != nil)
        machine.finishing(at: Self.at(1), by: Self.at(100))
        #expect(machine.backOff == nil)
    }

    @Test func `what the gateway refuses is not repeated`() {
        var machine = machine()
        machine.offered()
        machine.failed(isLast: false, mayRetry: false, at: Self.at(0))
        #expect(machine.next(at: Self.at(60_000)) == .idle)
    }

    @Test func `a success ends the back-off's growth`() throws {
        var machine = machine()
        machine.offered()
        for _ in 0..<3 { machine.failed(isLast: false, mayRetry: true, at: Self.at(0)) }
        machine.succeeded(isLast: false)
        machine.offered()
        machine.failed(isLast: false, mayRetry: true, at: Self.at(0))
        let until = try #require(wait(machine.next(at: Self.at(0))))
        #expect(until <= 500)
    }

    @Test func `finishing sends a last request at once, whatever the back-off, and then ends`() {
        var machine = machine()
        machine.offered()
        for _ in 0..<4 { machine.failed(isLast: false, mayRetry: true, at: Self.at(0)) }
        machine.finishing(at: Self.at(10), by: Self.at(2010))
        #expect(machine.next(at: Self.at(10)) == .send(isLast: true, deadline: Self.at(2010)))
        machine.succeeded(isLast: true)
        #expect(machine.next(at: Self.at(20)) == .end)
    }

    @Test func `an earlier success does not stand for the last request`() {
        var machine = machine()
        machine.offered()
        machine.finishing(at: Self.at(0), by: Self.at(100_000))
        machine.succeeded(isLast: false)
        #expect(machine.next(at: Self.at(1)) == .send(isLast: true, deadline: Self.at(5001)))
    }

    @Test func `the last request is repeated while time is left, and not beyond`() throws {
        var machine = machine()
        machine.finishing(at: Self.at(0), by: Self.at(700))
        machine.failed(isLast: true, mayRetry: true, at: Self.at(0))
        let until = try #require(wait(machine.next(at: Self.at(0))))
        #expect(until <= 500)
        #expect(machine.next(at: Self.at(600)) == .send(isLast: true, deadline: Self.at(700)))
        machine.failed(isLast: true, mayRetry: true, at: Self.at(600))
        #expect(machine.next(at: Self.at(600)) == .end)
    }

    @Test func `a last request that is refused ends at once`() {
        var machine = machine()
        machine.finishing(at: Self.at(0), by: Self.at(10_000))
        machine.failed(isLast: true, mayRetry: false, at: Self.at(1))
        #expect(machine.next(at: Self.at(1)) == .end)
    }

    @Test func `no time left ends without a request`() {
        var machine = machine()
        machine.offered()
        machine.finishing(at: Self.at(5), by: .distantPast)
        #expect(machine.next(at: Self.at(5)) == .end)
    }
}
