import StentorBase
import Testing

@testable import StentorFleet

@Suite struct LoopLoadTests {
    private static func second(_ number: Int) -> Instant { Instant(nanoseconds: Int64(number) * 1_000_000_000) }

    /// The busiest share after so many seconds; `milliseconds` gives the CPU time of each loop within a second.
    private static func busiest(seconds: Int, _ milliseconds: (Int) -> [Int64]) -> Double? {
        var load = LoopLoad()
        var sums: [Int64] = []
        for number in 0...seconds {
            let added = milliseconds(number)
            sums = sums.isEmpty ? added : zip(sums, added).map { $0 + $1 }
            load.add(cpuNanoseconds: sums.map { $0 * 1_000_000 }, at: Self.second(number))
        }
        return load.busiest
    }

    @Test func `nothing is known before ten seconds have passed`() {
        #expect(Self.busiest(seconds: 9) { _ in [1000] } == nil)
        #expect(Self.busiest(seconds: 10) { _ in [1000] } == 1)
    }

    @Test func `a burst is no saturation, and ten full seconds are, wherever they lie`() throws {
        let burst = try #require(Self.busiest(seconds: 60) { (20..<25).contains($0) ? [1000, 100] : [200, 100] })
        #expect(abs(burst - 0.6) < 1e-9, "five full seconds and five of a fifth")
        let saturated = try #require(Self.busiest(seconds: 60) { (33..<43).contains($0) ? [10, 990] : [10, 10] })
        #expect(abs(saturated - 0.99) < 1e-9)
    }

    @Test func `a reading that comes late counts over its own time`() throws {
        var load = LoopLoad()
        load.add(cpuNanoseconds: [0], at: Self.second(0))
        // The process was frozen for most of it.
        load.add(cpuNanoseconds: [1_000_000_000], at: Self.second(40))
        #expect(abs(try #require(load.busiest) - 0.025) < 1e-9)
    }
}
