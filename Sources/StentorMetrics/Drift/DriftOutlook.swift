/// The windows that a gate on a drift will have, worked out before a run.
public struct DriftOutlook: Sendable, Equatable {
    /// How many windows there will be at most: outages take from the steady phase.
    public let windows: Int
    /// How many steady seconds make a window.
    public let windowSeconds: Int
    /// Whether they are enough for a trend.
    public var isEnough: Bool { windows >= Self.windowsNeeded }

    /// The fewest windows that a trend is estimated from.
    public static var windowsNeeded: Int { Trend.pointsNeeded }

    /// Works them out as a run makes them: windows are doubled when there are too many, and joined in pairs for their samples.
    ///
    /// - Parameters:
    ///   - steadySeconds: How long the steady phase lasts.
    ///   - samplesPerSecond: Samples of a distribution that come in a second; nil for a number of a process, or when it is not known.
    public init(of drift: Gate.Drift, steadySeconds: Int, samplesPerSecond: Double?) {
        var seconds = 1
        while steadySeconds / seconds >= WindowSeries<Nothing>.capacity { seconds *= 2 }
        var windows = steadySeconds / seconds
        if case .distribution(_, let statistic) = drift, let samplesPerSecond {
            while windows / 2 >= Trend.pointsNeeded, samplesPerSecond * Double(seconds) < Double(statistic.samplesNeeded) {
                (windows, seconds) = (windows / 2, seconds * 2)
            }
            if samplesPerSecond * Double(seconds) < Double(statistic.samplesNeeded) { windows = 0 }
        }
        (self.windows, windowSeconds) = (windows, seconds)
    }

    private struct Nothing: WindowContent {
        mutating func merge(_ later: Nothing) {}
    }
}
