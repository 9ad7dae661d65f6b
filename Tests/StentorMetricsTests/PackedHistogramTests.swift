import StentorBase
import Testing

@testable import StentorMetrics

struct PackedHistogramTests {
    private func histogram(_ seed: UInt64, _ count: Int, below limit: UInt64) -> Histogram {
        var random = SeededRandom(seed: seed)
        var histogram = Histogram()
        for _ in 0..<count { histogram.record(random.next() % limit) }
        return histogram
    }

    @Test(arguments: [(0, 1), (1, 1), (1, 1 << 40), (50, 300), (1000, 1_000_000_000), (2000, 1 << 62)] as [(Int, UInt64)])
    func `what is packed comes back`(count: Int, limit: UInt64) {
        let original = histogram(3, count, below: limit)
        #expect(PackedHistogram(original).histogram == original)
        #expect(PackedHistogram(original).count == original.count)
    }

    @Test(arguments: [(0, 0), (0, 30), (30, 0), (1, 1), (500, 800)])
    func `packed ones add up as histograms do`(first: Int, second: Int) {
        let (left, right) = (histogram(5, first, below: 100_000), histogram(6, second, below: 7_000_000_000))
        var sum = left
        sum.merge(right)
        var packed = PackedHistogram(left)
        packed.merge(PackedHistogram(right))
        #expect(packed.histogram == sum)
        #expect(packed == PackedHistogram(sum))
    }
}
