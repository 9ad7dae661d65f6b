import StentorBase

/// The places at which the level of a series changes for good, as opposed to single odd values.
///
/// A stretch is split where one end, or a part within it, differs most in its mean rank from the rest: a step, or a rise that is taken back.
/// Each is judged by a permutation test (Phipson and Smyth 2010), and what lies between the changes is searched in turn. Of a series
/// without a change these two tests alone decide, so that at most ``significance`` of such series have any change named. Correlation of
/// neighbours shrinks the observed difference first. `Docs/statistics.md` has the formulas, how often it errs, and what it can see.
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
    public static let valuesNeeded = 12
    /// The share of series without a change that have one named, at most.
    public static let significance = 0.01
    /// No change is named within fewer values than these of an end or of another change: a single odd value is none.
    public static let shortestStretch = 3
    /// Random orders that a split is compared with.
    private static let shuffles = 1999

    /// Searches a series, whose values stand in the order of time.
    ///
    /// The same values give the same changes in every run. Takes time with the square of the number of values: a second or two for a
    /// thousand with a change, far less without.
    ///
    /// - Returns: Nil with fewer than ``valuesNeeded`` values: nothing can be said.
    public init?(_ values: [Double]) {
        guard values.count >= Self.valuesNeeded else { return nil }
        var found: [(index: Int, probability: Double)] = []
        var open = [values.indices]
        while let stretch = open.popLast() {
            guard let (places, probability) = Self.breaks(values[stretch]) else { continue }
            found += places.map { ($0, probability) }
            let borders = [stretch.lowerBound] + places + [stretch.upperBound]
            open += zip(borders, borders.dropFirst()).map { $0..<$1 }
        }
        found.sort { $0.index < $1.index }
        let borders = [0] + found.map(\.index) + [values.count]
        let levels = zip(borders, borders.dropFirst()).map { Self.median(values[$0..<$1]) }
        changes = found.enumerated().map { place, split in
            Change(index: split.index, before: levels[place], after: levels[place + 1], probability: split.probability)
        }
    }

    /// Where one stretch breaks: at one place, or at two with one level outside and another between them; nil when neither is shown.
    private static func breaks(_ values: ArraySlice<Double>) -> (places: [Int], probability: Double)? {
        guard values.count >= valuesNeeded else { return nil }
        var ranks = centredRanks(Array(values))
        // From the series itself, so that the luck of one set of orders is not that of all series.
        var random = SeededRandom(seed: ranks.reduce(0) { SplitMix64.mixed($0 &+ $1.bitPattern) })
        let best = [largestStep(ranks), largestBump(ranks)]
        let observed = best.map { $0.statistic * shrinkage(ranks, within: $0.range) }
        var reached = observed.map { $0 > 0 ? 1 : shuffles }
        // Two tests share the significance.
        let bound = Int(significance / 2 * Double(shuffles + 1))
        for _ in 0..<shuffles where reached.contains(where: { $0 <= bound }) {
            ranks.shuffle(using: &random)
            // Equal sums in another order may differ in their last digits.
            if reached[0] <= bound, largestStep(ranks).statistic >= observed[0] * (1 - 1e-9) { reached[0] += 1 }
            if reached[1] <= bound, largestBump(ranks).statistic >= observed[1] * (1 - 1e-9) { reached[1] += 1 }
        }
        guard let shape = reached.firstIndex(where: { $0 <= bound }) else { return nil }
        let range = best[shape].range
        let places = [range.lowerBound, range.upperBound].filter { $0 > 0 && $0 < values.count }
        return (places.map { values.startIndex + $0 }, 2 * Double(reached[shape]) / Double(shuffles + 1))
    }

    private typealias Candidate = (range: Range<Int>, statistic: Double)

    /// The end of the series whose mean rank differs most from the rest's, squared and standardised but for a factor that all share.
    private static func largestStep(_ ranks: [Double]) -> Candidate {
        var best: Candidate = (0..<0, 0)
        var sum = 0.0
        for place in 1...(ranks.count - shortestStretch) {
            sum += ranks[place - 1]
            guard place >= shortestStretch else { continue }
            let statistic = sum * sum / Double(place * (ranks.count - place))
            if statistic > best.statistic { best = (place..<ranks.count, statistic) }
        }
        return best
    }

    /// The same of a stretch with others on both sides.
    private static func largestBump(_ ranks: [Double]) -> Candidate {
        var best: Candidate = (0..<0, 0)
        let count = ranks.count
        guard count >= 3 * shortestStretch else { return best }
        for start in shortestStretch...(count - 2 * shortestStretch) {
            var sum = 0.0
            for end in start + 1...count - shortestStretch {
                sum += ranks[end - 1]
                guard end - start >= shortestStretch else { continue }
                let statistic = sum * sum / Double((end - start) * (count - end + start))
                if statistic > best.statistic { best = (start..<end, statistic) }
            }
        }
        return best
    }

    /// By how much correlated neighbours inflate the square: (1 − ρ) / (1 + ρ), ρ from the ranks around the means in and outside a range.
    private static func shrinkage(_ ranks: [Double], within range: Range<Int>) -> Double {
        let inside = ranks[range].reduce(0, +)
        // The ranks are centred: what is outside sums up to the opposite.
        let means = (inside / Double(range.count), -inside / Double(ranks.count - range.count))
        let residuals = ranks.enumerated().map { $1 - (range.contains($0) ? means.0 : means.1) }
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
