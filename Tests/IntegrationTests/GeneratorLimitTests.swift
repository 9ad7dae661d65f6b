import Foundation
import TestSupport
import Testing

/// Runs in which this machine, not the target, has too little: descriptors or local ports.
@Suite(.slots(1))
struct GeneratorLimitTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    /// 40 devices that are cut all the time, so that they always dial.
    private static let restless = [
        "--devices", "40", "--duration", "6s", "--set", "faults=[{drop: 500ms}]", "--set", "reconnect={policy: fixed, base: 100ms}",
    ]

    /// Every file of a run directory is there, whole, and nothing else.
    private func expectComplete(_ run: StentorRun) throws {
        let path = try #require(run.path)
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(
            Set(files) == [
                "run.json", "profile.yaml", "intervals.hlog", "timeline.csv", "events.jsonl", "reconnects.csv", "offenders.jsonl",
                "summary.json", "report.html", "junit.xml",
            ])
        let end = try #require(try run.everything()["events.jsonl"]?.split(separator: "\n").last.map(String.init))
        #expect(try Facts(end)["verdict"].text == "invalid")
        #expect(try Facts(try #require(try run.everything()["run.json"]))["ended_at"].text != nil)
    }

    /// All dials that failed did so for this cause, or were cut or given up, and the run says so in words.
    private func expectBlamed(_ run: StentorRun, cause: String, words: String) throws {
        run.expectEnd(98, "invalid")
        let failed = run.labelled("dial_failures", cause)
        #expect(failed > 0, "\(run.outcome.output)")
        let others = run.summary["by_label", "dial_failures"].members.filter { ![cause, "cancelled", "fault"].contains($0.key) }
        #expect(others.isEmpty, "what this machine lacks is no fault of the target: \(others)")
        #expect(run.summary["reasons"].elements.contains { $0.text == "\(failed) dial\(failed == 1 ? "" : "s") \(words)" })
        #expect(try run.count("messages.answered") > 0, "it happened in the midst of the run")
        try expectComplete(run)
    }

    @Test func `no descriptors in the midst of a run make it invalid, and report and push still get theirs`() async throws {
        let server = TinyServer(.status(200))
        defer { server.stop() }
        // 24 are kept for the report, each loop has two: a few devices find one, and the others do not.
        let limit = 46 + 2 * ProcessInfo.processInfo.activeProcessorCount
        let drill = "drills=[{at: 1500ms, name: fewer, command: [sh, -c, 'prlimit --pid $PPID --nofile=\(limit):\(limit)']}]"
        let run = try await StentorRun.start(
            Self.short,
            Self.restless + ["--set", drill, "--set", "push={url: '\(server.url)', every: 1s, required: true}"]
        ).finish()
        try expectBlamed(
            run, cause: "descriptors_exhausted",
            words: "found no free file descriptor in this process (EMFILE): raise the limit (ulimit -Hn), or use fewer devices")
        #expect(run.summary["generator", "descriptor_limit"].count == limit)
        // Right after the limit fell below what was open, a checkpoint or a push may have found nothing. The last push is required: 98 says
        // that it came through.
        let last = try #require(server.requests.last)
        #expect(last.method == "PUT" && last.body.contains("\nstentor_verdict{verdict=\"invalid\"} 1\n"))
    }

    @Test func `too few descriptors are told before anything is dialled`() async throws {
        let folder = try FreshDirectory()
        let outcome = try await ChildProcess.run(
            ["prlimit", "--nofile=80:80", StentorBinary.path, "run", Self.short], environment: ["STENTOR_TOKEN": "t"],
            directory: folder.path)
        let errors = """
            stentor: devices.count: 20 devices need 84 file descriptors, and the limit is 80
              hint: raise the hard limit (ulimit -Hn), or use fewer devices on this machine

            """
        #expect(outcome == ChildProcess.Outcome(exitCode: 1, errors: errors))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "no run directory")
    }

    @Test(.requires(.network))
    func `no ports in the midst of a run make it invalid`() async throws {
        let folder = try FreshDirectory()
        let drill = "drills=[{at: 1500ms, name: fewer, command: [sh, -c, 'echo 40000 40019 > /proc/sys/net/ipv4/ip_local_port_range']}]"
        let outcome = try await OwnNamespace.run(
            .network, "40000 40099",
            [StentorBinary.path, "run", Self.short, "--out", folder.path("runs")] + Self.restless + ["--set", drill], in: folder)
        let run = try StentorRun(outcome: outcome, folder: folder)
        try expectBlamed(
            run, cause: "ports_exhausted",
            words: "found no free local port on this machine (EADDRNOTAVAIL): add target.source_addresses, or use fewer devices")
        let left = try #require(run.summary["generator", "ports_left"].count)
        #expect(left < 100)
        let table = try #require(try run.everything()["timeline.csv"])
        let rows = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let column = try #require(rows.first?.firstIndex(of: "ports_left"))
        #expect(rows.dropFirst().contains { Int($0[column]) != nil }, "counted while it went on")
    }

    @Test(.requires(.network), arguments: ["run", "plan"])
    func `too few ports are told before anything is dialled`(command: String) async throws {
        let folder = try FreshDirectory()
        let outcome = try await OwnNamespace.run(
            .network, "40000 40019", [StentorBinary.path, command, Self.short, "--devices", "40"], in: folder)
        let errors = """
            stentor: devices.count: 40 devices need as many local ports, and there are 20
              hint: add target.source_addresses, or widen net.ipv4.ip_local_port_range

            """
        #expect(outcome.exitCode == 1 && outcome.errors == errors, "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "no run directory")
    }

    @Test(arguments: ["run", "plan"])
    func `a source address of another machine is told before anything is dialled`(command: String) async throws {
        let folder = try FreshDirectory()
        // A documentation address (RFC 5737) is nobody's.
        let outcome = try await ChildProcess.run(
            [StentorBinary.path, command, Self.short, "--set", "target.source_addresses=[127.0.0.1, 192.0.2.77]"],
            environment: ["STENTOR_TOKEN": "t"], directory: folder.path)
        let errors = """
            stentor: target.source_addresses: '192.0.2.77' is no address of this machine
              hint: 'ip address' lists those that it has; all of 127.0.0.0/8 are

            """
        #expect(outcome.exitCode == 1 && outcome.errors == errors, "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "no run directory")
    }
}
