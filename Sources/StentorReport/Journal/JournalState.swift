import StentorBase
import StentorMetrics

/// The files and what is collected for them.
struct JournalState: ~Copyable {
    private let directory: RunDirectory
    private let runID: String
    private let intervals: ThinnedFile
    private let timeline: ThinnedFile
    private let events: AppendedFile
    private let reconnects: AppendedFile
    private var offenders: OffenderFile
    private let log = IntervalLog()
    private let rule: ThinnedFile.Rule
    private var watcher: EventWatcher
    private var block: JournalSecond?
    private var hasBegun = false

    /// Events beyond this many bytes are dropped but for the last one.
    static let eventBytes = 16 << 20

    init(_ directory: RunDirectory, runID: String, drills: Set<String>, rule: ThinnedFile.Rule) throws(UserFailure) {
        let intervals = try Self.thinned(.intervals, directory, rule)
        let timeline = try Self.thinned(.timeline, directory, rule)
        let events = try Self.appended(.events, directory)
        let reconnects = try Self.appended(.reconnects, directory)
        let offenders = try Self.appended(.offenders, directory)
        (self.directory, self.runID, self.rule) = (directory, runID, rule)
        (self.intervals, self.timeline) = (intervals, timeline)
        (self.events, self.reconnects) = (events, reconnects)
        self.offenders = OffenderFile(offenders)
        watcher = EventWatcher(drills: drills)
        timeline.begin(TimelineColumn.header)
        reconnects.append(ReconnectRow.header)
    }

    private static func thinned(
        _ file: RunDirectory.File, _ directory: RunDirectory, _ rule: ThinnedFile.Rule
    ) throws(UserFailure) -> ThinnedFile {
        do throws(SystemFile.Failure) {
            return try ThinnedFile(file.rawValue, in: directory.path, rule: rule)
        } catch {
            throw directory.failure(file.rawValue, error)
        }
    }

    private static func appended(_ file: RunDirectory.File, _ directory: RunDirectory) throws(UserFailure) -> AppendedFile {
        do throws(SystemFile.Failure) {
            return try AppendedFile(file.rawValue, path: "\(directory.path)/\(file.rawValue)")
        } catch {
            throw directory.failure(file.rawValue, error)
        }
    }

    // MARK: - Taking

    mutating func record(_ second: JournalSecond) {
        begin(baseSeconds: second.wallSeconds - second.endSeconds)
        intervals.append(log.lines(second.delta, from: second.startSeconds, to: second.endSeconds))
        timeline.append(TimelineColumn.row(second))
        for event in watcher.events(second) { note(event) }
        for record in second.delta.reconnects { reconnects.append(ReconnectRow.line(record, second.outages)) }
        offenders.append(second.delta)
        if block == nil { block = second } else { block?.merge(second) }
        // Seconds are never exactly one: ten of them may be a little short of ten.
        if let block, block.lengthSeconds >= rule.coarseSeconds - 0.5 { closeBlock(block) }
    }

    mutating func note(_ event: RunEvent) {
        let isEnd = if case .end = event.kind { true } else { false }
        guard events.size < Self.eventBytes || isEnd else { return }
        events.append(event.json.lineBytes)
    }

    private mutating func begin(baseSeconds: Double) {
        guard !hasBegun else { return }
        hasBegun = true
        intervals.begin(IntervalLog.header(runID: runID, baseSeconds: baseSeconds))
    }

    private mutating func closeBlock(_ second: JournalSecond) {
        block = nil
        let lines = log.lines(second.delta, from: second.startSeconds, to: second.endSeconds)
        intervals.appendCoarse(lines, endingAt: second.endSeconds)
        timeline.appendCoarse(TimelineColumn.row(second), endingAt: second.endSeconds)
    }

    /// How many offenders have a line, and how many are only counted.
    var offenderTally: OffenderTally { offenders.tally }

    // MARK: - Writing

    mutating func flush(isDurable: Bool) -> [UserFailure] {
        var failures: [UserFailure] = []
        func attempt(_ file: RunDirectory.File, _ body: () throws(SystemFile.Failure) -> Void) {
            do throws(SystemFile.Failure) { try body() } catch { failures.append(directory.failure(file.rawValue, error)) }
        }
        attempt(.intervals) { () throws(SystemFile.Failure) in try intervals.flush() }
        attempt(.timeline) { () throws(SystemFile.Failure) in try timeline.flush() }
        for (file, appended) in [(RunDirectory.File.events, events), (.reconnects, reconnects), (.offenders, offenders.file)] {
            attempt(file) { () throws(SystemFile.Failure) in try appended.flush() }
        }
        guard isDurable, failures.isEmpty else { return failures }
        attempt(.intervals) { () throws(SystemFile.Failure) in try intervals.synchronise() }
        attempt(.timeline) { () throws(SystemFile.Failure) in try timeline.synchronise() }
        for (file, appended) in [(RunDirectory.File.events, events), (.reconnects, reconnects), (.offenders, offenders.file)] {
            attempt(file) { () throws(SystemFile.Failure) in try appended.synchronise() }
        }
        return failures
    }

    mutating func finish() -> [UserFailure] {
        offenders.finish()
        var failures = flush(isDurable: true)
        intervals.finish()
        timeline.finish()
        let lost: [(RunDirectory.File, Int)] = [
            (.intervals, intervals.lostBytes), (.timeline, timeline.lostBytes), (.events, events.lostBytes),
            (.reconnects, reconnects.lostBytes), (.offenders, offenders.file.lostBytes),
        ]
        for (file, bytes) in lost where bytes > 0 {
            failures.append(
                UserFailure(
                    .file, "\(bytes) bytes are missing: they could not be written in time", place: "\(directory.path)/\(file.rawValue)"))
        }
        return failures
    }
}
