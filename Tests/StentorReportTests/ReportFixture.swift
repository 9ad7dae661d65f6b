import StentorBase
import StentorMetrics

@testable import StentorReport

/// Makes reports of runs that never were.
enum ReportFixture {
    static let identity = RunIdentity(
        runID: "20261130T034210Z-nightly-soak", profile: "nightly-soak", profileDigest: "ab12", version: "0.1.0", dialect: "hermes",
        targetHost: "gw.example", startedAtSeconds: 1_796_010_130.25)
    static let host = HostFacts(hostname: "loader", cores: 2, kernel: "Linux 6.1.0", memoryBytes: 4_294_967_296)
    static let run = RunRecord(
        identity: identity, seed: 18_446_744_073_709_551_615, host: host, labels: [.init(name: "server", value: "1.1.1")],
        plannedSeconds: 60, endedAtSeconds: 1_796_010_190.5)

    static func snapshot(
        elapsed: Double = 60, generator: GeneratorNumbers = .init(), gates: [String] = [], _ record: (MetricShard) -> Void = { _ in }
    ) -> RunSnapshot {
        let shard = MetricShard()
        record(shard)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        var totals = Totals()
        totals.add(delta)
        var snapshot = RunSnapshot(
            identity: identity, elapsedSeconds: elapsed, phase: .drain, totals: totals, generator: generator)
        snapshot.gates = gates.map { gate($0).evaluate(snapshot) }
        return snapshot
    }

    /// A gate on a drift that held, over 40 windows of 64 s.
    static let drift = GateResult(
        expression: "reply.p95 drift < 5%/h", value: 0.0321, valueText: "+3.21 %/h (1.10 to 5.32)", count: 40, phase: .steady,
        verdict: .pass, reason: "", drift: .init(low: 0.011, high: 0.0532, windowSeconds: 64))

    static func gate(_ text: String) -> Gate {
        do { return try Gate.parse(text) } catch { preconditionFailure("ReportFixture: no gate '\(text)'") }
    }

    /// A run in which all is well but what the gates find: 200 texts of 10 devices in a steady phase.
    static func busy(_ shard: MetricShard) {
        shard.move(from: nil, to: .left, devices: 10)
        for counter in [Counter.dials, .connects, .ready] { shard.count(counter, by: 10) }
        shard.count(.messagesSent, by: 200)
        shard.count(.messagesAnswered, by: 199)
        shard.count(.messagesLost, by: 1)
        shard.count(.messagesNotSent, by: 3)
        for index in 1...199 { shard.record(.reply, UInt64(index) * 1_000_000, phase: .steady) }
        for _ in 1...8 { shard.record(.reply, 500_000_000, phase: .recovery) }
        shard.record(.loopLag, 1_500_000, phase: .steady)
    }

    static func report(_ snapshot: RunSnapshot, _ outcome: VerdictRule.Outcome? = nil) -> RunReport {
        var report = RunReport(run: run, snapshot: snapshot)
        if let outcome { report.conclude(outcome) }
        return report
    }

    /// A report that has something in every place.
    static func full() throws -> RunReport {
        var snapshot = snapshot(
            generator: GeneratorNumbers(
                cpuShareByLoop: [0.25, 0.125], residentBytes: 47_395_635, openDescriptors: 42, descriptorLimit: 65_536, portsLeft: 28_000),
            gates: ["reply.p99 < 2s", "messages.lost == 0", "reconnect.p95 < 15s in recovery"]
        ) { shard in
            busy(shard)
            shard.count(dialFailure: .refused)
            shard.count(loss: .fault)
            shard.count(closeCode: 1001)
            shard.count(httpStatus: 503)
            shard.count(serverError: "busy")
        }
        snapshot.verdict = .fail
        let totals = try TargetTotals(line: #"{"texts":200,"violations":{},"per_device":{"a":{"lost":[1,2]}}}"#)
        return RunReport(
            run: run, snapshot: snapshot, exitCode: .gateFailed, reasons: ["messages.lost == 0: is 1, must be == 0"],
            warnings: ["a warning"],
            outages: [
                Outage(
                    name: "mass drop", startSeconds: 20, endSeconds: 23.5, devicesLost: 4, readyAfter50Seconds: 1.5,
                    readyAfter90Seconds: 2.5, readyAfter99Seconds: 3.5, attempts: 5, peakDialsPerSecond: 4),
                Outage(name: "collapse", startSeconds: 50, devicesLost: 10),
            ], targetTotals: totals, reconciliation: [.init(name: "texts sent", ours: 200, theirs: 199)],
            push: PushRecord(attempts: 4, failed: 1, lastError: "503"),
            offenders: OffenderTally(recorded: 1, dropped: 2), directoryPath: "runs/20261130T034210Z-nightly-soak")
    }
}
