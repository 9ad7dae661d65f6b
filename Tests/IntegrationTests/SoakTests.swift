import Foundation
import TestSupport
import Testing

/// What a soak is for, in small: gates on drifts against an embedded gateway with faults, and the plan of a run.
@Suite(.slots(1))
struct SoakTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    @Test func `a gateway that leaks fails the gate on its memory, and no other`() async throws {
        let run = try await StentorRun.run(
            Self.short,
            [
                "--duration", "14s", "--set", "target.gateway={leak: 600MiB/min}", "--set",
                "gates=[gateway.rss drift < 60MiB/min, rss drift < 60MiB/min, fds drift < 60/min]",
            ])
        run.expectEnd(99, "fail")
        let gates = run.summary["gates"].elements
        #expect(gates.map { $0["verdict"].text } == ["fail", "pass", "pass"], "\(run.outcome.output)")
        #expect(gates.allSatisfy { ($0["count"].count ?? 0) >= 8 && $0["phase"].text == "steady" })
        #expect(run.outcome.output.contains("\n  ✗ gateway.rss drift < 60MiB/min\n      +"), "\(run.outcome.output)")
        #expect(gates[0]["reason"].text?.hasSuffix(" windows of 1 s; must be < 60.0 MiB/min") == true, "\(gates)")
    }

    @Test func `a gate on a process can abort the run`() async throws {
        let run = try await StentorRun.run(
            Self.short,
            [
                "--duration", "60s", "--set", "target.gateway={leak: 600MiB/min}", "--set",
                "gates=[{gate: gateway.rss drift < 60MiB/min, abort: true, after: 2s}]",
            ])
        run.expectEnd(99, "fail")
        #expect((run.summary["elapsed_seconds"].number ?? 99) < 40)
        #expect(
            run.summary["warnings"]
                == .list([.text("ended early: the gate 'gateway.rss drift < 60MiB/min' failed and aborts the run")]))
    }

    @Test func `a plan starts nothing and says what a run needs`() async throws {
        let folder = try FreshDirectory()
        let arguments = [StentorBinary.path, "plan", Self.short, "--devices", "30"]
        let environment = ["STENTOR_TOKEN": StentorRun.token, "COLUMNS": "80"]
        let outcome = try await ChildProcess.run(arguments, environment: environment, directory: folder.path, within: .seconds(20))
        #expect(outcome.exitCode == 0 && outcome.errors == "", "\(outcome)")
        #expect(outcome.output.hasPrefix("plan of short: nothing was started\n"))
        #expect(outcome.output.contains("\n       500ms  hold  30 devices for 2s500ms\n"), "\(outcome.output)")
        #expect(!outcome.output.contains(StentorRun.token))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a plan that the machine cannot carry ends with 1 behind the plan`() async throws {
        let arguments = [StentorBinary.path, "plan", Self.short, "--devices", "1000000", "--json"]
        let outcome = try await ChildProcess.run(arguments, environment: ["STENTOR_TOKEN": "t"], within: .seconds(60))
        #expect(outcome.exitCode == 1)
        #expect(try Facts(outcome.output)["fits"] == .bool(false))
        #expect(outcome.errors.contains("stentor: devices.count: 1000000 devices need as many local ports, and there are "))
    }

    @Test func `a plan of a faulty profile ends with 65`() async throws {
        let outcome = try await ChildProcess.run(
            [StentorBinary.path, "plan", Self.short, "--set", "gates=[reply.p95 drift < 5%]"], environment: ["STENTOR_TOKEN": "t"],
            within: .seconds(20))
        let errors = """
            stentor: --set gates: '5%' does not fit the drift of 'reply.p95' in gate 'reply.p95 drift < 5%'
              hint: write a change per hour such as 5%/h or 10ms/h

            """
        #expect(outcome == ChildProcess.Outcome(exitCode: 65, errors: errors))
    }
}
