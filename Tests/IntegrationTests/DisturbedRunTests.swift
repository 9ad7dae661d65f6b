import Foundation
import TestSupport
import Testing

/// Runs whose generator or gateway is disturbed from outside.
@Suite(.slots(1))
struct DisturbedRunTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    @Test func `a generator that stood still makes its run invalid`() async throws {
        let ongoing = try StentorRun.start(Self.short, ["--duration", "4s"])
        let child = try await EmbeddedChild.find(of: ongoing.process)
        try await child.awaitConnections(20)
        ongoing.process.signal(SIGSTOP)
        try await Task.sleep(for: .seconds(2))
        ongoing.process.signal(SIGCONT)
        let run = try await ongoing.finish()
        run.expectEnd(98, "invalid")
        let reason = try #require(run.summary["reasons"].elements.first?.text)
        #expect(reason.hasPrefix("the generator stood still for "), "\(reason)")
        let longest = run.summary["generator", "loop_lag"].members.values.compactMap { $0["max"].number }.max()
        #expect((longest ?? 0) > 1.9, "\(run.summary["generator"])")
        #expect((run.summary["generator", "late_timers"].count ?? 0) > 0)
        #expect(run.outcome.output.contains("\nreason        \(reason)\n"))
        try run.expectClosedAccounts()
    }

    /// 500 texts a second fall due while the gateway stands still for 6 s. Of the texts of 12 s, one in 24 is due in the first half second of
    /// these, and waits for 5.5 s or more: far more than the one in a hundred that a p99 is about.
    @Test func `a gateway that stands still shows in latencies from due, and is not blamed on the generator`() async throws {
        let run = try await StentorRun.undisturbed({ $0 }) {
            let ongoing = try StentorRun.start(
                Self.short,
                [
                    "--devices", "50", "--duration", "12s", "--set", "target.gateway={stream: false, moods: none}", "--set",
                    "behaviour.text={every: 100ms, reply_within: 60s}",
                ])
            let child = try await EmbeddedChild.find(of: ongoing.process)
            try await child.awaitConnections(50)
            try await Task.sleep(for: .seconds(1))
            kill(child.pid, SIGSTOP)
            try await Task.sleep(for: .seconds(6))
            kill(child.pid, SIGCONT)
            return try await ongoing.finish()
        }
        // On a machine that starves every program the run is invalid for its own lag, which is far shorter than the gateway's standstill.
        let lag = run.summary["generator", "loop_lag"].members.values.compactMap { $0["max"].number }.max() ?? 99
        let isStarved = run.outcome.exitCode == 98 && lag > 0.1 && lag < 5
        if !isStarved { run.expectEnd(0, "pass") }
        for reason in run.summary["reasons"].elements.compactMap(\.text) {
            #expect(reason.hasPrefix("the event loops were late by ") || reason.hasPrefix("the generator stood still for "))
        }
        let (due, service) = (run.summary["distributions", "reply", "steady"], run.summary["distributions", "reply_service", "steady"])
        #expect((due["p99"].number ?? 0) >= 5 && (due["min"].number ?? 9) < 5, "\(due)")
        #expect(due["count"] == service["count"] && (due["count"].count ?? 0) > 5000, "\(due) \(service)")
        #expect((service["p99"].number ?? 99) <= (due["p99"].number ?? 0) * 1.01, "the service time is shown beside it, and is no longer")
        #expect(try run.count("messages.lost") == 0 && run.count("connects") == 50, "nobody lost anything")
        try run.expectClosedAccounts()
        run.expectReconciled()
    }

    @Test func `a gateway that dies fails its run, and the report says so`() async throws {
        let ongoing = try StentorRun.start(Self.short, ["--duration", "3s", "--set", "behaviour.text.reply_within=1s"])
        let child = try await EmbeddedChild.find(of: ongoing.process)
        try await child.awaitConnections(20)
        try await Task.sleep(for: .milliseconds(1000))
        kill(child.pid, SIGKILL)
        let run = try await ongoing.finish()
        run.expectEnd(99, "fail")
        #expect(
            run.summary["warnings"].elements.map(\.text) == [
                "the embedded gateway gave no totals: counts could not be compared with its own"
            ])
        #expect(run.summary["reconciliation"] == .null && run.summary["target_totals"] == .null)
        let losses = run.labelled("connection_losses", "end_of_stream") + run.labelled("connection_losses", "reset")
        #expect(losses == 20, "\(run.summary["by_label", "connection_losses"])")
        #expect(run.labelled("dial_failures", "refused") >= 20)
        let outages = run.summary["outages"].elements
        #expect(outages.count == 1 && outages.first?["name"].text == "collapse" && outages.first?["devices_lost"].count == 20)
        #expect(outages.first?["ready_after_100_seconds"] == .null, "nobody came back")
        #expect(try run.count("messages.lost") > 0 && run.count("messages.in_doubt") == 0)
    }

    @Test func `a reader that goes away does not stop a run`() async throws {
        let folder = try FreshDirectory()
        let outcome = try await ChildProcess.run(
            ["/bin/sh", "-c", #"exec "$0" "$@" >&- 2>&- <&-"#, StentorBinary.path, "run", Self.short, "--duration", "300ms"],
            environment: ["STENTOR_TOKEN": StentorRun.token], directory: folder.path)
        #expect(outcome.exitCode == 1, "the result was not printed")
        let runs = try FileManager.default.contentsOfDirectory(atPath: folder.path("runs"))
        let summary = try Facts(try folder.read("runs/\(try #require(runs.first))/summary.json"))
        #expect(["pass", "invalid"].contains(summary["verdict"].text), "and yet all is written")
    }
}
