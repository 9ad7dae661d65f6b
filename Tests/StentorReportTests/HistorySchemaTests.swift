import StentorBase
import StentorMetrics
import Testing

@testable import StentorReport

struct HistorySchemaTests {
    private let fixture: HistoryFixture

    init() throws {
        fixture = try HistoryFixture()
    }

    /// A history as version 1 of the tables wrote it; this text never changes.
    private func makeVersion1(at path: String) throws {
        let database = try Database(path, .creating)
        let statements: [StaticString] = [
            "PRAGMA journal_mode = WAL",
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
            """
            INSERT INTO runs VALUES (7, '20261130T034210Z-nightly-soak', '', 'loader', 1796010130250, 'nightly-soak', 'ab12', 1796010190250,
                60.0, 'pass', 0, 10, '0.0.9', 'hermes', 'gw.example', NULL, '/runs/20261130T034210Z-nightly-soak', 1796010191000)
            """,
            "INSERT INTO labels VALUES (7, 'server', '1.0.0')",
            "INSERT INTO numbers VALUES (7, 'messages.lost', '', 3, NULL), (7, 'reply.p99', 'steady', 0.12, 200)",
            "PRAGMA application_id = 1400139380", "PRAGMA user_version = 1",
        ]
        for statement in statements { _ = try database.rows(statement) }
    }

    @Test func `a version 1 file keeps its runs and takes new ones`() throws {
        let path = fixture.root.path("old.sqlite")
        try makeVersion1(at: path)
        let history = try RunHistory(readingAt: path)
        let old = try #require(try history.runs().first)
        #expect(old.runID == "20261130T034210Z-nightly-soak" && old.version == "0.0.9" && old.isVanished)
        #expect(old.labels == [.init(name: "server", value: "1.0.0")])
        #expect(try history.numbers(of: old).map(\.value) == [3, 0.12])
        #expect(try history.gates(of: old).isEmpty)
        try fixture.record(HistoryFixture.report(1), in: history)
        #expect(try history.runs().count == 2)
        #expect(try history.gates(of: try #require(try history.runs().first)).count == 1)
        #expect(try Database(path, .existing).integer("PRAGMA user_version") == HistorySchema.version)
    }

    @Test func `a newer file is refused and stays as it is`() throws {
        _ = try fixture.opened()
        let database = try Database(fixture.path, .existing)
        try database.run("PRAGMA user_version = 3")
        let expected = UserFailure(
            .file, "has version 3 of the history's tables, and this program knows versions up to 2", place: fixture.path,
            hint: "use a newer stentor, or another file with --db or STENTOR_HISTORY")
        #expect(HistoryFixture.failure { () throws(UserFailure) in _ = try RunHistory(readingAt: fixture.path) } == expected)
        #expect(HistoryFixture.failure { () throws(UserFailure) in _ = try RunHistory(recordingAt: fixture.path) } == expected)
        #expect(try database.integer("PRAGMA user_version") == 3)
    }

    @Test func `a new file is in write-ahead mode and has today's version`() throws {
        _ = try fixture.opened()
        let database = try Database(fixture.path, .existing)
        #expect(try database.rows("PRAGMA journal_mode") == [[.text("wal")]])
        #expect(try database.integer("PRAGMA user_version") == 2)
        #expect(try database.integer("PRAGMA application_id") == 0x5374_6E74)
    }

    @Test func `a transaction that fails changes nothing, and the next one works`() throws {
        _ = try fixture.opened()
        let database = try Database(fixture.path, .existing)
        #expect(throws: Database.Failure.self) {
            try database.transaction { () throws(Database.Failure) in
                try database.run("INSERT INTO labels VALUES (1, 'a', 'b')")
                try database.run("INSERT INTO labels VALUES (1, 'a', 'twice')")
            }
        }
        #expect(try database.integer("SELECT count(*) FROM labels") == 0)
        try database.transaction { () throws(Database.Failure) in
            try database.run("INSERT INTO labels VALUES (?1, ?2, ?3)", [.integer(Int64(1)), .text("a'; DROP TABLE labels; --"), .text("")])
        }
        #expect(try database.rows("SELECT name, value FROM labels") == [[.text("a'; DROP TABLE labels; --"), .text("")]])
    }

    @Test func `values come back as they went in`() throws {
        let database = try Database(fixture.root.path("values.sqlite"), .creating)
        try database.run("CREATE TABLE t (a, b, c, d)")
        let rows: [[Database.Value]] = [
            [.null, .integer(Int64.min), .real(0.1), .text("ü\u{0}x")], [.text(""), .integer(Int64.max), .real(-0.0), .text("\u{1F4F1}")],
        ]
        try database.run("INSERT INTO t VALUES (?1, ?2, ?3, ?4)", each: rows)
        #expect(try database.rows("SELECT * FROM t") == rows)
    }
}
