import Glibc
import StentorBase
import StentorMetrics

/// The runs recorded on this machine, in one SQLite file that many processes may use at once.
///
/// A run is recorded whole or not at all, also when its process is killed. Calls block, for ten seconds at most while others write. Not
/// for two threads at once.
public final class RunHistory {
    /// Where the file is.
    public let path: String
    private let database: Database

    /// Opens the history to record runs; makes the file and its folders when they are missing.
    ///
    /// - Throws: A failure of cause `.file` when it cannot be made, is no history, or of a newer version.
    public init(recordingAt path: String) throws(UserFailure) {
        try HistoryLocation.makeParent(of: path)
        self.path = path
        database = try Self.open(path, .creating)
    }

    /// Opens a history that is there; an older one is brought to today's version.
    ///
    /// - Throws: A failure of cause `.file` when it cannot be opened, is no history, or of a newer version; of cause `.arguments` when
    ///   there is none.
    public init(readingAt path: String) throws(UserFailure) {
        guard access(path, F_OK) == 0 else {
            throw UserFailure(
                .arguments, "there is no history yet", place: path, hint: "'stentor run' makes it at the end of the first run")
        }
        self.path = path
        database = try Self.open(path, .existing)
    }

    private static func open(_ path: String, _ access: Database.Access) throws(UserFailure) -> Database {
        let database: Database
        do throws(Database.Failure) { database = try Database(path, access) } catch { throw failure(error, path) }
        do throws(HistorySchema.Refusal) { try HistorySchema.migrate(database) } catch { throw failure(error, path) }
        return database
    }

    // MARK: - Recording

    /// Records a run from its report, in place of what was recorded of it before.
    ///
    /// - Parameter directory: The path of its run directory, relative to the working directory or absolute.
    /// - Throws: A failure of cause `.file`; the history is then as it was.
    public func record(_ report: RunReport, directory: String) throws(UserFailure) {
        try record(SummaryDocument.json(report), directory)
    }

    /// Records a run from its directory, in place of what was recorded of it before.
    ///
    /// - Throws: As ``record(_:directory:)``.
    public func record(_ run: StoredRun) throws(UserFailure) {
        try record(run.summary, run.path)
    }

    private func record(_ summary: JSONTree, _ directory: String) throws(UserFailure) {
        guard let entry = HistoryEntry(summary: summary, directory: HistoryLocation.absolute(directory)) else {
            throw UserFailure(.file, "does not say which run it is of", place: "\(directory)/\(RunDirectory.File.summary.rawValue)")
        }
        try attempt { database throws(Database.Failure) in
            try database.transaction { () throws(Database.Failure) in try Self.put(entry, database) }
        }
    }

    private static func put(_ entry: HistoryEntry, _ database: Database) throws(Database.Failure) {
        let now = Int64(WallClock.nanosecondsSinceEpoch() / 1_000_000)
        guard let key = try database.integer(upsert, entry.columns + [.integer(now)]) else { return }
        for table in [
            "DELETE FROM labels WHERE run = ?1", "DELETE FROM numbers WHERE run = ?1", "DELETE FROM gates WHERE run = ?1",
        ] as [StaticString] { try database.run(table, [.integer(key)]) }
        try database.run(
            "INSERT INTO labels VALUES (?1, ?2, ?3)", each: entry.labels.map { [.integer(key), .text($0.name), .text($0.value)] })
        try database.run(
            "INSERT OR REPLACE INTO numbers VALUES (?1, ?2, ?3, ?4, ?5)",
            each: entry.numbers.map { [.integer(key), .text($0.name), .text($0.phase ?? ""), .real($0.value), .integer($0.samples)] })
        try database.run(
            "INSERT INTO gates VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            each: entry.gates.enumerated().map { index, gate in
                [.integer(key), .integer(Int64(index)), .text(gate.expression), .text(gate.verdict), .real(gate.value), .text(gate.reason)]
            })
    }

    private static let upsert: StaticString = """
        INSERT INTO runs (run_id, shard, hostname, started_ms, profile, profile_digest, ended_ms, elapsed_s, verdict, exit_code, devices,
            version, dialect, target_host, server_version, directory, recorded_ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
        ON CONFLICT (run_id, shard, hostname, started_ms) DO UPDATE SET profile = ?5, profile_digest = ?6, ended_ms = ?7, elapsed_s = ?8,
            verdict = ?9, exit_code = ?10, devices = ?11, version = ?12, dialect = ?13, target_host = ?14, server_version = ?15,
            directory = ?16, recorded_ms = ?17
        RETURNING id
        """

    // MARK: - Forgetting

    /// Removes runs and their numbers from the history; their directories stay.
    ///
    /// - Returns: How many of them were still there.
    /// - Throws: A failure of cause `.file`; nothing is then removed.
    public func forget(_ runs: [RecordedRun]) throws(UserFailure) -> Int {
        try attempt { database throws(Database.Failure) in
            try database.transaction { () throws(Database.Failure) in
                var removed = 0
                for run in runs { removed += try database.run("DELETE FROM runs WHERE id = ?1", [.integer(run.key)]) }
                return removed
            }
        }
    }

    /// Does something with the database, and words its failure.
    func attempt<Result>(_ body: (Database) throws(Database.Failure) -> Result) throws(UserFailure) -> Result {
        do throws(Database.Failure) { return try body(database) } catch { throw Self.failure(error, path) }
    }
}

extension RunHistory {
    private static func failure(_ refusal: HistorySchema.Refusal, _ path: String) -> UserFailure {
        switch refusal {
        case .foreign:
            UserFailure(.file, "is no history of stentor's", place: path, hint: "name another file with --db or STENTOR_HISTORY")
        case .newer(let version):
            UserFailure(
                .file, "has version \(version) of the history's tables, and this program knows versions up to \(HistorySchema.version)",
                place: path, hint: "use a newer stentor, or another file with --db or STENTOR_HISTORY")
        case .database(let failure): Self.failure(failure, path)
        }
    }

    private static func failure(_ failure: Database.Failure, _ path: String) -> UserFailure {
        if failure.isForeign { return Self.failure(.foreign, path) }
        if failure.isBusy {
            return UserFailure(.file, "other processes have been writing to it for \(Database.busySeconds) s", place: path)
        }
        return UserFailure(.file, "the history cannot be used: \(failure.text)", place: path)
    }
}
