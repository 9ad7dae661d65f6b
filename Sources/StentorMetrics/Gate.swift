import StentorBase

/// A condition that a run must meet: `<number> <op> <value> [in <phase>]`.
///
///     reply.p99 < 2s in steady        a statistic of a distribution in one phase (default steady)
///     messages.lost == 0              a count over the whole run
///     ready.rate > 99.5%              a share over the whole run
///
/// Statistics: count, min, mean, p50, p90, p95, p99, p999, max. Operators: `<` `<=` `>` `>=` `==` `!=`. The value has the unit of the
/// number. A gate without data does not hold.
public struct Gate: Sendable, Equatable {
    /// What is compared.
    public enum Subject: Sendable, Equatable {
        /// A statistic of a distribution in a phase.
        case distribution(Metric, Statistic, Phase)
        /// A count over the whole run.
        case counter(Counter)
        /// A share over the whole run.
        case share(Share)

        /// The unit of the number.
        public var unit: Unit {
            switch self {
            case .distribution(let metric, let statistic, _): statistic == .count ? .count : metric.unit
            case .counter: .count
            case .share: .share
            }
        }
    }

    /// A statistic of a distribution.
    public enum Statistic: Sendable, Equatable {
        /// The number of samples.
        case count
        /// The smallest sample.
        case min
        /// The mean.
        case mean
        /// A percentile.
        case percentile(Percentile)
        /// The largest sample.
        case max

        /// All of them, in the order of their documentation.
        public static let all: [Statistic] = [.count, .min, .mean] + Percentile.allCases.map { .percentile($0) } + [.max]

        /// The name in gates.
        public var name: String {
            switch self {
            case .count: "count"
            case .min: "min"
            case .mean: "mean"
            case .percentile(let percentile): percentile.rawValue
            case .max: "max"
            }
        }
    }

    /// A comparison.
    public enum Operator: String, CaseIterable, Sendable {
        /// Less than.
        case less = "<"
        /// At most.
        case lessOrEqual = "<="
        /// More than.
        case greater = ">"
        /// At least.
        case greaterOrEqual = ">="
        /// Exactly.
        case equal = "=="
        /// Not exactly.
        case notEqual = "!="

        /// Whether `left` stands so to `right`.
        public func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .less: left < right
            case .lessOrEqual: left <= right
            case .greater: left > right
            case .greaterOrEqual: left >= right
            case .equal: left == right
            case .notEqual: left != right
            }
        }
    }

    /// The gate as it was written, blanks made even: its name in reports.
    public let expression: String
    /// What is compared.
    public let subject: Subject
    /// How.
    public let comparison: Operator
    /// With what, in the unit of ``Subject/unit``: seconds, bytes, a number, a fraction.
    public let threshold: Double
}

/// How a gate was judged.
public struct GateResult: Sendable, Equatable {
    /// The outcome of one gate.
    public enum Verdict: String, Sendable {
        /// It held.
        case pass
        /// It did not hold.
        case fail
        /// There was nothing to judge; counts as failed.
        case noData = "no_data"
    }

    /// The gate as it was written.
    public let expression: String
    /// The measured value in the unit of the number; nil without data.
    public let value: Double?
    /// The measured value as people read it: `1.83 s`; `n/a (n=8)` without data.
    public let valueText: String
    /// How many samples, or things counted, stand behind the value.
    public let count: UInt64
    /// The phase that was judged; nil: the whole run.
    public let phase: Phase?
    /// The outcome.
    public let verdict: Verdict
    /// Why it did not pass, in one sentence; empty when it did.
    public let reason: String

    /// Makes a result, for instance from a stored report.
    public init(
        expression: String, value: Double?, valueText: String, count: UInt64, phase: Phase?, verdict: Verdict, reason: String
    ) {
        (self.expression, self.value, self.valueText, self.count) = (expression, value, valueText, count)
        (self.phase, self.verdict, self.reason) = (phase, verdict, reason)
    }
}
