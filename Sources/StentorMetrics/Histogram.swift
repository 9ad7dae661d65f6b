/// Counts values in log-linear buckets: constant memory, exact count, sum, minimum and maximum, and percentiles with a stated error.
///
/// Values 0...255 have a bucket each; above, every octave is cut into 128 buckets of equal width, so a bucket is never wider than
/// 1/128 of its lower end. A reported percentile is the highest value of its bucket (never beyond the maximum): **never below the
/// true value, and at most 0.79 % above it** (1/128). The buckets are those of HdrHistogram with two significant digits, so an
/// interval can be written in its log format without loss.
///
/// Nothing is allocated before the first value; then memory follows the range between the smallest and the largest value, 1 KiB an
/// octave, at most 56 KiB. Copies share storage until one of them changes. Recording takes a few nanoseconds.
public struct Histogram: Sendable, Equatable {
    /// The largest value that can be recorded: 2⁶² − 1 (146 years in nanoseconds).
    public static let maximumValue: UInt64 = 1 << 62 - 1
    /// The greatest relative error of a reported percentile: 1/128.
    public static let relativeError = 1.0 / 128
    /// How many buckets the whole range has.
    public static let bucketCount = (62 - 7 + 1) * 128

    /// How many values were recorded.
    public private(set) var count: UInt64 = 0
    /// How many values were beyond ``maximumValue``; they are in no other number.
    public private(set) var outOfRange: UInt64 = 0
    private var total: UInt128 = 0
    private var smallest = UInt64.max
    private var largest: UInt64 = 0
    /// Counts of the buckets `firstIndex ..< firstIndex + buckets.count`; both ends are multiples of ``octave``.
    private var buckets: [UInt64] = []
    private var firstIndex = 0

    private static let octave = 128

    /// Makes an empty histogram, without memory of its own.
    public init() {}

    /// Makes a histogram of what another one held; the buckets rise, and there is at least one.
    init(buckets: some Collection<(index: Int, count: UInt64)>, count: UInt64, sum: UInt128, min: UInt64, max: UInt64) {
        cover(Self.index(of: min)...Self.index(of: max))
        for bucket in buckets { self.buckets[bucket.index - firstIndex] = bucket.count }
        (self.count, total, smallest, largest) = (count, sum, min, max)
    }

    /// Whether nothing was recorded, in or out of range.
    public var isEmpty: Bool { count == 0 && outOfRange == 0 }
    /// The smallest value, exactly; nil when there is none.
    public var min: UInt64? { count == 0 ? nil : smallest }
    /// The largest value, exactly; nil when there is none.
    public var max: UInt64? { count == 0 ? nil : largest }
    /// The sum of all values, exactly.
    public var sum: UInt128 { total }
    /// The mean, to the precision of a `Double`; nil when there is no value.
    public var mean: Double? { count == 0 ? nil : Double(total) / Double(count) }

    /// Records a value once.
    ///
    /// - Returns: False when it is beyond ``maximumValue``: it is then counted in ``outOfRange`` only.
    @discardableResult
    public mutating func record(_ value: UInt64) -> Bool {
        record(value, times: 1)
    }

    /// Records a value several times; 0 times changes nothing.
    ///
    /// - Returns: False when it is beyond ``maximumValue``: `times` is then added to ``outOfRange`` only.
    @discardableResult
    public mutating func record(_ value: UInt64, times: UInt64) -> Bool {
        guard value <= Self.maximumValue else {
            outOfRange += times
            return false
        }
        guard times > 0 else { return true }
        let index = Self.index(of: value)
        // One comparison for both ends: an index below the first one wraps around to a huge slot.
        if UInt(bitPattern: index &- firstIndex) >= UInt(bitPattern: buckets.count) { cover(index...index) }
        buckets[index &- firstIndex] += times
        count += times
        total += UInt128(value) * UInt128(times)
        if value < smallest { smallest = value }
        if value > largest { largest = value }
        return true
    }

    /// Adds all values of another histogram: the result is as if they had been recorded here.
    public mutating func merge(_ other: Histogram) {
        outOfRange += other.outOfRange
        guard other.count > 0 else { return }
        guard count > 0 || !buckets.isEmpty else {
            let unreadable = outOfRange
            self = other
            outOfRange = unreadable
            return
        }
        cover(other.firstIndex...other.firstIndex + other.buckets.count - 1)
        let offset = other.firstIndex - firstIndex
        for (index, times) in other.buckets.enumerated() { buckets[offset + index] += times }
        count += other.count
        total += other.total
        smallest = Swift.min(smallest, other.smallest)
        largest = Swift.max(largest, other.largest)
    }

