/// What is estimated of a distribution of samples.
public enum SampleStatistic: Sendable, Hashable {
    /// A quantile, 0...1.
    case quantile(Double)
    /// The mean.
    case mean
}

/// The values that samples are counted by: cells that rise, each from a lowest to a highest value.
public struct ValueGrid: Sendable, Equatable {
    /// The lowest value of each cell.
    public let low: [Double]
    /// The highest value of each cell; equal to the lowest one where a cell holds a single value.
    public let high: [Double]

    /// Makes a grid of at least one cell.
    public init(low: [Double], high: [Double]) {
        precondition(!low.isEmpty && low.count == high.count, "ValueGrid: cells without an end")
        (self.low, self.high) = (low, high)
    }

    /// How many cells there are.
    public var count: Int { low.count }

    /// The value at a rank, samples spread evenly within a cell.
    ///
    /// - Parameters:
    ///   - rank: 0 ... the number of samples; not whole as a rule.
    ///   - cumulative: How many samples a cell and all before it hold.
    func value(atRank rank: Double, _ cumulative: (Int) -> Double) -> (value: Double, cell: Int) {
        var (first, last) = (0, count - 1)
        while first < last {
            let middle = (first + last) / 2
            if cumulative(middle) >= rank { last = middle } else { first = middle + 1 }
        }
        let before = first == 0 ? 0 : cumulative(first - 1)
        let inside = cumulative(first) - before
        let part = inside > 0 ? min(1, max(0, (rank - before) / inside)) : 0
        return (low[first] + part * (high[first] - low[first]), first)
    }
}

/// A cell of a grid and how many samples it got in one step of a series.
public struct CellCount: Sendable, Equatable {
    /// The cell's index.
    public let cell: Int
    /// How many samples.
    public let count: Double

    /// Notes a count.
    public init(cell: Int, count: Double) { (self.cell, self.count) = (cell, count) }
}

extension ValueGrid {
    /// A statistic of all samples of a series; nil without samples.
    public func value(_ statistic: SampleStatistic, of steps: [[CellCount]]) -> Double? {
        var counts = [Double](repeating: 0, count: count)
        for cell in steps.joined() { counts[cell.cell] += cell.count }
        var running = 0.0
        let cumulative = counts.map { count in
            running += count
            return running
        }
        guard running > 0 else { return nil }
        switch statistic {
        case .quantile(let share): return value(atRank: share * running) { cumulative[$0] }.value
        case .mean: return zip(counts, zip(low, high)).reduce(0) { $0 + $1.0 * ($1.1.0 + $1.1.1) / 2 } / running
        }
    }
}
