import StentorBase
import Testing

@testable import StentorFleet

@Suite struct `The ping schedule` {
    private static func started(seed: UInt64 = 1) -> PingSchedule {
        var random = SeededRandom(seed: seed)
        var pings = PingSchedule(every: .seconds(10), within: .seconds(3))
        pings.start(at: at(0), random: &random)
        return pings
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `starts within one period`(seed: UInt64) throws {
        let next = try #require(Self.started(seed: seed).next)
        #expect(next >= at(0) && next <= at(10_000))
    }

    @Test func `gives a ping when it is due, waits for its pong, then for the next period`() throws {
        var pings = Self.started()
        let first = try #require(pings.next)
        #expect(pings.take(at: first.advanced(byNanoseconds: -1)) == nil)
        #expect(pings.take(at: first) == 1)
        #expect(pings.next == first + .seconds(3))
        #expect(pings.take(at: first + .seconds(11)) == nil)
        pings.sent(1, at: first + .milliseconds(5))
        #expect(pings.answered(PingSchedule.payload(1)) == first + .milliseconds(5))
        #expect(pings.next == first + .seconds(10))
        #expect(pings.take(at: first + .seconds(10)) == 2)
    }

    @Test func `only the pong of the ping under way counts, and only once`() throws {
        var pings = Self.started()
        let first = try #require(pings.next)
        #expect(pings.answered(PingSchedule.payload(0)) == nil)
        _ = pings.take(at: first)
        pings.sent(1, at: first)
        #expect(pings.answered([]) == nil && pings.answered(PingSchedule.payload(2)) == nil)
        #expect(pings.answered(PingSchedule.payload(1)) == first)
        #expect(pings.answered(PingSchedule.payload(1)) == nil)
    }

    @Test func `a pong that is late means silence`() throws {
        var pings = Self.started()
        let first = try #require(pings.next)
        _ = pings.take(at: first)
        #expect(!pings.isOverdue(at: first + .milliseconds(2999)))
        #expect(pings.isOverdue(at: first + .seconds(3)))
        pings.stop()
        #expect(!pings.isOverdue(at: first + .seconds(30)) && pings.next == nil)
    }

    @Test func `a ping of an earlier connection is not answered on the next one`() throws {
        var random = SeededRandom(seed: 2)
        var pings = Self.started()
        let first = try #require(pings.next)
        _ = pings.take(at: first)
        pings.sent(1, at: first)
        pings.stop()
        pings.start(at: at(60_000), random: &random)
        #expect(pings.answered(PingSchedule.payload(1)) == nil)
        let next = try #require(pings.next)
        #expect(pings.take(at: next) == 2)
    }

    @Test func `periods missed while a pong was awaited are not made up for`() throws {
        var pings = PingSchedule(every: .seconds(1), within: .seconds(60))
        var random = SeededRandom(seed: 3)
        pings.start(at: at(0), random: &random)
        let first = try #require(pings.next)
        _ = pings.take(at: first + .seconds(30))
        pings.sent(1, at: first + .seconds(30))
        _ = pings.answered(PingSchedule.payload(1))
        #expect(pings.next == first + .seconds(31))
    }
}
