import StentorBase

import Testing

@testable import StentorMetrics
@testable import StentorReport

struct VerdictRuleTests {
    private static let passed = GateResult(
        expression: "ready.rate > 99.5%", value: 1, valueText: "100 %", count: 10, phase: nil, verdict: .pass, reason: "")
    private static let failed = GateResult(
        expression: "messages.lost == 0", value: 1, valueText: "1", count: 10, phase: nil, verdict: .fail, reason: "is 1, must be == 0")
    private static let noData = GateResult(
        expression: "reply.p99 < 2s", value: nil, valueText: "n/a (n=0)", count: 0, phase: .steady, verdict: .noData, reason: "no samples")

    private static func judge(
        gates: [GateResult] = [], interruption: VerdictRule.Interruption? = nil, limits: [String] = [],
        _ record: (MetricShard) -> Void = reachable
    ) -> VerdictRule.Outcome {
        VerdictRule.judge(ReportFixture.snapshot(record), gates: gates, interruption: interruption, generatorLimits: limits)
    }

    private static func reachable(_ shard: MetricShard) {
        for counter in [Counter.dials, .connects, .ready] { shard.count(counter) }
        shard.count(dialFailure: .refused)
    }

    private static func refused(_ shard: MetricShard) {
        shard.count(.dials, by: 3)
        for _ in 0..<3 { shard.count(dialFailure: .refused) }
    }

    @Test func `a run passes when every gate held, and without gates`() {
        #expect(Self.judge() == .init(verdict: .pass, exitCode: .success, reasons: []))
        #expect(Self.judge(gates: [Self.passed]) == .init(verdict: .pass, exitCode: .success, reasons: []))
    }

    @Test func `a failed gate and one without data fail the run with 99`() {
        let outcome = Self.judge(gates: [Self.passed, Self.failed, Self.noData])
        #expect(outcome.verdict == .fail)
        #expect(outcome.exitCode == .gateFailed)
        #expect(outcome.reasons == ["messages.lost == 0: is 1, must be == 0", "reply.p99 < 2s: no samples"])
    }

    @Test func `a limit of the generator makes the run invalid, whatever the gates say`() {
        let expected = ["event loops were late"]
        #expect(Self.judge(limits: expected) == .init(verdict: .invalid, exitCode: .invalidRun, reasons: expected))
        #expect(
            Self.judge(gates: [Self.failed], limits: expected)
                == .init(verdict: .invalid, exitCode: .invalidRun, reasons: expected + ["messages.lost == 0: is 1, must be == 0"]))
    }

    @Test func `an interruption comes before limits and gates`() {
        let interrupted = Self.judge(gates: [Self.failed], interruption: .interrupt, limits: ["late"])
        #expect(interrupted.verdict == .interrupted)
        #expect(interrupted.exitCode == .interrupted)
        #expect(interrupted.reasons == ["interrupted by SIGINT", "late", "messages.lost == 0: is 1, must be == 0"])
        #expect(
            Self.judge(gates: [Self.passed], interruption: .terminate)
                == .init(verdict: .interrupted, exitCode: .terminated, reasons: ["terminated by SIGTERM"]))
        #expect(
            Self.judge(gates: [Self.passed], interruption: .hangUp)
                == .init(verdict: .interrupted, exitCode: .terminated, reasons: ["terminated by SIGHUP: the terminal was closed"]))
    }

    @Test func `a target that refused every dial is unreachable, before all else`() {
        let reason = "the target was never reachable: 3 refused of 3 dials"
        #expect(
            Self.judge(gates: [Self.noData], Self.refused) == .init(verdict: .fail, exitCode: .targetUnreachable, reasons: [reason]))
        let interrupted = Self.judge(gates: [Self.noData], interruption: .interrupt, limits: ["late"], Self.refused)
        #expect(interrupted.exitCode == .targetUnreachable)
        #expect(interrupted.reasons == [reason, "interrupted by SIGINT", "late"])
    }

    @Test func `a target that upgrades but greets nobody is told apart`() {
        let outcome = Self.judge { shard in
            shard.count(.dials)
            shard.count(.connects)
            shard.count(dialFailure: .refusedByServer)
        }
        #expect(outcome.exitCode == .targetUnreachable)
        #expect(outcome.reasons == ["no device ever became ready: 1 refused_by_server of 1 dial"])
    }

    @Test func `a run stopped before its first dial ended is interrupted`() {
        let outcome = Self.judge(interruption: .interrupt) { shard in
            shard.count(.dials, by: 2)
            shard.count(dialFailure: .cancelled)
        }
        #expect(outcome == .init(verdict: .interrupted, exitCode: .interrupted, reasons: ["interrupted by SIGINT"]))
    }

    @Test func `a run that ended by itself without any answer found no target`() {
        let outcome = Self.judge { $0.count(.dials, by: 2) }
        #expect(outcome.exitCode == .targetUnreachable)
        #expect(outcome.reasons == ["the target was never reachable: no dial was answered before the end"])
    }

    @Test func `dials that never left this machine make the run invalid`() {
        let outcome = Self.judge(gates: [Self.noData]) { shard in
            shard.count(.dials, by: 2)
            shard.count(dialFailure: .portsExhausted)
            shard.count(dialFailure: .portsExhausted)
        }
        #expect(outcome.verdict == .invalid)
        #expect(outcome.exitCode == .invalidRun)
        #expect(
            outcome.reasons.first
                == "no device ever became ready, for want of resources of this machine: 2 ports_exhausted of 2 dials")
    }

    @Test func `a run without devices is judged by its gates`() {
        #expect(Self.judge { _ in }.exitCode == .success)
        #expect(Self.judge(gates: [Self.noData]) { _ in }.exitCode == .gateFailed)
    }

    @Test func `a report that cannot be written is 1, and keeps the verdict`() {
        let failure = UserFailure(.file, "cannot write (write): No space left on device", place: "runs/x/summary.json")
        for outcome in [Self.judge(), Self.judge(gates: [Self.failed]), Self.judge(interruption: .interrupt), Self.judge(Self.refused)] {
            let ended = outcome.withoutReport(failure)
            #expect(ended.exitCode == .failure)
            #expect(ended.verdict == outcome.verdict)
            #expect(ended.reasons == ["runs/x/summary.json: cannot write (write): No space left on device"] + outcome.reasons)
        }
    }
}
