/// The samples of one run, in blocks that can be drawn as if they were independent.
public struct BlockedRun: Sendable {
    /// How its series was cut.
    public let plan: BlockPlan
    /// How many samples there are.
    public let sampleCount: Double
    /// How many samples of each block lie in each cell.
    let counts: [[Double]]

    /// Cuts a run's series.
    ///
    /// The autocorrelation time is the longest of what the statistics depend on: for a quantile θ, per step, the samples up to θ less the
    /// quantile's share of all samples; for the mean, the sum less the mean's share. These are the influences whose sum moves the estimate.
    ///
    /// - Parameters:
    ///   - steps: The cells that got samples, in steps of equal length; steps without any are left out.
    ///   - grid: The cells.
    ///   - statistics: What will be estimated; at least one.
    /// - Returns: Nil when the series is too short for what it remembers (``BlockPlan``).
    public init?(_ steps: [[CellCount]], _ grid: ValueGrid, _ statistics: [SampleStatistic]) {
        let totals = Self.sum(steps, grid)
        var plan: BlockPlan?
        for statistic in statistics {
            guard let candidate = BlockPlan(Self.influences(steps, grid, totals, statistic)) else { return nil }
            if candidate.length >= plan?.length ?? 0 { plan = candidate }
        }
        guard let plan else { return nil }
        var counts = [[Double]](repeating: [Double](repeating: 0, count: grid.count), count: plan.count)
        for (step, cells) in steps.enumerated() {
            for cell in cells { counts[plan.block(of: step)][cell.cell] += cell.count }
        }
        (self.plan, self.counts, sampleCount) = (plan, counts, totals.reduce(0, +))
    }

    private static func sum(_ steps: [[CellCount]], _ grid: ValueGrid) -> [Double] {
        var totals = [Double](repeating: 0, count: grid.count)
        for step in steps { for cell in step { totals[cell.cell] += cell.count } }
        return totals
    }

    private static func influences(
        _ steps: [[CellCount]], _ grid: ValueGrid, _ totals: [Double], _ statistic: SampleStatistic
    ) -> [Double] {
        let all = totals.reduce(0, +)
        guard all > 0 else { return [] }
        let weights: [Double]
        switch statistic {
        case .quantile(let share):
            var running = 0.0
            let cumulative = totals.map { total in
                running += total
                return running
            }
            let cell = grid.value(atRank: share * all) { cumulative[$0] }.cell
            // The share that really lies up to this cell, so that the influences add up to 0.
            weights = grid.low.indices.map { ($0 <= cell ? 1 : 0) - cumulative[cell] / all }
        case .mean:
            let values = grid.low.indices.map { (grid.low[$0] + grid.high[$0]) / 2 }
            let mean = zip(values, totals).reduce(0) { $0 + $1.0 * $1.1 } / all
            weights = values.map { $0 - mean }
        }
        return steps.map { $0.reduce(0) { $0 + $1.count * weights[$1.cell] } }
    }
}
