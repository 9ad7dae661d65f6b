import StentorMetrics
import Testing

@testable import StentorReport

struct ChartTests {
    @Test(
        arguments: [
            (0, [0, 1]), (1, [0, 0.5, 1]), (7, [0, 2, 4, 6, 8]), (50, [0, 20, 40, 60]), (4800, [0, 2000, 4000, 6000]),
        ] as [(Double, [Double])])
    func `marks of a linear axis are round and cover the top`(top: Double, ticks: [Double]) {
        #expect(Ticks.linear(top: top) == ticks)
    }

    @Test(
        arguments: [
            (0.0003...0.9, [0.0001, 0.001, 0.01, 0.1, 1]), (0.03...0.4, [0.02, 0.05, 0.1, 0.2, 0.5]), (0.5...0.5, [0.5, 5]),
            (0.1...1, [0.1, 0.2, 0.5, 1]),
            (3...4, [2, 5]),
        ] as [(ClosedRange<Double>, [Double])])
    func `marks of a logarithmic axis surround the range`(range: ClosedRange<Double>, ticks: [Double]) {
        let found = Ticks.log(range)
        #expect(found.count == ticks.count)
        for (left, right) in zip(found, ticks) { #expect(abs(left - right) < right * 1e-9) }
    }

    @Test(arguments: [(20, 5), (0.9, 0.2), (600, 120), (28_800, 7200), (86_400, 14_400)] as [(Double, Double)])
    func `a time axis has at most seven marks`(seconds: Double, step: Double) {
        let ticks = Ticks.time(seconds)
        #expect(ticks.count <= 7)
        #expect(abs(ticks[1] - step) < 1e-9)
    }

    @Test(
        arguments: [
            (45, 100, "45 s"), (0, 100, "0"), (90, 600, "1:30"), (5400, 28_800, "1:30 h"), (172_800, 604_800, "2 d"),
            (129_600, 604_800, "1.5 d"),
        ] as [(Double, Double, String)])
    func `times are labelled by the length of the axis`(seconds: Double, total: Double, text: String) {
        #expect(ClockLabel.axis(seconds, of: total) == text)
    }

    @Test(
        arguments: [(0, "0:00:00"), (41.9, "0:00:41"), (28_930, "8:02:10"), (90_000, "1 d 1:00:00"), (-1, "0:00:00")] as [(Double, String)])
    func `times of tables are clocks`(seconds: Double, text: String) {
        #expect(ClockLabel.full(seconds) == text)
    }

    @Test func `thinning keeps the row that matters most of each slice`() {
        let times = (1...6000).map(Double.init)
        let rows = ChartThinning.rows(times) { $0 == 3210 ? 5 : 0 }
        #expect(rows.count <= ChartThinning.pointLimit)
        #expect(rows.contains(3210) && rows == rows.sorted())
        #expect(ChartThinning.rows(Array(times.prefix(600))) { _ in 0 } == Array(0..<600))
    }

    @Test(arguments: [(20, 1), (240, 1), (241, 2), (3600, 20), (28_800, 120), (86_400, 600), (864_000, 3600)] as [(Double, Double)])
    func `percentiles are drawn for at most 240 slices`(duration: Double, seconds: Double) {
        #expect(ChartThinning.sliceSeconds(duration) == seconds)
    }

    @Test func `a line breaks where there is no value, and a lone point shows`() {
        let points = [(0.0, 1.0), (1, nil), (2, 3), (3, 2)].map { Chart.Point(x: $0.0, y: $0.1) }
        let chart = Chart(
            id: "c", title: "T", note: "", unit: .count, xMax: 4, series: [.init(name: "n", style: 1, points: points)])
        #expect(ChartDrawing(chart).html.contains(#"d="M0 666.7h0.01M500 0L750 333.3""#))
    }

    @Test func `counts have their digits in groups`() {
        #expect([0, 999, 1000, 2_011_750, -1234].map(HTMLText.count) == ["0", "999", "1,000", "2,011,750", "−1,234"])
    }
}
