import StentorMetrics
import StentorStatistics

/// Two groups of runs beside each other: all that `stentor compare` says, as values to be rendered.
public struct Comparison: Sendable {
    /// The runs of the base.
    public let base: [ComparedRun]
    /// The runs of the candidate.
    public let candidate: [ComparedRun]
    /// Whether both sides are one version, so that every difference is noise.
    public let isCalibration: Bool
    /// In what the runs are not alike; not empty only when the user insisted.
    public let unlike: [Unlikeness]
    /// What the reader must know to read the rest, a sentence each.
    public let remarks: [String]
    /// All numbers, in the order in which they are shown; those that both sides have no sample of are left out.
    public let numbers: [NumberComparison]
    /// The outages that both sides have, matched by name and order.
    public let outages: [OutageComparison]

    /// How many numbers were judged together; Holm's method allows for that many.
    public var judgedCount: Int { numbers.count { $0.finding?.verdict != nil } }
    /// The numbers that got worse.
    public var worse: [NumberComparison] { numbers.filter { $0.finding?.verdict == .worse } }
    /// The numbers that got better.
    public var better: [NumberComparison] { numbers.filter { $0.finding?.verdict == .better } }
}

/// What is said of a number.
public enum ComparisonVerdict: String, Sendable {
    /// The candidate is better, by more than chance explains.
    case better
    /// The candidate is worse, by more than chance explains.
    case worse
    /// Chance alone may have made the difference; a smaller one than ``Finding/smallestShown`` could not have been told.
    case noDifferenceShown = "no difference shown"
}

/// One number on both sides.
public struct NumberComparison: Sendable {
    /// The number on one side.
    public struct Side: Sendable, Equatable {
        /// Its value over all runs of the side, in the number's unit; nil when there are too few samples.
        public let value: Double?
        /// How many samples, or things that could have happened, it comes from.
        public let count: Double
        /// The value of each run, in the order of the runs; nil where a run has too few samples.
        public let byRun: [Double?]
        /// How many events of `count`; nil for statistics of samples.
        public let events: Int?
    }

    /// How the difference was judged.
    public enum Method: Sendable, Equatable {
        /// Block bootstrap over the intervals: the longest block and autocorrelation time of all runs, in seconds.
        case blockBootstrap(blockSeconds: Double, autocorrelationSeconds: Double)
        /// Wilson's and Newcombe's score intervals, with the variance as many times that of independent events.
        case score(dispersion: Double)
        /// The exact conditional test of two counts, divided by how many times their variance is that of independent events.
        case exact(dispersion: Double)
        /// The area below survival curves.
        case restrictedMean(upToSeconds: Double)
        /// Where survival curves cross one half.
        case median
        /// Means over devices.
        case deviceMean
    }

    /// As gates write it, for instance `reply.p99`, `usable.p50 in ramp`, `messages.lost`; of an outage `reconnect.median of mass drop`.
    public let name: String
    /// What it is measured in.
    public let unit: Unit
    /// Which way it is better.
    public let better: Direction
    /// Whether it takes part in the verdict; otherwise it is the generator's own, or a part or twin of another number.
    public let isJudged: Bool
    /// The base.
    public let base: Side
    /// The candidate.
    public let candidate: Side
    /// What came out; nil when it cannot be compared, and ``missing`` says why.
    public let finding: Finding?
    /// Why there is no finding; nil when there is one.
    public let missing: String?
}

/// What came out for one number.
public struct Finding: Sendable {
    /// How large a difference is, whatever its unit.
    public enum Effect: Sendable, Equatable {
        /// P(candidate > base) − P(candidate < base) of all samples, −1...1.
        case cliffsDelta(Double)
        /// Of two shares, −π...π.
        case cohensH(Double)
        /// How many times as fast the candidate's devices return.
        case paceRatio(Double)
    }

    /// Candidate less base with its 95 % interval, in the number's unit.
    public let difference: Estimate
    /// The difference by the base's value; nil when that is 0.
    public let relative: Double?
    /// The effect size; nil when it does not exist.
    public let effect: Effect?
    /// The chance of such a difference if there is none.
    public let p: Double
    /// The same, allowing for the many numbers (Holm); nil when the number is not judged.
    public let adjustedP: Double?
    /// The verdict; nil when neither way is better, or another number says the same.
    public let verdict: ComparisonVerdict?
    /// The smallest difference that could have been seen, in the number's unit: shown 8 times of 10, among so many numbers. For exact
    /// counts: the least that would be shown. Nil when none could be.
    public let smallestShown: Double?
    /// The standard deviation between runs of a side, the noise floor, in the number's unit; nil when no side has two runs.
    public let runDeviation: Double?
    /// How it was judged.
    public let method: NumberComparison.Method
}
