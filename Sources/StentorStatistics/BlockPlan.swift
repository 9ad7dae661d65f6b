import StentorBase

/// How a series is cut into blocks that can be drawn as if they were independent.
public struct BlockPlan: Sendable, Equatable {
    /// Steps of the series in a block.
    public let length: Int
    /// How many blocks there are; the last one may be up to half longer or shorter.
    public let count: Int
    /// The integrated autocorrelation time that the length comes from, in steps.
    public let autocorrelationTime: Double

    /// The fewest blocks that an interval is made from.
    public static let blocksNeeded = 6

    /// Plans the blocks of a series.
    ///
    /// A block is as long as four autocorrelation times, and at least as long as the cube root of the series (the order that Künsch 1989
    /// and Hall, Horowitz and Jing 1995 give); where that leaves fewer than 12 blocks, it is shortened, but never below one
    /// autocorrelation time; ``varianceShare`` makes good for it.
    ///
    /// - Returns: Nil when there would be fewer than ``blocksNeeded``: the series is too short for what it remembers.
    public init?(_ series: [Double]) {
        let n = Double(series.count)
        let time = Autocorrelation.time(series)
        let wanted = max(4 * time, FloatingPointMath.power(n, 1.0 / 3))
        let least = time > 1.5 ? time : 1
        let length = max(1, Int(max(least, min(wanted, n / 12)).rounded(.up)))
        let count = Int((n / Double(length)).rounded())
        guard count >= Self.blocksNeeded else { return nil }
        (self.length, self.count, autocorrelationTime) = (length, count, time)
    }

    /// How much of the true variance draws of these blocks have: they are few, m, and know no memory beyond their length L.
    ///
    /// (1 − 1/m) · (1 − (τ² − 1) / (2 τ L)); the second factor is exact for an AR(1) process.
    public var varianceShare: Double {
        let cut = (autocorrelationTime * autocorrelationTime - 1) / (2 * autocorrelationTime * Double(length))
        return (1 - 1 / Double(count)) * max(0.5, 1 - cut)
    }

    /// Which block a step belongs to.
    public func block(of step: Int) -> Int { min(step / length, count - 1) }
}
