import StentorBase
import StentorMetrics
import StentorStatistics

extension RunMeasurements {
    /// Reads a run directory; blocking.
    ///
    /// - Parameter path: As the user names it.
    /// - Throws: A failure of cause `.arguments` when it is no run directory, of cause `.file` with the file that is missing, unreadable, damaged,
    ///   of a newer version, or does not hold all that the summary counts.
    public init(directory path: String) throws(UserFailure) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let run = try RunFiles.identity(in: path)
        let bytes = try Self.needed(.summary, in: path)
        let summary = try RunFiles.json(bytes, .summary, in: path)
        self.init(identity: ComparedRun(path: path, run: run, summary: summary, seed: RunFiles.seedDigits(in: bytes) ?? ""))
        let counts = summary["counts"]
        for counter in Counter.allCases { self.counts[counter] = counts?[counter.name]?.int }
        dialsFailed = (summary["by_label"]?["dial_failures"]?.members ?? []).reduce(0) { sum, cause in
            [DialCause.cancelled.rawValue, DialCause.fault.rawValue].contains(cause.key) ? sum : sum + (cause.value.int ?? 0)
        }
        outages = (summary["outages"]?.elements ?? []).map(OutageFacts.init)
        returns = Return.rows(try Self.needed(.reconnects, in: path))
        let (offenders, damaged) = RunFiles.objects(try RunFiles.bytes(.offenders, in: path) ?? [])
        // A last line says that not all were noted.
        offences = damaged > 0 || offenders.contains { $0["truncated"] != nil } ? nil : offenders.compactMap(Offence.init)
        rows = rows(TimelineReader(try Self.needed(.timeline, in: path)))
        series = Self.series(try Self.needed(.intervals, in: path))
        if identity.isFinished { try checkIntervals(summary, in: path) }
    }

    private static func needed(_ file: RunDirectory.File, in path: String) throws(UserFailure) -> [UInt8] {
        if let bytes = try RunFiles.bytes(file, in: path) { return bytes }
        throw UserFailure(
            .file, "is missing, and a comparison needs it", place: "\(path)/\(file.rawValue)",
            hint: "restore it, or make the run again; a run that was killed in its first second has none")
    }

    private static func series(_ bytes: [UInt8]) -> [SeriesKey: [Interval]] {
        let wanted = Set(Comparison.keys)
        var series: [SeriesKey: [Interval]] = [:]
        _ = IntervalLogReader.read(bytes, isWanted: { wanted.contains(SeriesKey($0, $1)) }) { entry in
            let cells = entry.histogram.nonZeroBuckets.map { CellCount(cell: $0.index, count: Double($0.count)) }
            series[SeriesKey(entry.metric, entry.phase), default: []].append(
                Interval(startSeconds: entry.startSeconds, lengthSeconds: entry.lengthSeconds, cells: cells))
        }
        return series
    }

    /// The summary knows how many samples each tag has in all.
    private func checkIntervals(_ summary: JSONTree, in path: String) throws(UserFailure) {
        for key in Comparison.keys {
            let expected = summary["distributions"]?[key.metric.name]?[key.phase.name]?["count"]?.int ?? 0
            let found = Int((series[key] ?? []).reduce(0) { $0 + $1.cells.reduce(0) { $0 + $1.count } })
            guard expected != found else { continue }
            throw UserFailure(
                .file, "has \(found) of \(expected) samples of \(key.metric.name) in \(key.phase.name): it is truncated or damaged",
                place: "\(path)/\(RunDirectory.File.intervals.rawValue)", hint: "restore it, or make the run again")
        }
    }

    /// What was added from row to row, of the columns that shares need.
    private func rows(_ timeline: TimelineReader) -> [Row] {
        let lengths = timeline.column("interval_s")
        var added = [[String: Double]](repeating: [:], count: timeline.rowCount)
        for name in ComparedShare.columns {
            let values = timeline.column(name)
            let isTotal = name.hasSuffix("_total")
            for index in added.indices {
                let before = isTotal ? (index > 0 ? values[index - 1] ?? 0 : 0) : 0
                added[index][name] = ((values[index] ?? before) - before) * (isTotal ? 1 : lengths[index] ?? 1)
            }
        }
        let causes = DialCause.allCases.filter { $0 != .cancelled && $0 != .fault }.map { timeline.column("dial_\($0.rawValue)_total") }
        for index in added.indices {
            added[index]["dials_failed"] = causes.reduce(0) { $0 + (($1[index] ?? 0) - (index > 0 ? $1[index - 1] ?? 0 : 0)) }
        }
        return timeline.phases.indices.map { index in
            Row(isSteady: timeline.phases[index] == .steady && !isShadowed(timeline.times[index]), added: added[index])
        }
    }

    /// Whether what an outage did may still become known at a time: a text is known as lost at its deadline only.
    private func isShadowed(_ seconds: Double) -> Bool {
        let delay = offences.map { $0.map { $0.knownSeconds - $0.dueSeconds }.max() ?? 0 } ?? Self.longDeadline
        return outages.contains { $0.startSeconds <= seconds && seconds <= ($0.endSeconds ?? .infinity) + delay + 1 }
    }

    /// When not all lost texts were noted: the usual deadlines are shorter.
    private static let longDeadline = 120.0
}

