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
        var entries: [IntervalEntry] = []
        damagedLines = Self.read(bytes, isWanted: { metric, _ in metrics.contains(metric) }) { entries.append($0) }
        self.entries = entries
    }

    /// Reads a whole file and hands over line by line, so that not all histograms are in memory at once.
    ///
    /// - Returns: Lines that are no interval although they should be.
    static func read(_ bytes: [UInt8], isWanted: (Metric, Phase) -> Bool, _ body: (IntervalEntry) -> Void) -> Int {
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
        var (first, damaged) = (bytes.startIndex, 0)
        while first < end {
            let last = bytes[first..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
            let line = bytes[first..<last]
            first = last + 1
            guard let mark = line.first, mark != UInt8(ascii: "#"), mark != UInt8(ascii: "\"") else { continue }
            switch read(line, isWanted) {
            case .interval(let entry): body(entry)
            case .damaged: damaged += 1
            case .unwanted: break
            }
        }
        return damaged
    }

    private enum Line {
        case interval(IntervalEntry)
        case damaged
        case unwanted
    }

    private static func read(_ line: ArraySlice<UInt8>, _ isWanted: (Metric, Phase) -> Bool) -> Line {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].starts(with: "Tag=".utf8) else { return .damaged }
        let tag = text(fields[0].dropFirst(4)).split(separator: ".")
        guard tag.count == 2 else { return .damaged }
        guard let metric = Metric(name: tag[0]), let phase = Phase(name: tag[1]), isWanted(metric, phase) else { return .unwanted }
        guard let start = Double(text(fields[1])), let length = Double(text(fields[2])), start.isFinite, length.isFinite,
            let packed = Array(fields[4]).withUnsafeBytes({ Base64.decode($0) }), let histogram = HistogramCodec.decode(packed)
        else { return .damaged }
        return .interval(IntervalEntry(startSeconds: start, lengthSeconds: length, metric: metric, phase: phase, histogram: histogram))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
