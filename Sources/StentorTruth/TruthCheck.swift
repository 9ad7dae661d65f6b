import StentorBase
import StentorReport

/// Compares runs of models many times, and counts how often the comparison is right.
public struct TruthCheck: Sendable {
    /// How often one number was right.
    public struct Row: Sendable, Equatable {
        /// The number.
        public let name: String
        /// Comparisons with an interval.
        public var count = 0
        /// Intervals that held the true difference.
        public var covered = 0
        /// Verdicts *better*.
        public var better = 0
        /// Verdicts *worse*.
        public var worse = 0
    }

    /// What it is called in tables.
    public let name: String
    /// Whether there is no true difference, so that every verdict but *no difference shown* is wrong.
    public let isNull: Bool
    /// By number, in the order of the comparison.
    public private(set) var rows: [Row] = []
    /// Comparisons with at least one verdict *better* or *worse*.
    public private(set) var comparisonsWithVerdict = 0
    /// How many comparisons were made.
    public private(set) var comparisons = 0

    private let base: ModelGateway
    private let candidate: ModelGateway
    private let runs: Int

    /// Names a check; nothing is compared yet.
    ///
    /// - Parameter runs: How many runs a side.
    public init(_ name: String, base: ModelGateway, candidate: ModelGateway, runs: Int) {
        (self.name, self.base, self.candidate, self.runs, isNull) = (name, base, candidate, runs, base == candidate)
    }

    /// What is verified: a known difference and none, one run and three runs a side; and what happens when runs differ by themselves and there is
    /// only one of each.
    public static var standard: [TruthCheck] {
        let base = ModelGateway()
        var candidate = base
        (candidate.replySeconds, candidate.downSeconds, candidate.lostShare) = (base.replySeconds * 1.1, 5, 0.01)
        var restless = (base: base, candidate: candidate)
        (restless.base.runSpread, restless.candidate.runSpread) = (0.03, 0.03)
        return [
            TruthCheck("difference, 1 run a side", base: base, candidate: candidate, runs: 1),
            TruthCheck("no difference, 1 run a side", base: base, candidate: base, runs: 1),
            TruthCheck("difference, 3 runs a side that differ by 3 %", base: restless.base, candidate: restless.candidate, runs: 3),
            TruthCheck("no difference, 3 runs a side that differ by 3 %", base: restless.base, candidate: restless.base, runs: 3),
            TruthCheck("no difference, 1 run a side, runs differ by 3 %", base: restless.base, candidate: restless.base, runs: 1),
        ]
    }

    /// Compares so many times.
    ///
    /// - Parameters:
    ///   - count: How many comparisons, seeded 0 ..< count.
    ///   - replicates: How often each draws its blocks.
    ///   - truthRuns: From how many runs the truth is taken; fewer are faster and less true.
    public mutating func run(_ count: Int, replicates: Int, truthRuns: Int = 1000) {
        let truth = (base: ModelTruth(base, runs: truthRuns), candidate: ModelTruth(candidate, runs: truthRuns))
        for seed in 0..<count {
            func group(_ gateway: ModelGateway, _ side: Int) -> [RunMeasurements] {
                (0..<runs).map { gateway.run(seed: UInt64(seed * 100 + side * 10 + $0 + 1), name: "\(seed)-\(side)-\($0)") }
            }
            let comparison = Comparison(base: group(base, 0), candidate: group(candidate, 1), replicates: replicates)
            comparisons += 1
            if !(comparison.better.isEmpty && comparison.worse.isEmpty) { comparisonsWithVerdict += 1 }
            for number in comparison.numbers { take(number, comparison.outages.first?.horizonSeconds ?? 0, truth) }
        }
    }

    private mutating func take(_ number: NumberComparison, _ horizon: Double, _ truth: (base: ModelTruth, candidate: ModelTruth)) {
        guard let finding = number.finding, let before = truth.base.value(number.name, horizon: horizon),
            let after = truth.candidate.value(number.name, horizon: horizon)
        else { return }
        let index =
            rows.firstIndex { $0.name == number.name }
            ?? {
                rows.append(Row(name: number.name))
                return rows.count - 1
            }()
        rows[index].count += 1
        if finding.difference.low <= after - before, after - before <= finding.difference.high { rows[index].covered += 1 }
        if finding.verdict == .better { rows[index].better += 1 }
        if finding.verdict == .worse { rows[index].worse += 1 }
    }

    /// The table as it is printed.
    public var text: String {
        var lines = ["\(name): \(comparisons) comparisons, \(comparisonsWithVerdict) with a verdict 'better' or 'worse'"]
        lines.append("  " + Self.cells("number", "covered", "better", "worse"))
        for row in rows { lines.append("  " + Self.cells(row.name, "\(row.covered)/\(row.count)", "\(row.better)", "\(row.worse)")) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cells(_ name: String, _ numbers: String...) -> String {
        numbers.reduce(name + String(repeating: " ", count: max(0, 28 - name.count))) { line, number in
            line + String(repeating: " ", count: max(1, 10 - number.count)) + number
        }
    }
}

extension TruthCheck {
    /// What is not as promised: intervals that hold the truth in less than 90 % or more than 99 % of the comparisons, and with no true difference
    /// a verdict in more than 8 %, of any number or of the whole comparison.
    public var faults: [String] {
        var faults = rows.compactMap { row -> String? in
            let share = Double(row.covered) / Double(row.count)
            // Where both sides never have an event, every interval holds 0.
            guard row.name != "messages.lost" && row.name != "messages.answered_rate" || !isNull else { return nil }
            return (0.9...0.99).contains(share) ? nil : "\(name): \(row.name) covers the truth in \(row.covered) of \(row.count)"
        }
        guard isNull else { return faults }
        faults += rows.filter { Double($0.better + $0.worse) > 0.08 * Double($0.count) }.map {
            "\(name): \($0.name) has a verdict in \($0.better + $0.worse) of \($0.count)"
        }
        if Double(comparisonsWithVerdict) > 0.08 * Double(comparisons) {
            faults.append("\(name): \(comparisonsWithVerdict) of \(comparisons) comparisons have a verdict")
        }
        return faults
    }
}
