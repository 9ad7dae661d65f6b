import StentorBase
import StentorMetrics
import StentorWire

/// The lines of `intervals.hlog`: HdrHistogram's log format, version 1.3, with histograms of encoding V2.
///
/// A line per interval, metric and phase that has samples, with the tag `<metric>.<phase>`, such as `reply.steady`. Start and length
/// are seconds, the start from the base time. Histograms hold what was recorded: nanoseconds, bytes, bytes per second, numbers. The
/// column `Interval_Max` follows the format's convention of a unit ratio: 10⁶ for durations (milliseconds), 1 for all else.
struct IntervalLog {
    private let deflater = Deflater()

    /// The legend that HdrHistogram's own tools look for.
    static let legend = #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#

    /// Everything above the first interval.
    ///
    /// - Parameters:
    ///   - baseSeconds: The wall-clock time, seconds since 1970, of the instant that the lines' starts count from.
    ///   - runID: The run's id.
    static func header(runID: String, baseSeconds: Double) -> [UInt8] {
        let seconds = Quantity.fixed(baseSeconds, decimals: 3)
        let units = Metric.allCases.map { "\($0.name) \(unitName($0.unit))" }
        return Array(
            """
            #[Intervals of the run \(PrintableText.clean(runID)), logged by stentor]
            #[Tags are metric.phase. Recorded in: \(units.joined(separator: ", "))]
            #[Interval_Max is in ms for what is recorded in ns, and in the recorded unit for all else]
            #[Histogram log format version 1.3]
            #[BaseTime: \(seconds) (seconds since epoch)]
            #[StartTime: \(seconds) (seconds since epoch), \(UTCTime.text(baseSeconds))]
            \(legend)

            """.utf8)
    }

    /// The lines of one interval, in the order of metrics and phases; empty when nothing was recorded.
    func lines(_ delta: ShardDelta, from start: Double, to end: Double) -> [UInt8] {
        var bytes: [UInt8] = []
        let times = "\(Quantity.fixed(start, decimals: 3)),\(Quantity.fixed(max(0, end - start), decimals: 3))"
        delta.forEachDistribution { metric, phase, histogram in
            guard let maximum = histogram.max else { return }
            let shown = Quantity.fixed(Double(maximum) / Self.unitRatio(metric.unit), decimals: 3)
            bytes += "Tag=\(metric.name).\(phase.name),\(times),\(shown),".utf8
            HistogramCodec.encode(histogram, deflater).withUnsafeBytes { Base64.encode($0, into: &bytes) }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// What recorded values are divided by in the column `Interval_Max`.
    static func unitRatio(_ unit: Unit) -> Double { unit == .seconds ? 1e6 : 1 }

    private static func unitName(_ unit: Unit) -> String {
        switch unit {
        case .seconds: "ns"
        case .bytes: "bytes"
        case .bytesPerSecond: "bytes/s"
        case .count: "things"
        case .share: "share"
        }
    }
}
