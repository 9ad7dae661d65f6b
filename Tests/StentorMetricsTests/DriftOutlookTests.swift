import StentorBase
import Testing

@testable import StentorMetrics

struct DriftOutlookTests {
    private static let memory = Gate.Drift.process(.resident)
    private static let tail = Gate.Drift.distribution(.reply, .percentile(.p99))

    @Test(
        arguments: [
            (memory, 7, nil, 7, 1), (memory, 63, nil, 63, 1), (memory, 64, nil, 32, 2), (memory, 3600, nil, 56, 64),
            (memory, 28_800, nil, 56, 512),
            // 100 samples are needed: 64 s of 2 a second have them, 32 s of it do not.
            (tail, 3600, 2.0, 56, 64), (tail, 3600, 1.0, 28, 128), (tail, 3600, nil, 56, 64), (tail, 3600, 0.1, 0, 256),
            (tail, 0, 5.0, 0, 1),
        ] as [(Gate.Drift, Int, Double?, Int, Int)])
    func `windows are doubled until they are few enough and full enough`(
        drift: Gate.Drift, steady: Int, rate: Double?, windows: Int, seconds: Int
    ) {
        let outlook = DriftOutlook(of: drift, steadySeconds: steady, samplesPerSecond: rate)
        #expect(outlook.windows == windows && outlook.windowSeconds == seconds, "\(outlook)")
        #expect(outlook.isEnough == (windows >= 8))
    }

    @Test(arguments: [5, 8, 63, 64, 65, 127, 128, 1000, 5000])
    func `a run has the windows that were foretold`(seconds: Int) {
        var series = ProcessSeries()
        for second in 0..<seconds { series.add([.resident: 1], at: Instant(nanoseconds: Int64(second) * 1_000_000_000)) }
        let windows = series.windows(of: .resident)
        let outlook = DriftOutlook(of: Self.memory, steadySeconds: seconds, samplesPerSecond: nil)
        #expect(windows.points.count == outlook.windows && windows.seconds == outlook.windowSeconds, "\(outlook)")
    }
}
