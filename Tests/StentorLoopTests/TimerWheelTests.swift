import StentorBase
import Testing

@testable import StentorLoop

struct TimerWheelTests {
    private static func milliseconds(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000_000) }

    /// Drives a wheel like the loop does: to each wake-up it asks for, until nothing is left; gives the firing times by name.
    private static func fired(_ wheel: inout TimerWheel, until end: Instant, names: [ObjectIdentifier: Int]) -> [(name: Int, at: Instant)] {
        var result: [(Int, Instant)] = []
        while let wake = wheel.nextWake, wake <= end {
            while let timer = wheel.nextDue(at: wake) {
                result.append((names[ObjectIdentifier(timer)] ?? -1, wake))
            }
        }
        return result
    }

    @Test func `a timer counts as late when it fires more than the bound after its deadline`() {
        var wheel = TimerWheel(now: Self.milliseconds(0))
        let timers = (0..<4).map { _ in LoopTimer {} }
        for (timer, deadline) in zip(timers, [Int64(100), 101, 102, 500]) { wheel.schedule(timer, at: Self.milliseconds(deadline)) }
        #expect(wheel.nextDue(at: Self.milliseconds(110), clock: Self.milliseconds(110)) != nil)
        #expect(wheel.tally.fired == 1 && wheel.tally.late == 0, "exactly the bound is not late")
        // What ran meanwhile made the others late, though they were due in the same look.
        #expect(wheel.nextDue(at: Self.milliseconds(110), clock: Self.milliseconds(125)) != nil)
        #expect(wheel.nextDue(at: Self.milliseconds(110), clock: Self.milliseconds(125)) != nil)
        #expect(wheel.nextDue(at: Self.milliseconds(110), clock: Self.milliseconds(125)) == nil)
        #expect(wheel.tally.fired == 3 && wheel.tally.late == 2)
        wheel.cancel(timers[3])
        #expect(wheel.nextDue(at: Self.milliseconds(900)) == nil && wheel.tally.fired == 3, "a cancelled timer is not late")
    }

    @Test func `timers fire at their exact deadlines, in order, over all levels`() {
        var random = SeededRandom(seed: 11)
        var wheel = TimerWheel(now: Instant(nanoseconds: 987_654_321))
        var timers: [LoopTimer] = []
        var names: [ObjectIdentifier: Int] = [:]
        var deadlines: [Instant] = []
        for index in 0..<2000 {
            let scale = [1_000, 1_000_000, 1_000_000_000, 3_600_000_000_000][index % 4]
            let deadline = Instant(nanoseconds: 987_654_321 + Int64(random.integer(in: 0...1000) * scale))
            let timer = LoopTimer {}
            wheel.schedule(timer, at: deadline)
            timers.append(timer)
            names[ObjectIdentifier(timer)] = index
            deadlines.append(deadline)
        }
        let fired = Self.fired(&wheel, until: .distantFuture, names: names)
        #expect(fired.count == 2000)
        #expect(fired.allSatisfy { deadlines[$0.name] == $0.at })
        #expect(wheel.count == 0)
        #expect(wheel.nextWake == nil)
    }

    @Test func `a deadline moved later fires once, at the later instant`() {
        var wheel = TimerWheel(now: Self.milliseconds(0))
        let timer = LoopTimer {}
        for at in [5, 40, 900, 20_000] { wheel.schedule(timer, at: Self.milliseconds(Int64(at))) }
        let fired = Self.fired(&wheel, until: .distantFuture, names: [ObjectIdentifier(timer): 1])
        #expect(fired.map(\.at) == [Self.milliseconds(20_000)])
    }

    @Test func `a deadline moved earlier fires at the earlier instant`() {
        var wheel = TimerWheel(now: Self.milliseconds(0))
        let timer = LoopTimer {}
        wheel.schedule(timer, at: Self.milliseconds(100_000))
        wheel.schedule(timer, at: Self.milliseconds(3))
        let fired = Self.fired(&wheel, until: .distantFuture, names: [ObjectIdentifier(timer): 1])
        #expect(fired.map(\.at) == [Self.milliseconds(3)])
    }

    @Test func `a cancelled timer never fires`() {
        var wheel = TimerWheel(now: Self.milliseconds(0))
        let kept = LoopTimer {}
        let cancelled = LoopTimer {}
        wheel.schedule(kept, at: Self.milliseconds(50))
        wheel.schedule(cancelled, at: Self.milliseconds(50))
        wheel.cancel(cancelled)
        wheel.cancel(cancelled)
        let fired = Self.fired(&wheel, until: .distantFuture, names: [ObjectIdentifier(kept): 1, ObjectIdentifier(cancelled): 2])
        #expect(fired.map(\.name) == [1])
        #expect(!cancelled.isScheduled)
    }

    @Test func `a timer cancelled by one that fires with it does not fire`() {
        var wheel = TimerWheel(now: Self.milliseconds(0))
        let timers = (0..<3).map { _ in LoopTimer {} }
        for timer in timers { wheel.schedule(timer, at: Self.milliseconds(7)) }
        let first = wheel.nextDue(at: Self.milliseconds(7))
        let others = timers.filter { $0 !== first }
        wheel.cancel(others[0])
        #expect(wheel.nextDue(at: Self.milliseconds(7)) === others[1])
        #expect(wheel.nextDue(at: Self.milliseconds(7)) == nil)
    }

    @Test(arguments: [0, 255, 65_535, 65_791, 16_777_215] as [Int64])
    func `a single timer is seen wherever in its window the wheel stands`(startTick: Int64) {
        let start = Instant(nanoseconds: startTick << 17)
        for ticksAhead in [1, 255, 256, 65_280, 65_535, 65_536, 16_711_680, 16_777_215, 16_777_216, 1 << 31] as [Int64] {
            var wheel = TimerWheel(now: start)
            let timer = LoopTimer {}
            let deadline = start.advanced(byNanoseconds: ticksAhead << 17)
            wheel.schedule(timer, at: deadline)
            let fired = Self.fired(&wheel, until: .distantFuture, names: [ObjectIdentifier(timer): 1])
            #expect(fired.map(\.at) == [deadline], "\(ticksAhead) ticks ahead")
        }
    }

    @Test func `a clock that jumps over many windows fires all that became due`() {
        var wheel = TimerWheel(now: Self.milliseconds(0))
        let timers = (1...50).map { _ in LoopTimer {} }
        for (index, timer) in timers.enumerated() { wheel.schedule(timer, at: Self.milliseconds(Int64(index * 137))) }
        var count = 0
        while wheel.nextDue(at: Self.milliseconds(10_000)) != nil { count += 1 }
        #expect(count == 50)
    }
}
