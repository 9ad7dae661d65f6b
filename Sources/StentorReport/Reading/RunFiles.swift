import Glibc
import StentorBase
import StentorMetrics
import StentorWire

/// The content of a run directory as it is read again, also of a run that was killed.
struct RunFiles: Sendable {
    /// Where it was read from.
    let path: String
    /// `summary.json`; of a run that was killed before its first checkpoint, what `run.json` says and the verdict `incomplete`.
    let summary: JSONTree
    /// The summary as it stands in its file.
    let summaryBytes: [UInt8]
    /// Whether there was a `summary.json`.
    let hasSummary: Bool
    /// `timeline.csv`; empty when there is none.
    let timeline: TimelineReader
    /// The lines of `intervals.hlog` that are drawn; empty when there are none.
    let intervals: [IntervalEntry]
    /// The lines of `events.jsonl`, without those that are no objects.
    let events: [JSONTree]
    /// `reconnects.csv`.
    let reconnects: [ReconnectView]
    /// The first lines of `offenders.jsonl`.
    let offenders: [JSONTree]
    /// How many lines `offenders.jsonl` has.
    let offenderCount: Int
    /// The outages of the summary, and of the events after it.
    let outages: [OutageView]
    /// What could not be read as it should, a sentence each.
    let remarks: [String]

    /// The format of run directories that this version writes; it reads all up to it.
    static let format = 1
    /// Larger files are refused: a day's run has tens of megabytes.
    private static let sizeLimit = 1 << 30

    /// Reads what every report needs.
    ///
    /// - Throws: A failure of cause `.arguments` when this is no run directory, of cause `.file` when a file cannot be read.
    init(_ path: String) throws(UserFailure) {
        self.path = path
        let run = try Self.identity(in: path)
        if let bytes = try Self.bytes(.summary, in: path) {
            (summary, summaryBytes, hasSummary) = (try Self.json(bytes, .summary, in: path), bytes, true)
        } else {
            summary = .object(["verdict": .text("incomplete"), "exit_code": .null, "run": run])
            (summaryBytes, hasSummary) = (summary.prettyBytes, false)
        }
        timeline = TimelineReader(try Self.bytes(.timeline, in: path) ?? [])
        let log = IntervalLogReader(try Self.bytes(.intervals, in: path) ?? [], metrics: RunCharts.metrics)
        intervals = log.entries
        let (events, damagedEvents) = Self.objects(try Self.bytes(.events, in: path) ?? [])
        self.events = events
        reconnects = ReconnectView.rows(try Self.bytes(.reconnects, in: path) ?? [])
        let (offenders, _) = Self.objects(try Self.bytes(.offenders, in: path) ?? [])
        offenderCount = offenders.filter { $0["device"] != nil }.count
        self.offenders = Array(offenders.filter { $0["device"] != nil }.prefix(Self.offendersShown))
        outages = Self.outages(summary, events)
        remarks = [
            Self.remark(timeline.damagedLines, .timeline), Self.remark(log.damagedLines, .intervals), Self.remark(damagedEvents, .events),
        ].compactMap(\.self)
    }

    /// `run.json` of a directory, once it is one that this version reads.
    ///
    /// - Throws: As ``init(_:)``.
    static func identity(in path: String) throws(UserFailure) -> JSONTree {
        guard SystemFile.isDirectory(path) else {
            let isThere = access(path, F_OK) == 0
            throw UserFailure(
                .arguments, isThere ? "is no run directory but a file" : "there is no such run directory", place: path, hint: Self.hint)
        }
        guard let recorded = try Self.bytes(.run, in: path) else {
            throw UserFailure(.arguments, "is no run directory: it has no run.json", place: path, hint: Self.hint)
        }
        let run = try Self.json(recorded, .run, in: path)
        let format = run["format"]?.int ?? 1
        guard format <= Self.format else {
            throw UserFailure(
                .file, "has the format \(format), and this version reads formats up to \(Self.format)",
                place: "\(path)/\(RunDirectory.File.run.rawValue)",
                hint: "use the version of stentor that wrote it (\(PrintableText.clean(run["version"]?.string ?? "unknown")))")
        }
        return run
    }

    /// The seed as it is written: a number beyond the signed range would be read to 53 bits only. Nil without a summary.
    var seedDigits: String? { Self.seedDigits(in: summaryBytes) }

    /// The same of a `run.json` or `summary.json`.
    static func seedDigits(in bytes: [UInt8]) -> String? {
        // Within a text the quotes would be escaped, and a label of this name has a text as its value.
        String(decoding: bytes, as: UTF8.self).firstMatch(of: /"seed": ([0-9]{1,20})\b/).map { String($0.1) }
    }

    /// How many offenders the report shows.
    private static let offendersShown = 50

    private static func remark(_ lines: Int, _ file: RunDirectory.File) -> String? {
        lines == 0 ? nil : "\(file.rawValue) has \(lines) damaged line\(lines == 1 ? "" : "s"), which \(lines == 1 ? "is" : "are") left out"
    }

    /// The objects of a `.jsonl` file; a last line without its end is left out.
    static func objects(_ bytes: [UInt8]) -> (objects: [JSONTree], damagedLines: Int) {
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
        var damaged = 0
        let objects = bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap { line -> JSONTree? in
            if let object = try? JSONTree.object(reading: Array(line)) { return object }
            damaged += 1
            return nil
        }
        return (objects, damaged)
    }

    private static func outages(_ summary: JSONTree, _ events: [JSONTree]) -> [OutageView] {
        var outages = (summary["outages"]?.elements ?? []).enumerated().map { OutageView(number: $0.offset + 1, summary: $0.element) }
        for event in events {
            if let opened = OutageView(opened: event), opened.number > outages.count { outages.append(opened) }
            for index in outages.indices { outages[index].close(event) }
        }
        return outages
    }

    private static let hint = "name a folder that 'stentor run' made, such as runs/20261130T034210Z-nightly-soak"

    /// The bytes of a file; nil when it is not there.
    static func bytes(_ file: RunDirectory.File, in path: String) throws(UserFailure) -> [UInt8]? {
        let place = "\(path)/\(file.rawValue)"
        do throws(SystemFile.Failure) {
            return try SystemFile.readAll(place, limit: sizeLimit)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw UserFailure(.file, "cannot be read (\(error.call)): \(error.text)", place: place)
        }
    }

    /// The object that a file holds.
    static func json(_ bytes: [UInt8], _ file: RunDirectory.File, in path: String) throws(UserFailure) -> JSONTree {
        do throws(JSONFailure) {
            return try JSONTree.object(reading: bytes)
        } catch {
            throw UserFailure(
                .file, "is damaged: \(error.cause.rawValue) at byte \(error.offset)", place: "\(path)/\(file.rawValue)",
                hint: "restore it; what stentor writes is whole at every moment")
        }
    }
}
