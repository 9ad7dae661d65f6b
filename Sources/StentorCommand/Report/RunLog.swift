import StentorBase
import StentorLoop
import StentorMetrics
import StentorReport

/// Feeds the files of the run directory while a run goes on, away from the control loop, which a slow disk must not hold up.
/// Control loop only.
///
/// One thread writes at a time; what comes meanwhile waits. When the disk is slower than the run for long, seconds are made one,
/// so that memory stays bounded and no count is lost.
final class RunLog {
    private let directory: RunDirectory
    private let journal: RunJournal
    private let control: EventLoop
    private let say: (String) -> Void
    private var seconds: [JournalSecond] = []
    private var events: [RunEvent] = []
    private var checkpoint: RunReport?
    private var isWriting = false
    private var lastElapsed = 0.0
    /// What went wrong, each once, in the order in which it came up.
    private(set) var warnings: [String] = []

    /// Seconds that may wait for the disk before they are merged.
    private static let waitingSeconds = 30

    /// Makes the files.
    ///
    /// - Parameter say: Tells the user of something that went wrong; called once for each.
    init(
        _ directory: RunDirectory, runID: String, drills: Set<String>, control: EventLoop, say: @escaping (String) -> Void
    ) throws(UserFailure) {
        self.directory = directory
        self.control = control
        self.say = say
        journal = try RunJournal(directory, runID: runID, drills: drills)
    }

    /// Takes the state at the end of a second.
    func secondPassed(_ snapshot: RunSnapshot, _ outages: [Outage]) {
        let second = JournalSecond(snapshot: snapshot, outages: outages, startSeconds: lastElapsed, wallSeconds: Self.now)
        lastElapsed = snapshot.elapsedSeconds
        if seconds.count < Self.waitingSeconds { seconds.append(second) } else { seconds[seconds.count - 1].merge(second) }
        write()
    }

    /// Takes an event.
    func note(_ kind: RunEvent.Kind) {
        events.append(RunEvent(kind, wallSeconds: Self.now, elapsedSeconds: lastElapsed > 0 ? lastElapsed : nil))
        write()
    }

    /// Replaces the summary with a checkpoint; one that waits is replaced by a newer one.
    func write(checkpoint report: RunReport) {
        checkpoint = report
        write()
    }

    /// Writes what is left.
    ///
    /// - Returns: The files that are not complete; they are told by the caller.
    func finish() async -> [UserFailure] {
        while isWriting { await control.sleep(until: .now() + .milliseconds(5)) }
        let (journal, seconds, events) = (journal, seconds, events)
        return await control.offload {
            for second in seconds { journal.record(second) }
            for event in events { journal.note(event) }
            return journal.finish()
        }
    }

    /// What stands in `offenders.jsonl` so far.
    var offenderTally: OffenderTally { journal.offenderTally }

    /// Waits until everything taken was tried to be written.
    func settle() async {
        while isWriting { await control.sleep(until: .now() + .milliseconds(5)) }
    }

    private static var now: Double { Double(WallClock.nanosecondsSinceEpoch()) / 1e9 }

    private func write() {
        guard !isWriting, !(seconds.isEmpty && events.isEmpty && checkpoint == nil) else { return }
        isWriting = true
        let (directory, journal, seconds, events, checkpoint) = (directory, journal, seconds, events, checkpoint)
        self.seconds.removeAll()
        self.events.removeAll()
        self.checkpoint = nil
        control.offload({
            for second in seconds { journal.record(second) }
            for event in events { journal.note(event) }
            var failures = journal.flush(isDurable: checkpoint != nil)
            if var checkpoint {
                checkpoint.offenders = journal.offenderTally
                do throws(UserFailure) { try directory.write(checkpoint) } catch { failures.append(error) }
            }
            return failures
        }) { [self] failures in
            isWriting = false
            warn(failures)
            write()
        }
    }

    /// One full disk fails every file: the user is told of it once.
    private func warn(_ failures: [UserFailure]) {
        for failure in failures where !warnings.contains(failure.message) {
            warnings.append(failure.message)
            events.append(
                RunEvent(.warning("\(failure.place): \(failure.message)"), wallSeconds: Self.now, elapsedSeconds: lastElapsed))
            say("\(failure.place): \(failure.message)")
        }
    }
}
