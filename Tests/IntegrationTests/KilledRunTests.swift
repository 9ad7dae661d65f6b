import Foundation
import TestSupport
import Testing

/// Runs that are killed: what they leave, and what a report makes of it.
@Suite(.slots(1))
struct KilledRunTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")
    /// Seconds from one checkpoint to the next.
    private static let period = 10

    /// The timeline of a run that goes on.
    private func timeline(_ run: StentorRun.Ongoing) -> Timeline? {
        let runs = (try? FileManager.default.contentsOfDirectory(atPath: run.folder.path("runs"))) ?? []
        return runs.first.flatMap { try? run.folder.read("runs/\($0)/timeline.csv") }.map(Timeline.init)
    }

    @Test(.requiresPeer("gateways"), .requiresHdrPython)
    func `a killed run lacks at most what came after its last checkpoint, and its report says incomplete`() async throws {
        let judge = try await PythonPeers.gateway("hermes_gateway.py", ["--token", StentorRun.token, "--life", "120"])
        let going = try StentorRun.start(Self.short, ["--target", judge.url, "--duration", "60s"])
        _ = try await eventually("half a period behind a checkpoint", within: .seconds(60)) {
            timeline(going)?.column("elapsed_s").last.flatMap { $0 ?? 0 >= 15 ? true : nil }
        }
        going.process.signal(SIGKILL)
        let run = try await going.finish()
        #expect(run.outcome.exitCode == 128 + SIGKILL && run.outcome.output == "")
        let judged = try #require(try Facts(try await judge.stop())["texts"].count)
        try expectBounded(run, judged: judged, try #require(timeline(going)))
        try await expectReadable(run)
    }

    /// The report knows the numbers of a moment that is no further back than a checkpoint's period.
    private func expectBounded(_ run: StentorRun, judged: Int, _ timeline: Timeline) throws {
        #expect(run.summary["verdict"].text == "incomplete" && run.summary["exit_code"] == .null)
        run.expectSchema()
        let checkpoint = try #require(run.summary["elapsed_seconds"].number)
        let behind = timeline.column("elapsed_s").count { $0 ?? 0 > checkpoint + 0.001 }
        // A row a second; one more when it was killed between the file's lines and the checkpoint.
        #expect(behind <= Self.period + 1, "the checkpoint is at \(checkpoint) s")
        let sent = try run.count("messages.sent")
        // What the checkpoint counts had long been answered; 20 devices send 50 texts a second.
        #expect(sent > 0 && sent <= judged && judged - sent <= 50 * Self.period * 2, "\(sent) of \(judged)")
    }

    /// Each file is readable, also with a last line that is torn.
    private func expectReadable(_ run: StentorRun) async throws {
        let path = try #require(run.path)
        let before = try await RunForms.intervals(path + "/intervals.hlog")
        #expect((before["reply.steady"] ?? 0) >= (run.summary["distributions", "reply", "steady", "count"].count ?? 1))
        for name in ["intervals.hlog", "timeline.csv", "events.jsonl", "reconnects.csv", "offenders.jsonl"] {
            let file = try #require(FileHandle(forWritingAtPath: "\(path)/\(name)"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("{\"torn\": 1,2".utf8))
            try file.close()
        }
        let outcome = try await ChildProcess.run([StentorBinary.path, "report", path])
        #expect(outcome == ChildProcess.Outcome(exitCode: 0, output: "\(path)/report.html\n"))
        let page = try String(contentsOfFile: path + "/report.html", encoding: .utf8)
        #expect(page.contains("<strong>! incomplete</strong>") && !page.contains("damaged line"))
        for chart in ["states", "reply", "lag"] { #expect(page.contains("id=\"\(chart)\""), "\(chart)") }
        let junit = try String(contentsOfFile: path + "/junit.xml", encoding: .utf8)
        #expect(junit.contains(#"<error type="incomplete""#))
        let json = try await ChildProcess.run([StentorBinary.path, "report", path, "--json"])
        #expect(json.output == run.summaryText)
    }
}
