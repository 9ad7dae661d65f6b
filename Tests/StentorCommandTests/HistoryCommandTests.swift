import StentorBase
import StentorMetrics
import StentorReport
import TestSupport
import Testing

@testable import StentorCommand

@Suite struct `The commands of the history` {
    private let table = CommandTable.standard(version: "1", dialects: ["hermes"], gatewayOptions: [])

    private func read(_ line: String) -> CommandLineReading { table.read(line.split(separator: " ").map(String.init)) }

    private func rendered(_ line: String) -> String? {
        if case .failures(let failures) = read(line) { failures.rendered } else { nil }
    }

    @Test(arguments: ["history", "history list"]) func `list everything without options`(line: String) {
        #expect(read(line) == .command(.history(HistoryArguments(.list))))
    }

    @Test func `take a selection`() {
        var expected = HistoryArguments(.list)
        expected.selection.profile = "soak"
        expected.selection.labels = [.init(name: "server", value: "1.1"), .init(name: "zone", value: "b")]
        expected.selection.verdicts = [.pass, .fail]
        expected.selection.last = 7
        (expected.database, expected.printsJSON) = ("h.db", true)
        let line = "--profile soak --label server=1.1 --label zone=b --verdict pass --verdict fail --last 7 --db h.db --json"
        #expect(read("history list \(line)") == .command(.history(expected)))
        #expect(read("history \(line)") == .command(.history(expected)))
        expected.action = .export
        #expect(read("history export \(line)") == .command(.history(expected)))
    }

    @Test func `take a run, a number or several runs`() {
        #expect(read("history show last") == .command(.history(HistoryArguments(.show("last")))))
        var trend = HistoryArguments(.trend(number: "reply.p99", phase: .recovery, page: "t.html"))
        trend.selection.profile = "soak"
        #expect(read("history trend reply.p99 --in recovery --profile soak --html t.html") == .command(.history(trend)))
        #expect(read("history forget a b") == .command(.history(HistoryArguments(.forget(["a", "b"])))))
        var forget = HistoryArguments(.forget([]))
        (forget.selection.isVanished, forget.olderThan) = (true, .seconds(90 * 86_400))
        #expect(read("history forget --gone --older-than 90d") == .command(.history(forget)))
    }

    @Test(arguments: [
        ("history lst", "stentor: history lst: unknown command\n  hint: did you mean 'list'?\n"),
        ("history delete", "stentor: history delete: unknown command\n  hint: known here: list, show, trend, export, forget\n"),
        ("histroy list", "stentor: histroy: unknown command\n  hint: did you mean 'history'?\n"),
        ("history show", "stentor: history show: RUN is missing\n  hint: stentor history show RUN [OPTION ...]\n"),
        ("history list x", "stentor: x: unexpected argument\n  hint: stentor history list [OPTION ...]\n"),
        ("history trend a b", "stentor: b: unexpected argument\n  hint: stentor history trend NUMBER [OPTION ...]\n"),
        (
            "history list --verdict psas",
            "stentor: --verdict: expected one of pass, fail, invalid, interrupted, incomplete, got 'psas'\n  hint: did you mean 'pass'?\n"
        ),
    ])
    func `tell what is wrong`(line: String, expected: String) {
        #expect(rendered(line) == expected)
    }

    @Test func `take what is recorded where from run and report`() {
        var run = RunArguments(profile: "p")
        (run.recording.database, run.recording.isOn) = ("h.db", false)
        #expect(read("run p --db h.db --no-history") == .command(.run(run)))
        var report = ReportArguments(run: "r")
        report.recording.database = "h.db"
        #expect(read("report r --db h.db") == .command(.report(report)))
    }

    @Test func `turn a failure to record into a warning`() throws {
        let folder = try FreshDirectory()
        let file = try folder.write("no database, but long enough to have a head of a hundred bytes, as a file of SQLite's has", to: "x")
        var recording = HistoryRecording()
        recording.database = file
        let expected = """
            stentor: \(file): the run is not in the history: is no history of stentor's
              hint: name another file with --db or STENTOR_HISTORY

            """
        #expect(recording.warning { (_) throws(UserFailure) in } == expected)
        recording.isOn = false
        #expect(recording.warning { (_) throws(UserFailure) in Issue.record("recorded") } == nil)
    }
}
