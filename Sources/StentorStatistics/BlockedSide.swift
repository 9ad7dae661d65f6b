import StentorBase

/// The runs of one side of a comparison, ready to be drawn from.
public struct BlockedSide: Sendable {
    /// The runs.
    public let runs: [BlockedRun]
    private let grid: ValueGrid
    /// Cumulative counts: for each cell, all blocks of all runs beside each other, so that a probe of a drawn distribution is one pass.
    private let cumulative: [Double]
    private let blockCount: Int

    /// Joins runs that were cut over the same grid; at least one.
    public init(_ runs: [BlockedRun], _ grid: ValueGrid) {
        (self.runs, self.grid) = (runs, grid)
        let blocks = runs.flatMap(\.counts)
        blockCount = blocks.count
        var cumulative = [Double](repeating: 0, count: blocks.count * grid.count)
        for (column, block) in blocks.enumerated() {
            var running = 0.0
            for (cell, count) in block.enumerated() {
                running += count
                cumulative[cell * blocks.count + column] = running
            }
        }
        self.cumulative = cumulative
    }

    /// How many samples all runs have.
    public var sampleCount: Double { runs.reduce(0) { $0 + $1.sampleCount } }

    /// Counts of all samples by cell.
    public var counts: [Double] {
        var sums = [Double](repeating: 0, count: grid.count)
        for run in runs { for block in run.counts { for (cell, count) in block.enumerated() { sums[cell] += count } } }
        return sums
    }

    /// The statistic of all samples of all runs together.
    public func value(_ statistic: SampleStatistic) -> Double {
        value(statistic, [Double](repeating: 1, count: blockCount)[...], from: 0).value
    }

    /// The statistic of one run.
    public func value(_ statistic: SampleStatistic, ofRun run: Int) -> Double {
        let columns = columns(ofRun: run)
        return value(statistic, [Double](repeating: 1, count: columns.count)[...], from: columns.lowerBound).value
    }

    /// The width of the cell in which the statistic lies: how far it may be off by the histogram alone.
    public func resolution(_ statistic: SampleStatistic) -> Double {
        guard case .quantile = statistic else { return 0 }
        let cell = value(statistic, [Double](repeating: 1, count: blockCount)[...], from: 0).cell
        return grid.high[cell] - grid.low[cell]
    }

    /// Draws blocks with replacement, as many of each run as it has, and gives the statistics of what was drawn.
    func replicate(_ statistics: [SampleStatistic], _ random: inout SeededRandom) -> [Double] {
        var weights = [Double](repeating: 0, count: blockCount)
        var first = 0
        for run in runs {
            for _ in 0..<run.plan.count { weights[first + Int(random.unit() * Double(run.plan.count))] += 1 }
            first += run.plan.count
        }
        return statistics.map { value($0, weights[...], from: 0).value }
    }

    /// By what deviations of draws must be multiplied, for they vary too little (``BlockPlan/varianceShare``).
    var stretch: Double { 1 / (runs.map(\.plan.varianceShare).min() ?? 1).squareRoot() }

    private func columns(ofRun run: Int) -> Range<Int> {
        let first = runs[..<run].reduce(0) { $0 + $1.plan.count }
        return first..<first + runs[run].plan.count
    }

    private func value(_ statistic: SampleStatistic, _ weights: ArraySlice<Double>, from first: Int) -> (value: Double, cell: Int) {
        func upTo(_ cell: Int) -> Double {
            cumulative.withUnsafeBufferPointer { counts in
                var (sum, at) = (0.0, cell * blockCount + first)
                for weight in weights {
                    sum += weight * counts[at]
                    at += 1
                }
                return sum
            }
        }
        let all = upTo(grid.count - 1)
        switch statistic {
        case .quantile(let share): return grid.value(atRank: share * all, upTo)
        case .mean:
            var (sum, before) = (0.0, 0.0)
            for cell in grid.low.indices {
                let running = upTo(cell)
                sum += (running - before) * (grid.low[cell] + grid.high[cell]) / 2
                before = running
            }
            return (all > 0 ? sum / all : 0, 0)
        }
    }
}
