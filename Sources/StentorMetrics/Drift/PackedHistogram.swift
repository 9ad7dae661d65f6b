/// A histogram in as little memory as its samples need, for the many that a series of windows keeps: 8 bytes a bucket that holds something.
///
/// A window of a quiet metric has a few samples over many octaves, and a ``Histogram`` keeps the empty buckets between them.
struct PackedHistogram: Sendable, Equatable {
    /// Index of a bucket in the upper 16 bits, its count in the lower 48; rising.
    private var entries: [UInt64] = []
    private(set) var count: UInt64 = 0
    private var total: UInt128 = 0
    private var smallest = UInt64.max
    private var largest: UInt64 = 0

    private static let countBits = UInt64(48)
    private static let countMask = (UInt64(1) << countBits) - 1

    init() {}

    init(_ histogram: Histogram) {
        guard let min = histogram.min, let max = histogram.max else { return }
        entries = histogram.nonZeroBuckets.map { UInt64($0.index) << Self.countBits | Swift.min($0.count, Self.countMask) }
        (count, total, smallest, largest) = (histogram.count, histogram.sum, min, max)
    }

    /// The histogram with its room.
    var histogram: Histogram {
        guard count > 0 else { return Histogram() }
        let buckets = entries.lazy.map { (index: Int($0 >> Self.countBits), count: $0 & Self.countMask) }
        return Histogram(buckets: buckets, count: count, sum: total, min: smallest, max: largest)
    }

    /// Adds all values of another one.
    mutating func merge(_ other: PackedHistogram) {
        guard other.count > 0 else { return }
        guard count > 0 else { return self = other }
        var merged: [UInt64] = []
        merged.reserveCapacity(entries.count + other.entries.count)
        var (left, right) = (entries[...], other.entries[...])
        while let first = left.first, let second = right.first {
            let (firstIndex, secondIndex) = (first >> Self.countBits, second >> Self.countBits)
            if firstIndex == secondIndex {
                let sum = (first & Self.countMask) + (second & Self.countMask)
                merged.append(firstIndex << Self.countBits | min(sum, Self.countMask))
            } else {
                merged.append(min(first, second))
            }
            if firstIndex <= secondIndex { left.removeFirst() }
            if secondIndex <= firstIndex { right.removeFirst() }
        }
        merged += left
        merged += right
        // A slice's copy has no spare room.
        entries = Array(merged[...])
        count += other.count
        total += other.total
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
    }
}