    /// Forgets all values and keeps the memory for the next ones.
    public mutating func clear() {
        guard !isEmpty else { return }
        for index in buckets.indices { buckets[index] = 0 }
        (count, outOfRange, total, smallest, largest) = (0, 0, 0, .max, 0)
    }

    /// Whether two histograms hold the same values, whatever memory they have.
    public static func == (left: Histogram, right: Histogram) -> Bool {
        guard left.count == right.count, left.outOfRange == right.outOfRange, left.total == right.total else { return false }
        guard left.smallest == right.smallest, left.largest == right.largest else { return false }
        return left.nonZeroBuckets.elementsEqual(right.nonZeroBuckets) { $0 == $1 }
    }

    /// The buckets that hold values, in rising order, with their index in 0 ..< ``bucketCount`` and their count.
    public var nonZeroBuckets: some Sequence<(index: Int, count: UInt64)> {
        let first = firstIndex
        return buckets.lazy.enumerated().filter { $0.element > 0 }.map { (index: first + $0.offset, count: $0.element) }
    }

    /// The value at a quantile, by nearest rank: the ⌈`quantile` · count⌉-th smallest value (the first for 0).
    ///
    /// - Parameter quantile: 0...1; other values are clamped.
    /// - Returns: The highest value of the bucket that holds the rank, at most the maximum; nil when there is no value.
    public func value(atQuantile quantile: Double) -> UInt64? {
        guard count > 0 else { return nil }
        // The product is nudged down, so that a quantile such as 0.95 does not round up to the next rank.
        let product = (Swift.min(Swift.max(quantile, 0), 1) * Double(count)) * (1 - 0x1p-50)
        return value(atRank: Swift.max(1, UInt64(product.rounded(.up))))
    }

    /// The value at a percentile; nil when there are fewer than ``Percentile/samplesNeeded`` values.
    public func percentile(_ percentile: Percentile) -> UInt64? {
        guard count >= percentile.samplesNeeded else { return nil }
        // Whole numbers: no rounding can move the rank.
        let rank = (UInt128(count) * UInt128(percentile.perMille) + 999) / 1000
        return value(atRank: UInt64(rank))
    }

    /// How many values are in buckets that lie wholly at or below each bound: cumulative counts for `le` buckets.
    ///
    /// A value less than 1/128 below a bound may count for the next bound only, because its bucket straddles this one.
    ///
    /// - Parameter bounds: Rising bounds.
    /// - Returns: One count per bound.
    public func counts(upTo bounds: [UInt64]) -> [UInt64] {
        var result: [UInt64] = []
        result.reserveCapacity(bounds.count)
        var running: UInt64 = 0
        var at = 0
        for bound in bounds {
            while at < buckets.count, Self.highestValue(ofBucket: firstIndex + at) <= bound {
                running += buckets[at]
                at += 1
            }
            result.append(bound >= largest ? count : running)
        }
        return result
    }

    /// The lowest value of a bucket, 0 ..< ``bucketCount``.
    public static func lowestValue(ofBucket index: Int) -> UInt64 {
        let shift = Swift.max(0, index / octave - 1)
        return UInt64(index - shift * octave) << UInt64(shift)
    }

    /// The highest value of a bucket, 0 ..< ``bucketCount``.
    public static func highestValue(ofBucket index: Int) -> UInt64 {
        let shift = Swift.max(0, index / octave - 1)
        return lowestValue(ofBucket: index) + (1 << UInt64(shift)) - 1
    }

    private static func index(of value: UInt64) -> Int {
        // 8 significant bits remain: shift 0 below 256, then one more for each octave.
        let shift = Swift.max(0, 56 - value.leadingZeroBitCount)
        return shift * octave + Int(truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: shift))
    }

    private func value(atRank rank: UInt64) -> UInt64 {
        var running: UInt64 = 0
        for (offset, times) in buckets.enumerated() {
            running += times
            if running >= rank { return Swift.min(Self.highestValue(ofBucket: firstIndex + offset), largest) }
        }
        return largest
    }

    /// Makes the memory cover a range of buckets, in whole octaves.
    private mutating func cover(_ range: ClosedRange<Int>) {
        let low = range.lowerBound / Self.octave * Self.octave
        let high = (range.upperBound / Self.octave + 1) * Self.octave
        guard !buckets.isEmpty else {
            firstIndex = low
            buckets = [UInt64](repeating: 0, count: high - low)
            return
        }
        let end = firstIndex + buckets.count
        if high > end { buckets.append(contentsOf: repeatElement(0, count: high - end)) }
        if low < firstIndex {
            buckets.insert(contentsOf: repeatElement(0, count: firstIndex - low), at: 0)
            firstIndex = low
        }
    }
}
