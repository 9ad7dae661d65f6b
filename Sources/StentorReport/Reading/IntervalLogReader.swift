import StentorMetrics
import StentorWire

/// One line of `intervals.hlog`.
struct IntervalEntry: Sendable, Equatable {
    /// Seconds from the base time, which is the start of the run.
    var startSeconds: Double
    var lengthSeconds: Double
    var metric: Metric
    var phase: Phase
    var histogram: Histogram
}

/// Reads `intervals.hlog`, also of a run that was killed.
///
/// Lines with tags that this version does not know are skipped; so are a last line without its end, and damaged lines, which are counted.
struct IntervalLogReader {
    /// The lines that could be read, in their order.
    private(set) var entries: [IntervalEntry] = []
    /// Lines that are no interval although they should be.
    private(set) var damagedLines = 0

    /// Reads a whole file.
    ///
    /// - Parameter metrics: Whose lines are wanted; decoding costs most of the time.
    init(_ bytes: [UInt8], metrics: Set<Metric> = Set(Metric.allCases)) {
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
        for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
            guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "\"") else { continue }
            read(line, metrics)
        }
    }

    private mutating func read(_ line: ArraySlice<UInt8>, _ metrics: Set<Metric>) {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].starts(with: "Tag=".utf8) else { return damagedLines += 1 }
        let tag = Self.text(fields[0].dropFirst(4)).split(separator: ".")
        guard tag.count == 2 else { return damagedLines += 1 }
        guard let metric = Metric(name: tag[0]), let phase = Phase(name: tag[1]), metrics.contains(metric) else { return }
        guard let start = Double(Self.text(fields[1])), let length = Double(Self.text(fields[2])), start.isFinite, length.isFinite,
            let packed = Array(fields[4]).withUnsafeBytes({ Base64.decode($0) }), let histogram = HistogramCodec.decode(packed)
        else { return damagedLines += 1 }
        entries.append(IntervalEntry(startSeconds: start, lengthSeconds: length, metric: metric, phase: phase, histogram: histogram))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
