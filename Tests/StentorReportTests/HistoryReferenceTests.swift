import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct HistoryReferenceTests {
    private let fixture: HistoryFixture
    private let history: RunHistory

    init() throws {
        fixture = try HistoryFixture()
        history = try fixture.opened()
    }

    /// Four nights, two against each server, and a smoke run that the generator spoilt.
    private func recordAll() throws {
        for night in 0...3 { try fixture.record(HistoryFixture.report(night, server: night < 2 ? "1.0.0" : "1.1.0"), in: history) }
        try fixture.record(HistoryFixture.report(4, profile: "smoke", server: "1.1.0", verdict: .invalid), in: history)
    }

    private func days(_ reference: String) throws -> [String] {
        try HistoryReference.parse(reference).resolve(in: history).runs.map { String($0.runID.dropFirst(4).prefix(4)) }
    }

    private func failure(_ reference: String) -> UserFailure? {
        HistoryFixture.failure { () throws(UserFailure) in _ = try HistoryReference.parse(reference).resolve(in: history) }
    }

    @Test(arguments: [
        ("history:last", ["1203"]), ("history:last=2", ["1203", "1202"]), ("history:server=1.0.0", ["1201", "1130"]),
        ("history:label=1.1.0", ["1203", "1202"]), ("history:server=1.0.0,last", ["1201"]),
        ("history:profile=nightly-soak,last=3", ["1203", "1202", "1201"]), ("history:verdict=invalid", ["1204"]),
        ("history:20261204T034210Z-smoke", ["1204"]), ("history:20261202", ["1202"]), ("last", ["1203"]),
    ])
    func `a reference means runs, newest first`(reference: String, expected: [String]) throws {
        try recordAll()
        #expect(try days(reference) == expected)
    }

    @Test(arguments: [
        ("history:", "names no run", "write for instance history:last, history:server=1.1.1 or history:profile=soak,last=3"),
        ("history:last,", "names no run", "write for instance history:last, history:server=1.1.1 or history:profile=soak,last=3"),
        ("history:last=0", "'0' is no number of runs", "write for instance last=3"),
        (
            "history:last,servr", "'servr' is no condition",
            "write for instance history:last, history:server=1.1.1 or history:profile=soak,last=3"
        ),
        ("history:server=1.0.0,lats", "'lats' is no condition", "did you mean 'last'?"),
        ("history:verdict=invald", "there is no verdict 'invald'", "did you mean 'invalid'?"),
        ("history:lst", "the history has no such run", "did you mean 'last'?"),
        ("history:20261130T034210Z-nightly-soal", "the history has no such run", "did you mean '20261130T034210Z-nightly-soak'?"),
        ("history:2031", "the history has no such run", "'stentor history list' shows those it has"),
        (
            "history:2026120", "means 4 runs",
            "among them 20261204T034210Z-smoke, 20261203T034210Z-nightly-soak, 20261202T034210Z-nightly-soak"
        ),
        ("history:profile=nightly-soal", "the history has no such run", "did you mean 'nightly-soak'?"),
        ("history:server=1.2.0", "the history has no such run", "server is known as 1.0.0, 1.1.0"),
        ("history:servr=1.0.0", "the history has no such run", "did you mean 'server'?"),
        ("history:profile=smoke", "no such run passed or failed", "one is invalid: add verdict=invalid"),
        ("history:label=7", "the history has no such run", "'stentor history list' shows those it has"),
    ])
    func `a reference that means nothing is told with a hint`(reference: String, message: String, hint: String) throws {
        try recordAll()
        #expect(failure(reference) == UserFailure(.arguments, message, place: reference, hint: hint))
    }

    @Test func `an empty history is told`() {
        #expect(failure("history:last")?.message == "the history has no runs")
    }

    @Test func `vanished runs stand apart, and none left is told`() throws {
        try recordAll()
        let gone = "20261130T034210Z-nightly-soak"
        try FileManager.default.removeItem(atPath: fixture.root.path("runs/\(gone)"))
        let found = try HistoryReference.parse("history:server=1.0.0").resolve(in: history)
        #expect(found.runs.map(\.runID) == ["20261201T034210Z-nightly-soak"] && found.vanished.map(\.runID) == [gone])
        #expect(failure("history:\(gone)")?.message == "its run directory is gone")
        try FileManager.default.removeItem(atPath: fixture.root.path("runs"))
        #expect(failure("history:server=1.0.0")?.message == "the directories of all 2 runs are gone")
        #expect(try HistoryReference.parse("history:\(gone)").find(in: history).count == 1)
    }

    @Test func `references among arguments become directories, oldest first`() throws {
        try recordAll()
        try FileManager.default.removeItem(atPath: fixture.root.path("runs/20261203T034210Z-nightly-soak"))
        let found = try HistoryReference.directories(
            ["runs/a", "history:server=1.0.0", "history:server=1.1.0"], database: fixture.path, environment: { _ in nil })
        let runs = HistoryLocation.absolute(fixture.root.path("runs"))
        #expect(
            found.paths == ["runs/a"] + ["20261130", "20261201", "20261202"].map { "\(runs)/\($0)T034210Z-nightly-soak" })
        #expect(found.warnings == ["history:server=1.1.0: 1 run has no directory any more and is left out"])
        let off = HistoryFixture.failure { () throws(UserFailure) in
            _ = try HistoryReference.directories(["history:last"], database: nil, environment: { $0 == "STENTOR_HISTORY" ? "off" : nil })
        }
        #expect(off?.message == "the history is off")
        #expect(try HistoryReference.directories(["runs/a"], database: nil, environment: { _ in nil }).paths == ["runs/a"])
    }

    @Test func `the file is the option's, the environment's or the user's`() throws {
        func place(_ option: String? = nil, _ variables: [String: String]) throws -> String? {
            try HistoryLocation.database(option: option, environment: { variables[$0] })
        }
        let all = ["STENTOR_HISTORY": "h.db", "XDG_DATA_HOME": "/data", "HOME": "/home/a"]
        #expect(try place("x.db", all) == "x.db")
        #expect(try place(nil, all) == "h.db")
        #expect(try place(nil, ["STENTOR_HISTORY": "off", "HOME": "/home/a"]) == nil)
        #expect(try place("x.db", ["STENTOR_HISTORY": "off"]) == "x.db")
        #expect(try place(nil, ["STENTOR_HISTORY": "", "XDG_DATA_HOME": "/data", "HOME": "/home/a"]) == "/data/stentor/history.sqlite")
        #expect(try place(nil, ["XDG_DATA_HOME": "relative", "HOME": "/home/a"]) == "/home/a/.local/share/stentor/history.sqlite")
        let nowhere = HistoryFixture.failure { () throws(UserFailure) in
            _ = try HistoryLocation.database(option: nil, environment: { _ in nil })
        }
        #expect(
            nowhere
                == UserFailure(
                    .arguments, "there is no place for the history: neither XDG_DATA_HOME nor HOME is set",
                    hint: "name a file with --db or STENTOR_HISTORY"))
    }
}
