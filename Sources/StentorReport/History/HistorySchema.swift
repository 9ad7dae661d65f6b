/// The tables of the history, and how an older file becomes one of today.
///
/// A change of a table is a new step at the end; a step that was released never changes. Times are whole milliseconds since 1970,
/// durations seconds; a number has the unit that `summary.json` gives it.
enum HistorySchema {
    /// What is wrong with a file that cannot be used.
    enum Refusal: Error, Equatable {
        /// It is no history of Stentor's.
        case foreign
        /// A newer version of Stentor wrote it, with this version of the tables.
        case newer(Int64)
        /// SQLite refused.
        case database(Database.Failure)
    }

    private enum State: Equatable {
        case current
        case old(Int64)
        case newer(Int64)
        case foreign
    }

    /// The version that this program writes.
    static var version: Int64 { Int64(steps.count) }
    /// Marks a file as Stentor's: `Stnt` in ASCII.
    private static let applicationID: Int64 = 0x5374_6E74

    /// Brings a file to today's version, or makes its tables; changes nothing when they are as they should be, or not ours.
    static func migrate(_ database: Database) throws(Refusal) {
        do throws(Database.Failure) {
            if case .old = try state(database) {
                try database.useWriteAheadLog()
                // Another process may have been faster: what is there is looked at again once nobody else can write.
                try database.transaction { () throws(Database.Failure) in
                    if case .old(let found) = try state(database) { try apply(from: Int(found), database) }
                }
            }
            try database.run("PRAGMA foreign_keys = ON")
        } catch {
            throw error.isForeign ? .foreign : .database(error)
        }
        try check(database)
    }

    private static func check(_ database: Database) throws(Refusal) {
        let found: State
        do throws(Database.Failure) { found = try state(database) } catch { throw .database(error) }
        switch found {
        case .current, .old: return
        case .newer(let version): throw .newer(version)
        case .foreign: throw .foreign
        }
    }

    private static func state(_ database: Database) throws(Database.Failure) -> State {
        let found = try database.integer("PRAGMA user_version") ?? 0
        guard try database.integer("PRAGMA application_id") == applicationID else {
            let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
            return found == 0 && tables == 0 ? .old(0) : .foreign
        }
        return found == version ? .current : found > version ? .newer(found) : found >= 0 ? .old(found) : .foreign
    }

    private static func apply(from first: Int, _ database: Database) throws(Database.Failure) {
        for statement in steps[first...].joined() { _ = try database.rows(statement) }
    }

    private static let steps: [[StaticString]] = [
        [
            """
            CREATE TABLE runs (
                id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, shard TEXT NOT NULL, hostname TEXT NOT NULL, started_ms INTEGER NOT NULL,
                profile TEXT NOT NULL, profile_digest TEXT, ended_ms INTEGER, elapsed_s REAL, verdict TEXT NOT NULL, exit_code INTEGER,
                devices INTEGER, version TEXT NOT NULL, dialect TEXT NOT NULL, target_host TEXT NOT NULL, server_version TEXT,
                directory TEXT NOT NULL, recorded_ms INTEGER NOT NULL, UNIQUE (run_id, shard, hostname, started_ms))
            """,
            """
            CREATE TABLE labels (
                run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (run, name)) WITHOUT ROWID
            """,
            """
            CREATE TABLE numbers (
                run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL, phase TEXT NOT NULL, value REAL NOT NULL,
                samples INTEGER, PRIMARY KEY (run, name, phase)) WITHOUT ROWID
            """,
            "PRAGMA application_id = 0x53746E74",
            "PRAGMA user_version = 1",
        ],
        [
            """
            CREATE TABLE gates (
                run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, position INTEGER NOT NULL, expression TEXT NOT NULL,
                verdict TEXT NOT NULL, value REAL, reason TEXT, PRIMARY KEY (run, position)) WITHOUT ROWID
            """,
            "CREATE INDEX runs_by_start ON runs (profile, started_ms)",
            "PRAGMA user_version = 2",
        ],
    ]
}
