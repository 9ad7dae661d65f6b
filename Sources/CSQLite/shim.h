// Fills this gap of Swift's importer: SQLITE_TRANSIENT, a cast that is no constant to it. No policy.
#pragma once
#include <sqlite3.h>

/// Binds a text that SQLite copies; `bytes` need not outlive the call and may be NULL when `count` is 0.
static inline int stentor_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}
