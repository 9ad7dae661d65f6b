import StentorBase
import Testing

@testable import StentorStatistics

struct BlockBootstrapTests {
    private let grid = ValueGrid(low: (0..<400).map { Double($0) }, high: (0..<400).map { Double($0) + 1 })

    /// A run of steps whose level wanders as an AR(1) process, with samples around it.
    private func steps(
        _ random: inout SeededRandom, count: Int = 240, level: Double = 100, memory: Double, shift: Double = 0
    ) -> [[CellCount]] {
        var wander = 0.0
        return (0..<count).map { _ in
            wander = memory * wander + normal(&random) * 5
            return (0..<20).map { _ in
                CellCount(cell: Int(min(399, max(0, level + shift + wander + normal(&random) * 15))), count: 1)
            }
        }
    }

    private func normal(_ random: inout SeededRandom) -> Double { NormalDistribution.quantile(max(1e-12, random.unit())) }

    private func side(_ runs: [[[CellCount]]], _ statistics: [SampleStatistic]) throws -> BlockedSide {
        let cut = runs.compactMap { BlockedRun($0, grid, statistics) }
        try #require(cut.count == runs.count)
        return BlockedSide(cut, grid)
    }

    @Test func `a series without memory has short blocks, one with memory longer ones`() throws {
        var random = SeededRandom(seed: 1)
        let quiet = try #require(BlockPlan((0..<1000).map { _ in normal(&random) }))
        #expect(quiet.autocorrelationTime < 2 && (10...12).contains(quiet.length))
        var level = 0.0
        let wandering = (0..<4000).map { _ in
            level = 0.9 * level + normal(&random)
            return level
        }
        // An AR(1) process has τ = (1 + ρ) / (1 − ρ) = 19.
        let plan = try #require(BlockPlan(wandering))
        #expect((9...38).contains(plan.autocorrelationTime) && Double(plan.length) >= 4 * plan.autocorrelationTime)
        #expect(BlockPlan((0..<40).map { Double($0) }) == nil)
        #expect(BlockPlan([1, 2, 1]) == nil)
    }

    @Test func `a quantile is the one of all samples, wherever the blocks are cut`() throws {
        var random = SeededRandom(seed: 3)
        let run = steps(&random, memory: 0)
        let side = try side([run], [.quantile(0.5), .mean])
        let sorted = run.joined().map { Double($0.cell) }.sorted()
        #expect(abs(side.value(.quantile(0.5)) - sorted[sorted.count / 2]) <= 1)
        #expect(abs(side.value(.mean) - (sorted.reduce(0, +) / Double(sorted.count) + 0.5)) < 1e-9)
        #expect(side.sampleCount == 4800 && side.resolution(.quantile(0.5)) == 1 && side.resolution(.mean) == 0)
    }

    @Test func `the same seed draws the same`() throws {
        var random = SeededRandom(seed: 4)
        let base = try side([steps(&random, memory: 0.5)], [.quantile(0.9)])
        let candidate = try side([steps(&random, memory: 0.5)], [.quantile(0.9)])
        let results = (0..<2).map { _ in
            BlockBootstrap(base: base, candidate: candidate, [.quantile(0.9)], seed: 9, replicates: 100).result(0).difference
        }
        #expect(results[0] == results[1])
    }

    @Test(arguments: [0.0, 0.7]) func `intervals cover the truth about 95 times of 100, also with memory`(memory: Double) throws {
        var covered = 0
        for seed in 0..<40 {
            var random = SeededRandom(seed: UInt64(seed), stream: 5)
            let base = try side([steps(&random, memory: memory)], [.quantile(0.5)])
            let candidate = try side([steps(&random, memory: memory, shift: 10)], [.quantile(0.5)])
            let result = BlockBootstrap(base: base, candidate: candidate, [.quantile(0.5)], seed: UInt64(seed), replicates: 100).result(0)
            let estimate = result.difference.estimate
            if estimate.low <= 10, 10 <= estimate.high { covered += 1 }
        }
        #expect((34...40).contains(covered), "\(covered) of 40")
    }

    @Test func `runs that differ among themselves widen the interval`() throws {
        var random = SeededRandom(seed: 8)
        func group(_ levels: [Double]) throws -> BlockedSide {
            try side(levels.map { steps(&random, level: $0, memory: 0) }, [.quantile(0.5)])
        }
        let (base, candidate) = (try group([90, 100, 110]), try group([92, 104, 112]))
        let result = BlockBootstrap(base: base, candidate: candidate, [.quantile(0.5)], seed: 1, replicates: 200).result(0)
        #expect((8...12).contains(try #require(result.spread).deviation))
        // s = 10 and three runs a side: ± t(4) · 10 · √(2/3) = 22.7.
        #expect((16...28).contains(result.difference.estimate.high - result.difference.estimate.value))
        #expect(result.difference.degrees < 6)
        #expect(result.difference.p > 0.5)
    }

    @Test func `one run a side has no spread, and the interval is that of chance within the runs`() throws {
        #expect(RunSpread([[1], [2]]) == nil)
        let spread = try #require(RunSpread([[1, 3], [9]]))
        #expect(agree(spread.deviation, 2.0.squareRoot()) && spread.degrees == 1)
        let difference = TwoLevelDifference(
            within: Estimate(value: 2, low: 2 - 1.959963984540054, high: 2 + 1.959963984540054), degreesWithin: .infinity, spread: nil,
            runs: (1, 1))
        #expect(agree(difference.p, 0.04550026389635839))
        #expect(agree(difference.smallestShown(level: 0.05), 1.959963984540054 + 0.8416212335729143))
    }
}
