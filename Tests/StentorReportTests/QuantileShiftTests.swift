import StentorBase
import StentorMetrics
import StentorStatistics
import StentorTruth
import Testing

@testable import StentorReport

struct QuantileShiftTests {
    private static func gateway(_ change: (inout ModelGateway) -> Void = { _ in }) -> ModelGateway {
        var gateway = ModelGateway()
        (gateway.devices, gateway.steadySeconds) = (200, 120)
        change(&gateway)
        return gateway
    }

    private func shifts(_ base: [RunMeasurements], _ candidate: [RunMeasurements]) -> [QuantileShift] {
        QuantileShift.all(base: base, candidate: candidate, replicates: 100)
    }

    @Test(arguments: [1, 2]) func `50, 95 and 99 % have the differences and intervals of the numbers`(runs: UInt64) throws {
        let base = (1...runs).map { Self.gateway().run(seed: $0, name: "a\($0)") }
        let candidate = (1...runs).map { Self.gateway { $0.replySeconds = 0.1 }.run(seed: $0 + 10, name: "b\($0)") }
        let comparison = Comparison(base: base, candidate: candidate, replicates: 100)
        let shift = try #require(shifts(base, candidate).first)
        #expect(shift.name == "reply" && shift.points.map(\.share) == QuantileShift.shares && shift.missing == nil)
        for (name, share) in [("reply.p50", 0.5), ("reply.p95", 0.95), ("reply.p99", 0.99)] {
            let number = try #require(comparison.numbers.first { $0.name == name })
            let point = try #require(shift.points.first { $0.share == share })
            #expect(point.base == number.base.value && point.candidate == number.candidate.value)
            #expect(point.difference == number.finding?.difference)
        }
    }

    @Test func `bands hold what is true`() throws {
        // 12 comparisons of one version, 20 quantiles each: the truth is 0.
        var held = 0
        for seed in UInt64(0)..<12 {
            let runs = [1, 2].map { Self.gateway().run(seed: seed * 10 + $0, name: "\(seed)-\($0)") }
            let shift = try #require(shifts([runs[0]], [runs[1]]).first)
            held += shift.points.count { $0.difference.low <= 0 && $0.difference.high >= 0 }
        }
        #expect(held >= 204, "\(held) of 240")
    }

    @Test func `a gateway that is slower by a factor moves its slow replies most`() throws {
        let base = [Self.gateway().run(seed: 1, name: "a")]
        let candidate = [Self.gateway { $0.replySeconds = 0.16 }.run(seed: 1, name: "b")]
        let shift = try #require(shifts(base, candidate).first)
        // The same draws, twice as long: each quantile moves by itself, up to the histogram's buckets.
        for point in shift.points { #expect(abs(point.difference.value - point.base) < 0.02 * point.base, "\(point)") }
        let values = shift.points.map(\.difference.value)
        #expect(values == values.sorted())
    }

    @Test func `quantiles with too few samples are left out`() throws {
        let quiet = Self.gateway { ($0.devices, $0.steadySeconds) = (20, 60) }
        let base = [quiet.run(seed: 1, name: "a")]
        let candidate = [quiet.run(seed: 2, name: "b")]
        let least = try #require((base + candidate).map { $0.counts[.messagesAnswered] ?? 0 }.min())
        let shift = try #require(shifts(base, candidate).first)
        #expect((20..<100).contains(least) && shift.points.map(\.share) == Array(QuantileShift.shares.dropLast()))
    }

    @Test func `a single sample has no quantiles, and the reason is told`() throws {
        var runs = [1, 2].map { Self.gateway().run(seed: $0, name: "a\($0)") }
        let one = RunMeasurements.Interval(startSeconds: 0, lengthSeconds: 1, cells: [CellCount(cell: 100, count: 1)])
        for index in runs.indices { runs[index].series = [.init(.reply, .steady): [one]] }
        let shift = try #require(shifts([runs[0]], [runs[1]]).first)
        #expect(shift.points.isEmpty && shift.missing == "a run has fewer than 2 samples" && shift.baseCount == 1)
    }

    @Test func `numbers without a better side have none`() {
        let key = RunMeasurements.SeriesKey(.loopLag, .steady)
        var runs = [1, 2].map { Self.gateway().run(seed: $0, name: "a\($0)") }
        for index in runs.indices { runs[index].series[key] = runs[index].series[.init(.reply, .steady)] }
        #expect(shifts([runs[0]], [runs[1]]).map(\.name) == ["reply"])
    }
}
