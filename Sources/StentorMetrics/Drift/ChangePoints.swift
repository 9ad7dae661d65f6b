import StentorBase

/// The places at which the level of a series changes for good, as opposed to single odd values.
///
/// Binary segmentation: the split of a stretch with the largest standardised difference of mean ranks (Pettitt, Applied Statistics 28,
/// 1979, here divided by its standard deviation at each place) is judged by a permutation test (Phipson and Smyth 2010), and both sides are
/// searched in turn. Of a series without a change, the first test alone decides, so that at most ``significance`` of such series have any
/// change named. Correlation of neighbours shrinks the observed difference first. `Docs/statistics.md` has the formulas, how often it
/// errs, and what it can see.
public struct ChangePoints: Sendable, Equatable {
    /// One change of the level.
    public struct Change: Sendable, Equatable {
        /// The index of the first value on the new level.
        public let index: Int
        /// The median from the change before it (or the start) up to this one.
        public let before: Double
        /// The median from this change up to the next one (or the end).
        public let after: Double
        /// How probable so large a difference would be without a change, 0.001...0.01.
        public let probability: Double
    }

    /// The changes in the order of the series; empty: none is shown.
    public let changes: [Change]

    /// The fewest values that are searched.
    public static let valuesNeeded = 10
    /// The share of series without a change that have one named, at most.
    public static let significance = 0.01
    /// No change is named within fewer values than these of an end or of another change: a single odd value is none.
    public static let shortestStretch = 3
    /// Random orders that a split is compared with.
    private static let shuffles = 999

    /// Searches a series, whose values stand in the order of time.
    ///
    /// The same values give the same changes in every run. Takes time with a thousand times the number of values.
    ///
    /// - Returns: Nil with fewer than ``valuesNeeded`` values: nothing can be said.
    public init?(_ values: [Double]) {
        guard values.count >= Self.valuesNeeded else { return nil }
        var found: [(index: Int, probability: Double)] = []
        var open = [values.indices]
        var random = SeededRandom(seed: 1979)
        while let stretch = open.popLast() {
            guard let split = Self.split(values[stretch], &random) else { continue }
            found.append(split)
            open += [stretch.lowerBound..<split.index, split.index..<stretch.upperBound]
        }
        found.sort { $0.index < $1.index }
        let borders = [0] + found.map(\.index) + [values.count]
        let levels = zip(borders, borders.dropFirst()).map { Self.median(values[$0..<$1]) }
        changes = found.enumerated().map { place, split in
            Change(index: split.index, before: levels[place], after: levels[place + 1], probability: split.probability)
        }
    }

    private static func split(_ values: ArraySlice<Double>, _ random: inout SeededRandom) -> (index: Int, probability: Double)? {
        guard values.count >= valuesNeeded else { return nil }
        var ranks = centredRanks(Array(values))
        let (place, statistic) = largest(ranks)
        let observed = statistic * shrinkage(ranks, at: place)
        guard observed > 0 else { return nil }
        let bound = Int(significance * Double(shuffles + 1))
        var reached = 1
        for _ in 0..<shuffles {
            ranks.shuffle(using: &random)
            // Equal sums in another order may differ in their last digits.
            if largest(ranks).statistic >= observed * (1 - 1e-9) { reached += 1 }
            if reached > bound { return nil }
        }
        return (values.startIndex + place, Double(reached) / Double(shuffles + 1))
    }

    /// The split whose squared standardised difference of mean ranks is largest; the factor that all splits share is left out.
    private static func largest(_ ranks: [Double]) -> (place: Int, statistic: Double) {
        var best = (place: 0, statistic: 0.0)
        var sum = 0.0
        for place in 1...(ranks.count - shortestStretch) {
            sum += ranks[place - 1]
            guard place >= shortestStretch else { continue }
            let statistic = sum * sum / Double(place * (ranks.count - place))
            if statistic > best.statistic { best = (place, statistic) }
        }
        return best
    }

    /// By how much correlated neighbours inflate the square: (1 − ρ) / (1 + ρ), ρ from the ranks around the means of both sides.
    private static func shrinkage(_ ranks: [Double], at place: Int) -> Double {
        let means = [ranks[..<place], ranks[place...]].map { $0.reduce(0, +) / Double($0.count) }
        let residuals = ranks.enumerated().map { $1 - means[$0 < place ? 0 : 1] }
        let variance = residuals.reduce(0) { $0 + $1 * $1 }
        guard variance > 0 else { return 1 }
        let covariance = zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
        let count = Double(ranks.count)
        // Two means bias the correlation by about −(2 + 4ρ)/n, as the line of a trend does (Marriott and Pope 1954). Less its standard
        // error: half of all series without correlation show some, and a clear step must not be lost to it.
        let estimate = (count * covariance / variance + 2) / (count - 4) - 1 / FloatingPointMath.squareRoot(count)
        let correlation = min(0.9, max(0, estimate))
        return (1 - correlation) / (1 + correlation)
    }

    /// Ranks, equal values sharing their mean rank, less the mean of all.
    private static func centredRanks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            let end = order[start...].firstIndex { values[$0] != values[order[start]] } ?? order.count
            for index in order[start..<end] { ranks[index] = Double(start + end - order.count) / 2 }
            start = end
        }
        return ranks
    }

    private static func median(_ values: ArraySlice<Double>) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
