import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct RunHistoryTests {
    private let fixture: HistoryFixture

    init() throws {
        fixture = try HistoryFixture()
    }

    private func reading(_ path: String) -> UserFailure? {
        HistoryFixture.failure { () throws(UserFailure) in _ = try RunHistory(readingAt: path) }
    }

    @Test func `a run is recorded with its identity, numbers and gates`() throws {
        let history = try fixture.opened()
        try fixture.record(HistoryFixture.report(0, milliseconds: 120, lost: 2), in: history)
        let run = try #require(try history.runs().first)
        #expect(run.runID == "20261130T034210Z-nightly-soak" && run.profile == "nightly-soak" && run.profileDigest == "ab12")
        #expect(run.startedAtSeconds == 1_796_010_130.25 && run.endedAtSeconds == 1_796_010_190.25 && run.elapsedSeconds == 60)
        #expect(run.verdict == .pass && run.exitCode == 0 && run.devices == 10 && run.isJudged && !run.isVanished)
        #expect(run.labels == [.init(name: "server", value: "1.0.0")] && run.hostname == "loader" && run.targetHost == "gw.example")
        let numbers = try history.numbers(of: run)
        func value(_ name: String, _ phase: String? = nil) -> Double? { numbers.first { $0.name == name && $0.phase == phase }?.value }
        #expect(value("messages.lost") == 2 && value("messages.sent") == 200)
        // Ready 3, refused 1; a dial that was given up is no failure.
        #expect(value("ready.rate") == 0.75 && value("messages.lost_rate") == 0.01)
        let p99 = try #require(value("reply.p99", "steady"))
        #expect(abs(p99 - 0.12) < 0.001 && value("reply.count", "steady") == 200)
        // Not measured, and too few samples: no row, which is not 0.
        #expect(value("uploads.lost") == nil && value("reply.p99", "recovery") == nil && value("reply.count", "recovery") == 8)
        let gate = try #require(try history.gates(of: run).first)
        #expect(gate.expression == "messages.lost == 0" && gate.verdict == "fail" && gate.value == 2)
    }

    @Test func `a run recorded again replaces itself`() throws {
        let history = try fixture.opened()
        try fixture.record(HistoryFixture.report(0, server: "old", verdict: .incomplete, lost: 9), in: history)
        try fixture.record(HistoryFixture.report(1), in: history)
        try fixture.record(HistoryFixture.report(0, server: "new", lost: 2), in: history)
        let runs = try history.runs()
        #expect(runs.map(\.runID) == ["20261201T034210Z-nightly-soak", "20261130T034210Z-nightly-soak"])
        #expect(runs[1].verdict == .pass && runs[1].labels.map(\.value) == ["new"])
        #expect(try history.numbers(of: runs[1]).first { $0.name == "messages.lost" }?.value == 2)
    }

    @Test func `two runs of one second in different places are two runs`() throws {
        let history = try fixture.opened()
        var report = HistoryFixture.report(0)
        try fixture.record(report, in: history)
        report.run.identity.startedAtSeconds += 0.5
        try fixture.record(report, in: history)
        report.run.host.hostname = "other"
        try fixture.record(report, in: history)
        #expect(try history.runs().count == 3)
    }

    @Test func `a run made again from its directory is the same`() throws {
        let directory = try RunDirectory.make(below: fixture.root.path, profile: "nightly-soak", startedAtSeconds: 1_796_010_130.25)
        let report = try ReportFixture.full()
        try directory.write(report.run)
        try directory.write(report)
        let entry = try #require(HistoryEntry(summary: SummaryDocument.json(report), directory: directory.path))
        #expect(HistoryEntry(summary: try StoredRun(path: directory.path).summary, directory: directory.path) == entry)
        let history = try fixture.opened()
        try history.record(report, directory: directory.path)
        try history.record(try StoredRun(path: directory.path))
        #expect(try history.runs().map(\.isVanished) == [false])
    }

    @Test func `a vanished run directory is known as such, and its numbers stay`() throws {
        let history = try fixture.opened()
        try fixture.record(HistoryFixture.report(0), in: history)
        try FileManager.default.removeItem(atPath: fixture.root.path("runs"))
        let run = try #require(try history.runs().first)
        #expect(run.isVanished)
        #expect(try !history.numbers(of: run).isEmpty)
        #expect(HistoryText.list([run]).contains("directory gone"))
    }

    @Test func `a forgotten run leaves nothing`() throws {
        let history = try fixture.opened()
        for night in 0...2 { try fixture.record(HistoryFixture.report(night), in: history) }
        let runs = try history.runs()
        #expect(try history.forget([runs[1]]) == 1)
        #expect(try history.forget([runs[1]]) == 0)
        #expect(try history.runs().map(\.key) == [runs[0].key, runs[2].key])
        #expect(try history.numbers(of: runs[1]).isEmpty && history.gates(of: runs[1]).isEmpty)
        let labels = try Database(fixture.path, .existing).integer("SELECT count(*) FROM labels")
        #expect(labels == 2)
    }

    @Test func `selections hold together`() throws {
        let history = try fixture.opened()
        for night in 0...3 { try fixture.record(HistoryFixture.report(night, server: night < 2 ? "1.0" : "1.1"), in: history) }
        try fixture.record(HistoryFixture.report(4, profile: "smoke", server: "1.1", verdict: .invalid), in: history)
        func count(_ change: (inout HistorySelection) -> Void) throws -> Int {
            var selection = HistorySelection()
            change(&selection)
            return try history.runs(selection).count
        }
        #expect(try count { _ in } == 5)
        #expect(try count { $0.profile = "nightly-soak" } == 4)
        #expect(try count { $0.labels = [.init(name: "server", value: "1.1")] } == 3)
        #expect(try count { ($0.labelValue, $0.verdicts) = ("1.1", [.pass]) } == 2)
        #expect(try count { ($0.profile, $0.last) = ("nightly-soak", 3) } == 3)
        #expect(try count { $0.startedBefore = 1_796_010_130.25 + 86_400 } == 1)
        #expect(try count { $0.isVanished = true } == 0)
    }

    @Test func `the history's folder is the user's alone`() throws {
        _ = try fixture.opened()
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.root.path("data"))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `what is no history is refused and stays as it is`() throws {
        let missing = fixture.root.path("none.sqlite")
        #expect(
            reading(missing)
                == UserFailure(
                    .arguments, "there is no history yet", place: missing, hint: "'stentor run' makes it at the end of the first run"))
        let text = try fixture.root.write("no database, but a text that is long enough to have a head of some bytes", to: "notes.txt")
        let refusal = UserFailure(
            .file, "is no history of stentor's", place: text, hint: "name another file with --db or STENTOR_HISTORY")
        #expect(reading(text) == refusal)
        let other = fixture.root.path("other.sqlite")
        let database = try Database(other, .creating)
        try database.run("CREATE TABLE bookmarks (id INTEGER)")
        #expect(reading(other)?.message == refusal.message)
        #expect(HistoryFixture.failure { () throws(UserFailure) in _ = try RunHistory(recordingAt: other) }?.message == refusal.message)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
        let mode = try database.rows("PRAGMA journal_mode")
        #expect(mode == [[.text("delete")]])
    }

    @Test func `a place that cannot be written to is told`() throws {
        let file = try fixture.root.write("x", to: "file")
        let below = file + "/history.sqlite"
        let failure = HistoryFixture.failure { () throws(UserFailure) in _ = try RunHistory(recordingAt: below) }
        #expect(failure == UserFailure(.file, "the history cannot be used: unable to open database file", place: below))
    }
}
