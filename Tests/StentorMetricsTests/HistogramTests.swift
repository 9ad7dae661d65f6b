import StentorBase
import Testing

@testable import StentorMetrics

struct HistogramTests {
    @Test func `an empty histogram knows nothing`() {
        let histogram = Histogram()
        #expect(histogram.isEmpty)
        #expect(histogram.min == nil && histogram.max == nil && histogram.mean == nil)
        #expect(histogram.value(atQuantile: 0.5) == nil)
        #expect(histogram.percentile(.p50) == nil)
        #expect(histogram.counts(upTo: [1, 2]) == [0, 0])
    }

    @Test func `the buckets cover all values without gap or overlap, none wider than a 128th of its lower end`() {
        var next: UInt64 = 0
        for index in 0..<Histogram.bucketCount {
            let (low, high) = (Histogram.lowestValue(ofBucket: index), Histogram.highestValue(ofBucket: index))
            #expect(low == next)
            #expect(high - low <= low / 128)
            next = high + 1
        }
        #expect(next == Histogram.maximumValue + 1)
    }

    // HdrHistogram with two significant digits: 256 sub-buckets of width 1, then 128 of double width per octave
    // (countsIndex = ((bucket + 1) << 7) + (subBucket − 128), HdrHistogram_c, counts_index).
    @Test(
        arguments: [
            (0, 0), (1, 1), (255, 255), (256, 256), (257, 256), (258, 257), (511, 383), (512, 384), (515, 384), (516, 385), (1023, 511),
            (1024, 512), (1_000_000, 1780), ((1 << 62) - 1, 7167),
        ] as [(UInt64, Int)])
    func `a value falls in the bucket that HdrHistogram puts it in`(value: UInt64, index: Int) {
        var histogram = Histogram()
        histogram.record(value)
        #expect(histogram.nonZeroBuckets.map(\.index) == [index])
    }

    @Test(arguments: [1, 300, 1_000_000, 40_000_000_000] as [UInt64])
    func `percentiles are never below the true value and at most a 128th above it`(scale: UInt64) {
        var random = SeededRandom(seed: scale)
        var histogram = Histogram()
        var values: [UInt64] = []
        for _ in 0..<4999 {
            let value = UInt64(Double(scale) * -FloatingPointMath.logarithm(1 - random.unit()))
            values.append(value)
            histogram.record(value)
        }
        values.sort()
        for percentile in Percentile.allCases {
            let exact = values[Int((percentile.perMille * 4999 + 999) / 1000) - 1]
            let reported = histogram.percentile(percentile) ?? 0
            #expect(reported >= exact)
            #expect(Double(reported) <= Double(exact) * (1 + Histogram.relativeError))
        }
        #expect(histogram.min == values.first && histogram.max == values.last)
        #expect(histogram.sum == values.reduce(0) { $0 + UInt128($1) })
    }

    @Test func `a percentile is the nearest rank, not an interpolation`() {
        var histogram = Histogram()
        for value in [10, 20, 30, 40] as [UInt64] { histogram.record(value) }
        #expect(histogram.percentile(.p50) == 20)
        #expect(histogram.value(atQuantile: 0.51) == 30)
        #expect(histogram.value(atQuantile: 0) == 10)
        #expect(histogram.value(atQuantile: 1) == 40)
        #expect(histogram.value(atQuantile: 7) == 40)
        #expect(histogram.mean == 25)
        histogram.record(50)
        #expect(histogram.percentile(.p50) == 30)
    }

    @Test func `a quantile at a whole rank does not round up to the next`() {
        var histogram = Histogram()
        for value in 1...100 as ClosedRange<UInt64> { histogram.record(value) }
        for rank in 1...100 as ClosedRange<UInt64> { #expect(histogram.value(atQuantile: Double(rank) / 100) == rank) }
    }

    @Test(arguments: [(Percentile.p50, 2), (.p90, 10), (.p95, 20), (.p99, 100), (.p999, 1000)])
    func `a percentile needs a sample expected beyond it`(percentile: Percentile, needed: Int) {
        var histogram = Histogram()
        for _ in 1..<needed { histogram.record(5) }
        #expect(histogram.percentile(percentile) == nil)
        histogram.record(5)
        #expect(histogram.percentile(percentile) == 5)
    }

    @Test func `a percentile is never beyond the maximum`() {
        var histogram = Histogram()
        histogram.record(1_000_001, times: 1000)
        #expect(histogram.percentile(.p99) == 1_000_001)
    }

    @Test func `a value beyond the range is counted as that and in no other number`() {
        var histogram = Histogram()
        let accepted = [Histogram.maximumValue, Histogram.maximumValue + 1, .max].map { histogram.record($0) }
        #expect(accepted == [true, false, false])
        #expect(histogram.outOfRange == 2)
        #expect(histogram.count == 1)
        #expect(histogram.max == Histogram.maximumValue)
    }

    @Test func `the sum stays exact beyond 64 bits`() {
        var histogram = Histogram()
        for _ in 0..<8 { histogram.record(Histogram.maximumValue) }
        #expect(histogram.sum == UInt128(Histogram.maximumValue) * 8)
    }

    @Test func `merging gives what recording everything would have given`() {
        var random = SeededRandom(seed: 3)
        var parts = [Histogram](repeating: Histogram(), count: 4)
        var whole = Histogram()
        for index in 0..<4000 {
            let value = random.next() >> (random.next() % 64)
            parts[index % 4].record(value)
            whole.record(value)
        }
        #expect(parts.reduce(into: Histogram()) { $0.merge($1) } == whole)
        #expect(parts.reversed().reduce(into: Histogram()) { $0.merge($1) } == whole)
    }

    @Test func `a copy does not follow the original`() {
        var original = Histogram()
        original.record(7)
        let copy = original
        original.record(9)
        #expect(copy.count == 1 && copy.max == 7)
    }

    @Test func `a cleared histogram equals a new one and counts anew`() {
        var histogram = Histogram()
        histogram.record(1 << 40)
        histogram.record(.max)
        histogram.clear()
        #expect(histogram == Histogram())
        histogram.record(3)
        #expect(histogram.min == 3 && histogram.max == 3 && histogram.count == 1 && histogram.outOfRange == 0)
        var other = Histogram()
        other.record(3)
        #expect(histogram == other)
    }

    @Test func `merging keeps the values out of range, also of an empty side`() {
        var left = Histogram()
        left.record(.max)
        var right = Histogram()
        right.record(.max)
        right.record(1)
        left.merge(right)
        #expect(left.outOfRange == 2 && left.count == 1)
    }

    @Test func `cumulative counts never fall and end with all values`() {
        var histogram = Histogram()
        for value in [1, 5, 10, 100, 1000] as [UInt64] { histogram.record(value) }
        #expect(histogram.counts(upTo: [0, 1, 9, 10, 100, 999, 1000, 5000]) == [0, 1, 2, 3, 4, 4, 5, 5])
    }
}
