import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct StoredRunTests {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    private func failure(_ body: () throws(UserFailure) -> Void) -> UserFailure? {
        do throws(UserFailure) {
            try body()
            return nil
        } catch { return error }
    }

    private func reading(_ path: String) -> UserFailure? {
        failure { () throws(UserFailure) in _ = try StoredRun(path: path) }
    }

    /// The files of a run that is killed after its journal has some seconds.
    private func killed(checkpoint: Bool) throws -> RunDirectory {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        try fixture.directory.write(ReportFixture.run)
        for number in 0..<10 { journal.record(fixture.second { JournalFixture.various(number, $0) }) }
        if checkpoint { try fixture.directory.write(RunReport(run: ReportFixture.run, snapshot: fixture.snapshot())) }
        fixture.outages = [Outage(name: "late drop", startSeconds: 11.5, devicesLost: 3)]
        for number in 10..<17 { journal.record(fixture.second { JournalFixture.various(number, $0) }) }
        _ = journal.flush()
        return fixture.directory
    }

    private func report(_ directory: RunDirectory) throws -> String {
        HTMLCheck(try root.read("\(directory.name)/report.html")).text
    }

    @Test func `a killed run has a report of its last checkpoint and of all that was logged`() throws {
        let directory = try killed(checkpoint: true)
        let run = try StoredRun(path: directory.path + "/")
        try run.writeDocuments()
        let text = try report(directory)
        #expect(
            text.contains(
                "! incomplete The run was killed, or goes on. Gates and numbers are those of its last checkpoint at 0:00:10; the charts reach to 0:00:17."
            ))
        #expect(text.contains("late drop"))
        #expect(try root.read("\(directory.name)/junit.xml").contains(#"<error type="incomplete""#))
        #expect(run.summaryText == (try root.read("\(directory.name)/summary.json")))
        #expect(run.remarks == [])
    }

    @Test func `a run killed before its first checkpoint has a report of what was logged`() throws {
        let directory = try killed(checkpoint: false)
        let run = try StoredRun(path: directory.path)
        try run.writeDocuments()
        #expect(try report(directory).contains("has no checkpoint yet"))
        let summary = try JSONTree.object(reading: Array(run.summaryText.utf8))
        #expect(summary["verdict"] == .text("incomplete"))
        #expect(summary["run"]?["profile"] == .text("nightly-soak"))
    }

    @Test func `torn last lines do not matter, damaged ones are told`() throws {
        let directory = try killed(checkpoint: true)
        for name in ["timeline.csv", "intervals.hlog", "events.jsonl"] {
            let text = try root.read("\(directory.name)/\(name)")
            try root.write(text.dropLast(7) + "", to: "\(directory.name)/\(name)")
        }
        #expect(try StoredRun(path: directory.path).remarks == [])
        for name in ["timeline.csv", "intervals.hlog", "events.jsonl"] {
            let text = try root.read("\(directory.name)/\(name)")
            try root.write(text + "\n\u{0}damaged\n", to: "\(directory.name)/\(name)")
        }
        // What was torn has an end now and is damaged too.
        #expect(
            try StoredRun(path: directory.path).remarks == [
                "timeline.csv has 2 damaged lines, which are left out", "intervals.hlog has 2 damaged lines, which are left out",
                "events.jsonl has 2 damaged lines, which are left out",
            ])
    }

    @Test func `what is no run directory is told with a hint`() throws {
        let hint = "name a folder that 'stentor run' made, such as runs/20261130T034210Z-nightly-soak"
        let missing = root.path("nowhere")
        #expect(reading(missing) == UserFailure(.arguments, "there is no such run directory", place: missing, hint: hint))
        let file = try root.write("x", to: "file")
        #expect(reading(file) == UserFailure(.arguments, "is no run directory but a file", place: file, hint: hint))
        #expect(reading(root.path) == UserFailure(.arguments, "is no run directory: it has no run.json", place: root.path, hint: hint))
    }

    @Test func `a newer format is told with the version that wrote it`() throws {
        try root.write(#"{"format": 2, "version": "9.1.0"}"#, to: "run.json")
        #expect(
            reading(root.path)
                == UserFailure(
                    .file, "has the format 2, and this version reads formats up to 1", place: root.path("run.json"),
                    hint: "use the version of stentor that wrote it (9.1.0)"))
    }

    @Test func `damaged and unreadable files are told with their place`() throws {
        try root.write("{", to: "run.json")
        #expect(reading(root.path)?.message == "is damaged: \(try cause("{")) at byte 1")
        #expect(reading(root.path)?.place == root.path("run.json"))
        try root.write("{}", to: "run.json")
        try FileManager.default.createDirectory(atPath: root.path("timeline.csv"), withIntermediateDirectories: false)
        #expect(reading(root.path) == UserFailure(.file, "cannot be read (open): Is a directory", place: root.path("timeline.csv")))
    }

    private func cause(_ text: String) throws -> String {
        do {
            _ = try JSONTree.object(reading: Array(text.utf8))
            return ""
        } catch { return error.cause.rawValue }
    }

    @Test func `a report can be made elsewhere, and the directory stays as it is`() throws {
        let directory = try killed(checkpoint: true)
        let before = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        try StoredRun(path: directory.path).writeReport(to: root.path("out.html"))
        #expect(try root.read("out.html").hasPrefix("<!doctype html>"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == before)
        let run = try StoredRun(path: directory.path)
        #expect(
            failure { () throws(UserFailure) in try run.writeReport(to: root.path("none/out.html")) }
                == UserFailure(.file, "cannot write (open): No such file or directory", place: root.path("none/out.html")))
        #expect(failure { () throws(UserFailure) in try run.writeReport(to: root.path + "/") }?.cause == .arguments)
    }
}
