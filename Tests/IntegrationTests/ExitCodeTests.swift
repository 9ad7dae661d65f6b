import Foundation
import StentorBase
import TestSupport
import Testing

/// How a run ends: the exit code, the last line, and what was written.
@Suite(.slots(1))
struct ExitCodeTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    @Test func `a target that is never reached ends with 69`() async throws {
        let port = try DeadPort()
        let run = try await StentorRun.run(Self.short, ["--target", "ws://127.0.0.1:\(port.port)/ws"])
        run.expectEnd(69, "fail")
        let dials = try run.count("dials")
        #expect(dials >= 20 && run.labelled("dial_failures", "refused") + run.labelled("dial_failures", "cancelled") == dials)
        let reason = "the target was never reachable: \(run.labelled("dial_failures", "refused")) refused of \(dials) dials"
        #expect(run.summary["reasons"].elements.first?.text == reason)
        #expect(run.outcome.output.contains("\nreason        \(reason)\n"), "\(run.outcome.output)")
        #expect(run.summary["counts", "messages.lost"] == .null, "what was not measured is null")
        #expect(try run.count("connects") == 0 && run.count("ready") == 0 && run.count("messages.sent") == 0)
    }

    @Test func `a gate that fails and gates without data end with 99, each with its reason`() async throws {
        let gates = "gates=[messages.lost == 0, reply.p50 < 1us, uploads.corrupt == 0, reply.p999 < 5s, reply.max < 5s in recovery]"
        let run = try await StentorRun.run(Self.short, ["--set", gates])
        run.expectEnd(99, "fail")
        let verdicts = run.summary["gates"].elements.map { $0["verdict"].text }
        #expect(verdicts == ["pass", "fail", "no_data", "no_data", "no_data"], "\(verdicts)")
        #expect(run.summary["reasons"].elements.count == 4)
        for text in [
            "  ✓  messages.lost == 0 ", "  ✗  reply.p50 < 1us ", ", must be < 1.00 µs\n", "      nothing to count: uploads.sent 0\n",
            "      p999 needs 1000 samples in steady, there are ",
        ] { #expect(run.outcome.output.contains(text), "\(text)") }
        try run.expectClosedAccounts()
    }

    @Test func `a gate that aborts ends the run early`() async throws {
        let run = try await StentorRun.run(
            Self.short, ["--duration", "30s", "--set", "gates=[{gate: messages.sent < 50, abort: true, after: 1s}]"])
        run.expectEnd(99, "fail")
        #expect(run.summary["warnings"] == .list([.text("ended early: the gate 'messages.sent < 50' failed and aborts the run")]))
        #expect((run.summary["elapsed_seconds"].number ?? 99) < 15)
        #expect(run.summary["devices", "left"].count == 20)
    }

    @Test func `json is all that is printed, and it is the summary`() async throws {
        let run = try await StentorRun.run(Self.short, ["--duration", "500ms", "--json"])
        #expect(run.outcome.exitCode == 0 && run.outcome.errors == "")
        let path = try #require(run.path)
        #expect(run.outcome.output == (try String(contentsOfFile: path + "/summary.json", encoding: .utf8)))
        #expect(run.summary["verdict"].text == "pass")
    }

    @Test(
        arguments: [
            (SIGINT, 130, "interrupted by SIGINT"), (SIGTERM, 143, "terminated by SIGTERM"),
            (SIGHUP, 143, "terminated by SIGHUP: the terminal was closed"),
        ] as [(Int32, Int32, String)])
    func `a signal ends a run with a complete report`(signal: Int32, code: Int32, reason: String) async throws {
        let ongoing = try StentorRun.start(
            Self.short, ["--duration", "60s", "--set", "behaviour.photo={every: 500ms, size: 64KiB..256KiB, reply_within: 5s}"])
        let child = try await EmbeddedChild.find(of: ongoing.process)
        try await child.awaitConnections(20)
        // The load has to be in full swing, with texts and photos under way.
        try await Task.sleep(for: .milliseconds(1500))
        ongoing.process.signal(signal)
        let run = try await ongoing.finish(within: .seconds(20))
        run.expectEnd(code, "interrupted")
        #expect(run.summary["reasons"].elements.first?.text == reason)
        let said = "stentor: stopping: what was begun may end within 5.00 s; a second signal stops at once\n"
        #expect(run.outcome.errors == said)
        try run.expectClosedAccounts()
        #expect(try run.count("messages.answered") > 0 && run.count("uploads.confirmed") > 0 && run.count("messages.lost") == 0)
        #expect(run.summary["devices", "left"].count == 20)
        #expect(run.labelled("connection_losses", "left") == 20 && run.labelled("connection_losses", "fault") == 0)
        run.expectReconciled()
        #expect(!child.isRunning)
    }

    @Test func `a second signal ends a run at once`() async throws {
        // Replies come after the run's life, so that the first signal has something to wait for.
        let ongoing = try StentorRun.start(
            Self.short, ["--duration", "60s", "--set", "target.gateway.reply_delay=60s", "--set", "behaviour.text.reply_within=60s"])
        let child = try await EmbeddedChild.find(of: ongoing.process)
        try await child.awaitConnections(20)
        ongoing.process.signal(SIGINT)
        _ = try await ongoing.process.line(startingWith: "stentor: stopping", on: .errors)
        let second = Instant.now()
        ongoing.process.signal(SIGINT)
        let run = try await ongoing.finish(within: .seconds(10))
        #expect(Instant.now() - second < .seconds(3))
        #expect(run.outcome.exitCode == 130 && run.outcome.output == "")
        #expect(run.outcome.errors.hasSuffix("stentor: stopped at once; the report is incomplete\n"))
        #expect(!child.isRunning)
    }

    @Test func `a killed run leaves a checkpoint that says incomplete, and no gateway`() async throws {
        let ongoing = try StentorRun.start(Self.short, ["--duration", "60s"])
        let child = try await EmbeddedChild.find(of: ongoing.process)
        let line = try await ongoing.process.line(startingWith: "00:", on: .errors, within: .seconds(30))
        #expect(line.contains("ready 20/20") && line.contains("errors 0"), "\(line)")
        let checkpoint = try await eventually("checkpoint", within: .seconds(20)) {
            let runs = try FileManager.default.contentsOfDirectory(atPath: ongoing.folder.path("runs"))
            let text = runs.first.flatMap { try? ongoing.folder.read("runs/\($0)/summary.json") }
            // The one after the first second is too early for what is expected.
            return try text.flatMap { try Facts($0)["elapsed_seconds"].number ?? 0 > 5 ? $0 : nil }
        }
        ongoing.process.signal(SIGKILL)
        let run = try await ongoing.finish(within: .seconds(20))
        #expect(run.outcome.exitCode == 128 + SIGKILL && run.outcome.output == "")
        for summary in [try Facts(checkpoint), run.summary] {
            #expect(summary["verdict"].text == "incomplete" && summary["exit_code"] == .null && summary["phase"].text == "steady")
            #expect(summary["devices", "ready"].count == 20 && (summary["counts", "messages.answered"].count ?? 0) > 100)
        }
        _ = try await eventually("end of the gateway") { child.isRunning ? nil : true }
    }

    @Test func `a result that cannot be printed ends with 1`() async throws {
        let folder = try FreshDirectory()
        let outcome = try await ChildProcess.run(
            ["/bin/sh", "-c", #"exec "$0" "$@" > /dev/full"#, StentorBinary.path, "run", Self.short, "--duration", "300ms"],
            environment: ["STENTOR_TOKEN": StentorRun.token], directory: folder.path)
        #expect(outcome.exitCode == 1)
    }

    @Test func `a report that cannot be written ends with 1, and the numbers are printed`() async throws {
        let ongoing = try StentorRun.start(Self.short, ["--duration", "2s"])
        let child = try await EmbeddedChild.find(of: ongoing.process)
        try await child.awaitConnections(1)
        try FileManager.default.removeItem(atPath: ongoing.folder.path("runs"))
        let run = try await ongoing.finish()
        #expect(run.outcome.exitCode == 1 && run.path == nil)
        #expect(run.outcome.errors.contains("run.json: cannot write"), "\(run.outcome.errors)")
        #expect(run.outcome.errors.contains("\ntexts "), "the numbers must not be lost")
    }
}
