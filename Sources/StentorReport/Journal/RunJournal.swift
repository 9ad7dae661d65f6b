import StentorBase
import StentorMetrics
import Synchronization

/// Writes the files of a run directory that grow while the run goes on.
///
/// Lines are handed to the kernel with every second, and made durable with every checkpoint. Blocking: not for an event loop's thread.
/// Any thread, one call at a time does work.
public final class RunJournal: Sendable {
    private let state: Mutex<JournalState>

    /// Makes the files.
    ///
    /// - Parameters:
    ///   - directory: The run directory.
    ///   - runID: The run's id.
    ///   - drills: The names of the profile's drills.
    /// - Throws: A failure of cause `.file` with the file that cannot be made.
    public convenience init(_ directory: RunDirectory, runID: String, drills: Set<String> = []) throws(UserFailure) {
        try self.init(directory, runID: runID, drills: drills, rule: ThinnedFile.Rule())
    }

    init(_ directory: RunDirectory, runID: String, drills: Set<String>, rule: ThinnedFile.Rule) throws(UserFailure) {
        state = Mutex(try JournalState(directory, runID: runID, drills: drills, rule: rule))
    }

    /// Takes a second of the run; see ``JournalSecond/merge(_:)`` when one comes late.
    public func record(_ second: JournalSecond) { state.withLock { $0.record(second) } }

    /// Takes an event that does not follow from the seconds.
    public func note(_ event: RunEvent) { state.withLock { $0.note(event) } }

    /// Hands everything taken to the kernel; when something fails it is kept and tried again with the next call.
    ///
    /// - Parameter isDurable: Whether it must survive a crash of the machine: a checkpoint.
    /// - Returns: A failure of cause `.file` for each file that could not be written.
    public func flush(isDurable: Bool = false) -> [UserFailure] { state.withLock { $0.flush(isDurable: isDurable) } }

    /// How many offenders have a line in `offenders.jsonl`, and how many are only counted.
    public var offenderTally: OffenderTally { state.withLock { $0.offenderTally } }

    /// Writes the rest and removes what only the writing needed; nothing may be taken afterwards.
    ///
    /// - Returns: A failure of cause `.file` for each file that is not complete.
    public func finish() -> [UserFailure] { state.withLock { $0.finish() } }
}
