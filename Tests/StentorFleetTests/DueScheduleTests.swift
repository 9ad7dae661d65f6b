import StentorBase
import Testing

@testable import StentorFleet

@Suite struct `The due schedule` {
    private static func dues(_ schedule: DueSchedule, seed: UInt64, count: Int) -> [Instant] {
        var schedule = schedule
        var random = SeededRandom(seed: seed)
        schedule.start(at: at(0), random: &random)
        return (0..<count).compactMap { _ in schedule.take(at: .distantFuture, random: &random) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `even: starts within one period and keeps it exactly`(seed: UInt64) throws {
        let dues = Self.dues(DueSchedule(every: .milliseconds(70), spacing: .even), seed: seed, count: 100)
        #expect(dues.count == 100)
        #expect(dues[0] >= at(0) && dues[0] <= at(70))
        #expect(zip(dues, dues.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(70) })
    }

    @Test func `even: phases are spread over the whole period`() {
        let phases = (1...200).map { seed in
            (Self.dues(DueSchedule(every: .seconds(1), spacing: .even), seed: seed, count: 1)[0] - at(0)).inSeconds
        }
        let mean = phases.reduce(0, +) / 200
        // A uniform phase has the mean 1/2 and the deviation 1/√12: five deviations of the mean of 200 are 0.1.
        #expect(abs(mean - 0.5) < 0.1)
    }

    @Test func `poisson: distances have the mean that was asked for, and its deviation`() {
        let count = 20_000
        let dues = Self.dues(DueSchedule(every: .milliseconds(10), spacing: .poisson), seed: 3, count: count)
        let gaps = zip([at(0)] + dues, dues).map { ($1 - $0).inSeconds }
        let mean = gaps.reduce(0, +) / Double(count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
        // The deviation of the mean of n exponential numbers is mean/√n: five of them are 3.5 %.
        #expect(abs(mean / 0.010 - 1) < 0.035)
        #expect(abs(variance / 0.0001 - 1) < 0.1)
    }

    @Test func `the same seed gives the same instants, another one others`() {
        let schedule = DueSchedule(every: .milliseconds(10), spacing: .poisson)
        #expect(Self.dues(schedule, seed: 5, count: 50) == Self.dues(schedule, seed: 5, count: 50))
        #expect(Self.dues(schedule, seed: 5, count: 50) != Self.dues(schedule, seed: 6, count: 50))
    }

    @Test func `what became due while nobody looked is given one by one, and nothing is skipped`() {
        var random = SeededRandom(seed: 1)
        var schedule = DueSchedule(every: .milliseconds(10), spacing: .even)
        #expect(schedule.next == nil)
        schedule.start(at: at(0), random: &random)
        var taken = 0
        while schedule.take(at: at(1000), random: &random) != nil { taken += 1 }
        #expect(taken == 100)
        #expect(schedule.take(at: at(1000), random: &random) == nil)
        schedule.stop()
        #expect(schedule.next == nil)
        #expect(schedule.take(at: .distantFuture, random: &random) == nil)
    }
}
