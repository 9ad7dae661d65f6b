import Foundation
import TestSupport
import Testing

/// The files of a run directory, made by the program itself.
@Suite(.slots(1)) struct RunFilesTests {
    private let profile = StentorRun.fixture("profiles/short.yaml")

    private func lines(_ run: StentorRun, _ name: String) throws -> [String] {
        try String(contentsOfFile: (try #require(run.path)) + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func stentor(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run([StentorBinary.path] + arguments)
    }

    @Test func `a run leaves every file, and nothing else`() async throws {
        let run = try await StentorRun.run(profile)
        let names = try FileManager.default.contentsOfDirectory(atPath: try #require(run.path)).sorted()
        #expect(
            names == [
                "events.jsonl", "intervals.hlog", "junit.xml", "offenders.jsonl", "profile.yaml", "reconnects.csv", "report.html",
                "run.json",
                "summary.json", "timeline.csv",
            ])
        #expect(try lines(run, "report.html").first == "<!doctype html>")
        let events = try lines(run, "events.jsonl").map { try Facts($0) }
        #expect(events.first?["event"].text == "start")
        #expect(events.last?["event"].text == "end")
        #expect(events.last?["verdict"].text == run.summary["verdict"].text)
    }

    @Test func `the rows of the timeline add up to the summary`() async throws {
        let run = try await StentorRun.run(profile)
        let rows = try lines(run, "timeline.csv").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let header = try #require(rows.first)
        func column(_ name: String) throws -> [Double] {
            let index = try #require(header.firstIndex(of: name))
            return rows.dropFirst().map { Double($0[index]) ?? 0 }
        }
        let lengths = try column("interval_s")
        for (name, count) in [
            ("texts_sent_per_s", "messages.sent"), ("dials_per_s", "dials"), ("ready_per_s", "ready"), ("losses_per_s", "disconnects"),
        ] {
            let sum = zip(try column(name), lengths).reduce(0) { $0 + $1.0 * $1.1 }
            // Rates and lengths have three decimals.
            #expect(abs(sum - Double(try run.count(count))) < 0.5, "\(name)")
        }
    }

    @Test func `a run whose directory vanishes goes on, prints its numbers and exits with 1`() async throws {
        let going = try StentorRun.start(profile)
        // The last of the files that are made at the start: what is made during a removal would hinder it.
        let name = try await eventually("run directory") {
            let runs = (try? FileManager.default.contentsOfDirectory(atPath: going.folder.path("runs"))) ?? []
            return runs.first { FileManager.default.fileExists(atPath: going.folder.path("runs/\($0)/offenders.jsonl")) }
        }
        // Its checkpoint may be made in the midst of a removal, which then fails.
        _ = try await eventually("end of the directory") {
            try? FileManager.default.removeItem(atPath: going.folder.path("runs/\(name)"))
            return FileManager.default.fileExists(atPath: going.folder.path("runs/\(name)")) ? nil : true
        }
        let run = try await going.finish()
        #expect(run.outcome.exitCode == 1)
        let complaints = run.outcome.errors.split(separator: "\n").filter {
            $0.hasPrefix("stentor: ") && $0.contains("No such file or directory")
        }
        // Once while it runs, once at its end.
        #expect(complaints.count <= 2 && !complaints.isEmpty)
        #expect(run.outcome.errors.contains("verdict: "))
    }

    @Test func `what is no run directory is refused`() async throws {
        let folder = try FreshDirectory()
        let outcome = try await stentor(["report", folder.path])
        #expect(
            outcome
                == ChildProcess.Outcome(
                    exitCode: 64,
                    errors: """
                        stentor: \(folder.path): is no run directory: it has no run.json
                          hint: name a folder that 'stentor run' made, such as runs/20261130T034210Z-nightly-soak

                        """))
    }
}
