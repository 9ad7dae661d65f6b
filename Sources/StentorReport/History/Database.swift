import CSQLite

/// One connection to a SQLite database: the only file that calls the library.
///
/// Texts of SQL are literals of this program, so that no value can become part of one; values are bound. Not for two threads at once.
/// Calls block, for ``busySeconds`` at most while another process writes.
final class Database {
    /// How the file is opened.
    enum Access {
        /// Reads and writes; made when missing.
        case creating
        /// Reads and writes; must exist. A file that cannot be written to is read only.
        case existing
    }

    /// A call that SQLite refused: its primary result code and its text.
    struct Failure: Error, Equatable {
        let code: Int32
        let text: String

        /// Whether other processes wrote for longer than ``busySeconds``.
        var isBusy: Bool { code == SQLITE_BUSY }
        /// Whether the file is none of SQLite's.
        var isForeign: Bool { code == SQLITE_NOTADB }
    }

    /// A value of a column.
    enum Value: Equatable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    /// How long a call waits for other writers, in seconds.
    static let busySeconds = 10
    private static let pauseMilliseconds: Int32 = 20

    private let connection: OpaquePointer

    /// Opens a file.
    init(_ path: String, _ access: Access) throws(Failure) {
        let flags = SQLITE_OPEN_READWRITE | (access == .creating ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let failure = Failure(code: code & 0xFF, text: String(cString: opened.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
            sqlite3_close_v2(opened)
            throw failure
        }
        connection = opened
        sqlite3_busy_timeout(connection, Int32(Self.busySeconds * 1000))
    }

    deinit {
        // Statements do not outlive the calls that made them, so this closes at once.
        sqlite3_close_v2(connection)
    }

    /// Runs a statement for what it changes.
    ///
    /// - Returns: How many rows an `INSERT`, `UPDATE` or `DELETE` changed.
    @discardableResult
    func run(_ sql: StaticString, _ values: [Value] = []) throws(Failure) -> Int {
        try Statement(connection, sql).run(values)
        return Int(sqlite3_changes(connection))
    }

    /// Runs a statement once for each row of values.
    func run(_ sql: StaticString, each rows: [[Value]]) throws(Failure) {
        let statement = try Statement(connection, sql)
        for values in rows { try statement.run(values) }
    }

    /// All rows that a statement gives.
    func rows(_ sql: StaticString, _ values: [Value] = []) throws(Failure) -> [[Value]] {
        var rows: [[Value]] = []
        try Statement(connection, sql).run(values) { rows.append($0) }
        return rows
    }

    /// The whole number that a statement gives in its first row; nil when it gives none.
    func integer(_ sql: StaticString, _ values: [Value] = []) throws(Failure) -> Int64? {
        if case .integer(let value)? = try rows(sql, values).first?.first { value } else { nil }
    }

    /// Reads several things as they were at one moment; others go on writing. Not to be nested.
    func snapshot<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try transaction("BEGIN", body)
    }

    /// Does a piece of work whole or not at all; other writers wait. Not to be nested.
    ///
    /// The lock is taken before anything is read: a transaction that begins by reading cannot wait for its turn to write.
    @discardableResult
    func transaction<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try transaction("BEGIN IMMEDIATE", body)
    }

    private func transaction<Result>(_ begin: StaticString, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try run(begin)
        do throws(Failure) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A commit or statement that fails may have ended the transaction itself.
            if sqlite3_get_autocommit(connection) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    /// Lets readers go on while one process writes, where the file system can do that; elsewhere the journal stays what it is.
    func useWriteAheadLog() throws(Failure) {
        // SQLite does not wait for its turn here, but refuses at once.
        for _ in 0..<(Int32(Self.busySeconds) * 1000 / Self.pauseMilliseconds) {
            do throws(Failure) {
                _ = try rows("PRAGMA journal_mode = WAL")
                return
            } catch {
                guard error.isBusy else { throw error }
                sqlite3_sleep(Self.pauseMilliseconds)
            }
        }
        _ = try rows("PRAGMA journal_mode = WAL")
    }
}

/// A prepared statement of one call.
private struct Statement: ~Copyable {
    private let connection: OpaquePointer
    private let handle: OpaquePointer

    init(_ connection: OpaquePointer, _ sql: StaticString) throws(Database.Failure) {
        self.connection = connection
        var prepared: OpaquePointer?
        // SAFETY: a literal has static storage and ends with a zero.
        let code = sql.withUTF8Buffer { text in
            text.withMemoryRebound(to: CChar.self) { sqlite3_prepare_v2(connection, $0.baseAddress, Int32($0.count), &prepared, nil) }
        }
        guard code == SQLITE_OK, let prepared else { throw Self.failure(connection, code) }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds values to ?1, ?2 …, runs the statement to its end, and makes it ready for another time.
    func run(_ values: [Database.Value], row: ([Database.Value]) -> Void = { _ in }) throws(Database.Failure) {
        let handle = handle
        precondition(values.count == Int(sqlite3_bind_parameter_count(handle)), "Database: values and places differ in number")
        for (index, value) in values.enumerated() { try check(Self.bind(value, handle, Int32(index + 1))) }
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW {
            row((0..<sqlite3_column_count(handle)).map { Self.column(handle, $0) })
            code = sqlite3_step(handle)
        }
        let failure = code == SQLITE_DONE ? nil : Self.failure(connection, code)
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        if let failure { throw failure }
    }

    private static func bind(_ value: Database.Value, _ handle: OpaquePointer, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .real(let value): sqlite3_bind_double(handle, index, value)
        case .text(var value):
            value.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) {
                    stentor_sqlite_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        }
    }

    private static func column(_ handle: OpaquePointer, _ index: Int32) -> Database.Value {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(handle, index) else { return .null }
            // SAFETY: the bytes are copied before the next call on the statement, which may move them.
            let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))
            return .text(String(decoding: text, as: UTF8.self))
        default: return .null
        }
    }

    private func check(_ code: Int32) throws(Database.Failure) {
        guard code == SQLITE_OK else { throw Self.failure(connection, code) }
    }

    private static func failure(_ connection: OpaquePointer, _ code: Int32) -> Database.Failure {
        Database.Failure(code: code & 0xFF, text: String(cString: sqlite3_errmsg(connection)))
    }
}

extension Database.Value {
    /// A text, or null.
    static func text(_ value: String?) -> Self { value.map { .text($0) } ?? .null }
    /// A whole number, or null.
    static func integer(_ value: Int?) -> Self { value.map { .integer(Int64($0)) } ?? .null }
    /// A number, or null; also for what is not finite.
    static func real(_ value: Double?) -> Self { value.flatMap { $0.isFinite ? .real($0) : nil } ?? .null }

    /// The text; nil for any other value.
    var text: String? { if case .text(let value) = self { value } else { nil } }
    /// The whole number; nil for any other value.
    var int: Int? { if case .integer(let value) = self { Int(value) } else { nil } }
    /// The number; nil for any other value.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .text: nil
        }
    }
}
