import StentorBase

/// A condition that a run must meet: `<number> <op> <value> [in <phase>]`.
///
///     reply.p99 < 2s in steady        a statistic of a distribution in one phase (default steady)
///     messages.lost == 0              a count over the whole run
///     ready.rate > 99.5%              a share over the whole run
///     reply.p95 drift < 5%/h          the trend of a statistic over the steady phase
///     rss drift < 1MiB/h              the trend of a number of a process
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
        /// The change of a number in a time, in its unit or as a fraction of its median.
        case drift(Drift, isRelative: Bool, per: DriftSpan)

        /// The unit of the number; of a drift, the unit of its change.
        public var unit: Unit {
            switch self {
            case .distribution(let metric, let statistic, _): statistic == .count ? .count : metric.unit
            case .counter: .count
            case .share: .share
            case .drift(let drift, let isRelative, _): isRelative ? .share : drift.unit
            }
        }
    }

    /// A number whose trend is judged.
    public enum Drift: Sendable, Equatable {
        /// A statistic of a distribution in the steady phase; never the number of samples.
        case distribution(Metric, Statistic)
        /// A number of a process.
        case process(ProcessNumber)

        /// The unit of the number.
        public var unit: Unit {
            switch self {
            case .distribution(let metric, _): metric.unit
            case .process(let number): number.unit
            }
        }
    }

    /// The metric whose steady phase must be kept window by window; nil: none.
    var watchedMetric: Metric? {
        if case .drift(.distribution(let metric, _), _, _) = subject { metric } else { nil }
    }

    /// The time that a drift is told for.
    public enum DriftSpan: String, CaseIterable, Sendable {
        /// A minute.
        case minute = "min"
        /// An hour.
        case hour = "h"
        /// A day.
        case day = "d"

        /// How many hours it has.
        public var hours: Double {
            switch self {
            case .minute: 1.0 / 60
            case .hour: 1
            case .day: 24
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

        /// How many samples it needs; with fewer it is not available.
        public var samplesNeeded: UInt64 {
            if case .percentile(let percentile) = self { percentile.samplesNeeded } else { self == .count ? 0 : 1 }
        }

        /// Its value in the unit that is shown; nil when there are too few samples.
        public func value(of distribution: Distribution) -> Double? {
            switch self {
            case .count: Double(distribution.count)
            case .min: distribution.min
            case .mean: distribution.mean
            case .percentile(let percentile): distribution[percentile]
            case .max: distribution.max
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
    /// The measured value in the unit of the number, of a drift the change in the gate's own time; nil without data.
    public let value: Double?
    /// The measured value as people read it: `1.83 s`; `n/a (n=8)` without data.
    public let valueText: String
    /// How many samples, or things counted, stand behind the value; of a drift, how many windows.
    public let count: UInt64
    /// The phase that was judged; nil: the whole run.
    public let phase: Phase?
    /// The outcome.
    public let verdict: Verdict
    /// Why it did not pass, in one sentence; empty when it did.
    public let reason: String
    /// The interval and the windows behind a drift; nil for other gates, and without data.
    public let drift: DriftNumbers?

    /// What stands behind the value of a drift.
    public struct DriftNumbers: Sendable, Equatable {
        /// The lower end of the 95 % confidence interval, in the unit of the value.
        public let low: Double
        /// The upper end.
        public let high: Double
        /// How long a window was.
        public let windowSeconds: Int

        /// Makes the numbers, for instance from a stored report.
        public init(low: Double, high: Double, windowSeconds: Int) {
            (self.low, self.high, self.windowSeconds) = (low, high, windowSeconds)
        }
    }

    /// Makes a result, for instance from a stored report.
    public init(
        expression: String, value: Double?, valueText: String, count: UInt64, phase: Phase?, verdict: Verdict, reason: String,
        drift: DriftNumbers? = nil
    ) {
        (self.expression, self.value, self.valueText, self.count) = (expression, value, valueText, count)
        (self.phase, self.verdict, self.reason, self.drift) = (phase, verdict, reason, drift)
    }
}
