import StentorBase
import Testing

@testable import StentorMetrics

struct TrendTests {
    private static func points(_ values: [Double]) -> [Trend.Point] {
        values.enumerated().map { Trend.Point(hours: Double($0.offset), value: $0.element) }
    }

    @Test func `a straight line has its slope and no interval to speak of`() throws {
        let trend = try #require(Trend(Self.points((0..<10).map { 100 + 2 * Double($0) })))
        #expect(trend.slope == 2 && trend.low == 2 && trend.high == 2)
        #expect(trend.level == 109 && trend.count == 10)
        #expect(trend.relative?.slope == 2.0 / 109)
    }

    /// Hollander and Wolfe, Nonparametric Statistical Methods, § 9.3: pairs by rank (N ∓ 1.96·√Var S) / 2. Here n = 10, Var S = 125,
    /// N = 45: the 11th and the 34th slope. The residuals of this series alternate, so nothing is widened.
    @Test func `the interval ends at the ranks of Kendall's variance`() throws {
        let values: [Double] = [0, 9, 2, 13, 5, 14, 7, 19, 9, 22]
        var slopes: [Double] = []
        for later in 0..<10 { for earlier in 0..<later { slopes.append((values[later] - values[earlier]) / Double(later - earlier)) } }
        slopes.sort()
        let trend = try #require(Trend(Self.points(values)))
        #expect(trend.slope == slopes[22])
        #expect(trend.low == slopes[10] && trend.high == slopes[33])
    }

    @Test func `one wild point hardly moves the slope`() throws {
        var values = (0..<20).map { 10 + Double($0) }
        values[19] = 5000
        let trend = try #require(Trend(Self.points(values)))
        #expect(trend.slope == 1)
    }

    @Test func `a constant series has no slope, also relative to its level`() throws {
        let trend = try #require(Trend(Self.points(Array(repeating: 7, count: 30))))
        #expect(trend.slope == 0 && trend.low == 0 && trend.high == 0 && trend.relative?.high == 0)
        #expect(Trend(Self.points(Array(repeating: 0, count: 30)))?.relative == nil)
    }

    @Test func `seven points are too few, and so are points of one instant`() {
        #expect(Trend(Self.points([1, 2, 3, 4, 5, 6, 7])) == nil)
        #expect(Trend(Array(repeating: Trend.Point(hours: 1, value: 1), count: 20)) == nil)
    }

    @Test func `neighbours that resemble each other widen the interval`() throws {
        var random = SeededRandom(seed: 11)
        var widths = [0.0, 0]
        for _ in 0..<40 {
            for (index, memory) in [0, 0.8].enumerated() {
                let noise = normalNoise(32, memory: memory, &random)
                // Scaled to the same spread, so that only the memory differs.
                let scale = FloatingPointMath.squareRoot(1 - memory * memory)
                let trend = try #require(Trend(Self.points(noise.map { $0 * scale })))
                widths[index] += trend.high - trend.low
            }
        }
        #expect(widths[1] > 1.5 * widths[0])
    }

    /// The promise of a drift gate: hardly a false alarm, hardly a miss.
    @Test(arguments: [0, 0.5], [12, 24])
    func `without a trend at most 5 % of 400 series fail, with three times the bound at least 95 %`(memory: Double, count: Int) throws {
        var random = SeededRandom(seed: 2026, stream: UInt64(count))
        var (falseAlarms, alarms) = (0, 0)
        // The bound is small against the noise where nothing drifts; where something drifts, the run is long enough to see the excess.
        let bound = 1e-9
        let visible = 18 * FloatingPointMath.power(Double(count), -1.5) / (1 - memory)
        for _ in 0..<400 {
            let noise = normalNoise(count, memory: memory, &random)
            if try #require(Trend(Self.points(noise))).low > bound { falseAlarms += 1 }
            let drifting = noise.enumerated().map { $0.element + 3 * visible * Double($0.offset) }
            if try #require(Trend(Self.points(drifting))).low > visible { alarms += 1 }
        }
        #expect(falseAlarms <= 20, "\(falseAlarms) of 400")
        #expect(alarms >= 380, "\(alarms) of 400")
    }
}