extension ComparedRun {
    /// Whether it ended by itself, so that its files are complete.
    var isFinished: Bool { verdict != Verdict.incomplete.rawValue }

    init(path: String, run: JSONTree, summary: JSONTree, seed: String) {
        func text(_ value: JSONTree?) -> String { PrintableText.clean(value?.string ?? "") }
        self.init(
            path: path, runID: text(run["run_id"]), profile: text(run["profile"]), profileDigest: text(run["profile_digest"]), seed: seed,
            plannedSeconds: run["planned_seconds"]?.double, cores: run["host"]?["cores"]?.int,
            memoryBytes: run["host"]?["memory_bytes"]?.int, verdict: text(summary["verdict"]),
            reasons: (summary["reasons"]?.elements ?? []).map { text($0) }, version: text(run["version"]),
            target: run["server_version"]?.string == nil ? text(run["target_host"]) : text(run["server_version"]),
            labels: (run["labels"]?.members ?? []).map { "\(PrintableText.clean($0.key))=\(text($0.value))" })
    }
}

extension RunMeasurements.OutageFacts {
    fileprivate init(_ summary: JSONTree) {
        let start = summary["at_seconds"]?.double ?? 0
        self.init(
            name: PrintableText.clean(summary["name"]?.string ?? ""), startSeconds: start,
            endSeconds: summary["closed_after_seconds"]?.double.map { start + $0 }, devicesLost: summary["devices_lost"]?.int ?? 0,
            readyAfterSeconds: ["50", "90", "99", "100"].map { summary["ready_after_\($0)_seconds"]?.double },
            peakDialsPerSecond: summary["peak_dials_per_second"]?.int, retrySynchronisation: summary["retry_synchronisation"]?.double)
    }
}

extension RunMeasurements.Offence {
    fileprivate init?(_ line: JSONTree) {
        guard line["item"]?.string == "text", let fate = line["fate"]?.string, ["lost", "duplicated"].contains(fate),
            let due = line["due_s"]?.double ?? line["started_s"]?.double, let known = line["known_s"]?.double
        else { return nil }
        self.init(isDuplicate: fate == "duplicated", dueSeconds: due, knownSeconds: known)
    }
}

extension RunMeasurements.Return {
    /// The rows of `reconnects.csv` that belong to an outage; lines that are none, and a last one without its end, are left out.
    fileprivate static func rows(_ bytes: [UInt8]) -> [RunMeasurements.Return] {
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
        var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))[...]
        guard let header = lines.popFirst(), let names = CSVCell.split(String(decoding: header, as: UTF8.self)) else { return [] }
        let wanted = ["device", "outage", "attempts", "censored", "observed_s"].map { names.firstIndex(of: $0) }
        guard let device = wanted[0], let outage = wanted[1], let attempts = wanted[2], let censored = wanted[3], let observed = wanted[4]
        else { return [] }
        return lines.compactMap { line in
            guard let cells = CSVCell.split(String(decoding: line, as: UTF8.self)), cells.count == names.count,
                let number = Int(cells[outage]), let time = Double(cells[observed]), time.isFinite, time >= 0
            else { return nil }
            return RunMeasurements.Return(
                device: cells[device], outage: number, lifetime: Lifetime(time: time, isEvent: cells[censored] == "false"),
                attempts: Int(cells[attempts]) ?? 0)
        }
    }
}
