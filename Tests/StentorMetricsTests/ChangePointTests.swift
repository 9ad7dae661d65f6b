import StentorBase
import Testing

@testable import StentorMetrics

struct ChangePointTests {
    /// 100 with a wobble of 1 that resembles no pattern.
    private static let wobble: [Double] = [0.3, -0.7, 0.9, -0.2, 0.6, -0.9, 0.1, 0.8, -0.5, -0.1, 0.7, -0.8, 0.2, -0.4, 0.5, -0.6]

    private static func level(_ value: Double, _ count: Int) -> [Double] { (0..<count).map { value + wobble[$0 % wobble.count] } }

    @Test func `a lasting step is named at the first value behind it`() throws {
        let found = try #require(ChangePoints(Self.level(100, 12) + Self.level(130, 9)))
        #expect(found.changes.map(\.index) == [12])
        let change = try #require(found.changes.first)
        #expect(abs(change.before - 100) < 1 && abs(change.after - 130) < 1)
        #expect(change.probability <= ChangePoints.significance && change.probability >= 0.001)
    }

    @Test func `two steps are two changes, each with the levels beside it`() throws {
        let found = try #require(ChangePoints(Self.level(100, 16) + Self.level(130, 14) + Self.level(90, 15)))
        #expect(found.changes.map(\.index) == [16, 30])
        #expect(found.changes.map { [$0.before, $0.after].map { ($0 / 10).rounded() * 10 } } == [[100, 130], [130, 90]])
    }

    @Test func `a rise that is taken back is two changes`() throws {
        let found = try #require(ChangePoints(Self.level(100, 13) + Self.level(130, 12) + Self.level(100, 9)))
        #expect(found.changes.map(\.index) == [13, 25])
    }

    @Test(arguments: [1, 2]) func `odd values are no change`(count: Int) throws {
        var values = Self.level(100, 24)
        for index in 20..<20 + count { values[index] = 500 }
        #expect(try #require(ChangePoints(values)).changes == [])
    }

    @Test func `a count that is nearly always 0 has no change`() throws {
        var values = [Double](repeating: 0, count: 30)
        #expect(try #require(ChangePoints(values)).changes == [])
        values[29] = 7
        #expect(try #require(ChangePoints(values)).changes == [])
    }

    @Test func `too few values say nothing`() {
        #expect(ChangePoints(Self.level(100, 6) + Self.level(900, 5)) == nil)
        #expect(ChangePoints([Double](repeating: 100, count: 6) + [Double](repeating: 900, count: 6))?.changes.map(\.index) == [6])
    }

    @Test func `the same values always give the same changes`() throws {
        var random = SeededRandom(seed: 5)
        let values = normalNoise(30, &random).enumerated().map { $1 + ($0 >= 17 ? 2.2 : 0) }
        #expect(ChangePoints(values) == ChangePoints(values))
    }

    /// The promise of ``ChangePoints/significance``, over seeds. At a true share of 1 % more than 7 of 250 has a probability of 0.4 %, and the
    /// seeds are fixed.
    @Test(arguments: [12, 20, 30]) func `without a change hardly any series has one named`(count: Int) throws {
        var alarms = 0
        for seed in 1...250 {
            var random = SeededRandom(seed: UInt64(seed))
            alarms += try #require(ChangePoints(normalNoise(count, &random))).changes.isEmpty ? 0 : 1
        }
        #expect(alarms <= 7)
    }

    @Test func `neighbours that resemble each other raise few alarms`() throws {
        var alarms = 0
        for seed in 1...100 {
            var random = SeededRandom(seed: UInt64(seed))
            alarms += try #require(ChangePoints(normalNoise(24, memory: 0.5, &random))).changes.isEmpty ? 0 : 1
        }
        // Docs/statistics.md says 11 %; without the allowance it is twice as much.
        #expect(alarms <= 18)
    }

    @Test func `a clear step is found in nearly all series`() throws {
        var found = 0
        for seed in 1...100 {
            var random = SeededRandom(seed: UInt64(seed))
            let values = normalNoise(20, &random).enumerated().map { $1 + ($0 >= 10 ? 4 : 0) }
            found += try #require(ChangePoints(values)).changes.contains { abs($0.index - 10) <= 1 } ? 1 : 0
        }
        #expect(found >= 90)
    }
}
