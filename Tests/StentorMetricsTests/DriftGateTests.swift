import StentorBase
import Testing

@testable import StentorMetrics

struct DriftParsingTests {
    @Test(
        arguments: [
            ("reply.p95 drift < 5%/h", .distribution(.reply, .percentile(.p95)), true, .hour, .less, 0.05),
            ("reply.p95 drift<5%/h in steady", .distribution(.reply, .percentile(.p95)), true, .hour, .less, 0.05),
            ("usable.mean drift <= 10ms/h", .distribution(.usable, .mean), false, .hour, .lessOrEqual, 0.01),
            ("reply.p50 drift < 1ms/min", .distribution(.reply, .percentile(.p50)), false, .minute, .less, 0.001),
            ("reassembly_rate.p50 drift > -5%/h", .distribution(.reassemblyRate, .percentile(.p50)), true, .hour, .greater, -0.05),
            ("upload_rate.p50 drift > -10KiB/s/h", .distribution(.uploadRate, .percentile(.p50)), false, .hour, .greater, -10240),
            ("rss drift < 24MiB/d", .process(.resident), false, .day, .less, 25_165_824),
            ("rss drift < 250%/h", .process(.resident), true, .hour, .less, 2.5),
            ("fds drift == 0/h", .process(.descriptors), false, .hour, .equal, 0),
            ("gateway.rss drift < 1MiB/h", .process(.gatewayResident), false, .hour, .less, 1_048_576),
        ] as [(String, Gate.Drift, Bool, Gate.DriftSpan, Gate.Operator, Double)])
    func `a gate on a drift is read`(
        text: String, drift: Gate.Drift, isRelative: Bool, span: Gate.DriftSpan, comparison: Gate.Operator, bound: Double
    ) throws {
        let gate = try Gate.parse(text)
        #expect(gate.subject == .drift(drift, isRelative: isRelative, per: span))
        #expect(gate.comparison == comparison)
        #expect(abs(gate.threshold - bound) < 1e-9)
    }

    @Test func `the expression has even blanks`() throws {
        #expect(try Gate.parse(" reply.p95   drift<5%/h in  steady").expression == "reply.p95 drift < 5%/h in steady")
        #expect(try Gate.parse("fds drift==0/h").expression == "fds drift == 0/h")
    }

    @Test(
        arguments: [
            (
                "reply.p95 drift < 5%", "'5%' does not fit the drift of 'reply.p95' in gate 'reply.p95 drift < 5%'",
                "write a change per hour such as 5%/h or 10ms/h"
            ),
            (
                "reply.p95 drift < 1MiB/h", "'1MiB/h' does not fit the drift of 'reply.p95' in gate 'reply.p95 drift < 1MiB/h'",
                "write a change per hour such as 5%/h or 10ms/h"
            ),
            (
                "rss drift < 10ms/h", "'10ms/h' does not fit the drift of 'rss' in gate 'rss drift < 10ms/h'",
                "write a change per hour such as 5%/h or 1MiB/h"
            ),
            (
                "fds drift < 1MiB/h", "'1MiB/h' does not fit the drift of 'fds' in gate 'fds drift < 1MiB/h'",
                "write a change per hour such as 5%/h or 10/h"
            ),
            (
                "upload_rate.p50 drift > -1MiB/h",
                "'-1MiB/h' does not fit the drift of 'upload_rate.p50' in gate 'upload_rate.p50 drift > -1MiB/h'",
                "write a change per hour such as -5%/h or -10KiB/s/h"
            ),
            ("repply.p95 drift < 5%/h", "no number 'repply.p95' in gate 'repply.p95 drift < 5%/h'", "did you mean 'reply.p95'?"),
            ("gateway.rs drift < 5%/h", "no number 'gateway.rs' in gate 'gateway.rs drift < 5%/h'", "did you mean 'gateway.rss'?"),
            (
                "reply drift < 5%/h", "'reply' is a distribution and needs a statistic in gate 'reply drift < 5%/h'",
                "for instance reply.p99"
            ),
            (
                "reply.p98 drift < 5%/h", "'reply' has no statistic 'p98' in gate 'reply.p98 drift < 5%/h'",
                "known here: count, min, mean, p50, p90, p95, p99, p999, max"
            ),
            (
                "reply.count drift < 5%/h", "'reply.count' has no drift in gate 'reply.count drift < 5%/h'",
                "known here: min, mean, p50, p90, p95, p99, p999, max"
            ),
            (
                "messages.lost drift < 5%/h", "'messages.lost' has no drift in gate 'messages.lost drift < 5%/h'",
                "counts and shares are judged over the whole run: 'messages.lost == 0'"
            ),
            (
                "reply.p95 drift != 5%/h", "no operator '!=' for a drift in gate 'reply.p95 drift != 5%/h'",
                "known here: <, <=, >, >=, =="
            ),
            ("fds drift = 0/h", "no operator '=' for a drift in gate 'fds drift = 0/h'", "did you mean '=='?"),
            (
                "reply.p95 drift < 5%/h in recovery", "a drift is judged in steady only, in gate 'reply.p95 drift < 5%/h in recovery'",
                "write 'in steady', or nothing"
            ),
            (
                "reply.p95 drift", "'reply.p95 drift' is no gate on a drift",
                "write it as 'reply.p95 drift < 5%/h' or 'rss drift < 1MiB/h'"
            ),
            ("rss < 1MiB", "'rss' is judged by its drift only in gate 'rss < 1MiB'", "for instance rss drift < 1MiB/h"),
            ("fds == 10", "'fds' is judged by its drift only in gate 'fds == 10'", "for instance fds drift < 10/h"),
        ])
    func `a wrong gate on a drift is refused with a hint`(text: String, message: String, hint: String) {
        #expect(throws: UserFailure(.profile, message, hint: hint)) { try Gate.parse(text) }
    }
}

struct DriftEvaluationTests {
    /// A run of so many steady seconds, `perSecond` replies each, on a clock of its own.
    private func run(seconds: Int, perSecond: Int = 40, milliseconds: (_ second: Int, _ index: Int) -> Int) -> RunSnapshot {
        let shard = MetricShard()
        var totals = Totals()
        for second in 0..<seconds {
            for index in 0..<perSecond { shard.record(.reply, UInt64(milliseconds(second, index)) * 1_000_000, phase: .steady) }
            var delta = ShardDelta()
            shard.drain(into: &delta)
            totals.add(delta)
            totals.endSecond(at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
        }
        return RunSnapshot(identity: .sample, elapsedSeconds: Double(seconds), phase: .steady, totals: totals)
    }

    private func judge(_ text: String, _ snapshot: RunSnapshot) throws -> GateResult { try Gate.parse(text).evaluate(snapshot) }

    @Test func `a number that grows beyond the bound fails with slope, interval and windows`() throws {
        // 100 ms, and 1 ms more each second: 60 ms in a minute, of a median of 119.5 ms.
        let result = try judge("reply.max drift < 10%/min", run(seconds: 40) { second, _ in 100 + second })
        #expect(result.verdict == .fail)
        #expect(result.phase == .steady && result.count == 40)
        #expect(result.valueText == "+50.2 %/min (50.2 to 50.2)")
        #expect(result.reason == "95 % sure of 50.2 %/min to 50.2 %/min, in 40 windows of 1 s; must be < 10.0 %/min")
        #expect(result.drift?.windowSeconds == 1)
    }

    @Test func `a number that stays passes and still shows its interval`() throws {
        let result = try judge("reply.mean drift < 1ms/h in steady", run(seconds: 40) { _, index in 100 + index })
        #expect(result.verdict == .pass && result.reason.isEmpty)
        #expect(result.valueText == "0 s/h (0 s to 0 s)" && result.value == 0)
    }

    @Test func `a fall is a drift too`() throws {
        let falling = run(seconds: 40) { second, _ in 1000 - second }
        #expect(try judge("reply.p50 drift < 5%/h", falling).verdict == .pass)
        #expect(try judge("reply.p50 drift > -5%/h", falling).verdict == .fail)
        #expect(try judge("reply.p50 drift == 0s/h", falling).verdict == .fail)
    }

    @Test func `seven windows are no data`() throws {
        let result = try judge("reply.p95 drift < 5%/h", run(seconds: 7) { _, _ in 100 })
        #expect(result.verdict == .noData && result.value == nil)
        #expect(result.valueText == "n/a (n=7)")
        #expect(result.reason == "a drift needs 8 windows with enough samples in steady, there are 7")
    }

    @Test func `windows are joined until they have the samples that the statistic needs`() throws {
        // p95 needs 20 samples; 6 a second make 24 in a window of 4 s.
        let result = try judge("reply.p95 drift < 5%/h", run(seconds: 60, perSecond: 6) { _, _ in 100 })
        #expect(result.verdict == .pass)
        #expect(result.count == 15 && result.drift?.windowSeconds == 4)
    }

    @Test func `windows are joined when a quarter of them is too thin, so that none is lost`() throws {
        let shard = MetricShard()
        var totals = Totals()
        for second in 0..<40 {
            // p95 needs 20 samples: most seconds have them, every third has not.
            for _ in 0..<(second % 3 == 0 ? 15 : 25) { shard.record(.reply, 100_000_000, phase: .steady) }
            var delta = ShardDelta()
            shard.drain(into: &delta)
            totals.add(delta)
            totals.endSecond(at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
        }
        let snapshot = RunSnapshot(identity: .sample, elapsedSeconds: 40, phase: .steady, totals: totals)
        let result = try judge("reply.p95 drift == 0s/h", snapshot)
        #expect(result.count == 20 && result.drift?.windowSeconds == 2)
    }

    @Test func `a window at the edge of the phase, with stragglers only, is left out`() throws {
        let shard = MetricShard()
        var totals = Totals()
        for second in 0..<21 {
            for _ in 0..<(second == 20 ? 3 : 40) { shard.record(.reply, second == 20 ? 9_000_000_000 : 100_000_000, phase: .steady) }
            var delta = ShardDelta()
            shard.drain(into: &delta)
            totals.add(delta)
            totals.endSecond(at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
        }
        let snapshot = RunSnapshot(identity: .sample, elapsedSeconds: 21, phase: .drain, totals: totals)
        #expect(try judge("reply.max drift == 0s/h", snapshot).count == 20)
    }

    @Test func `a long run keeps a bounded number of windows and loses no sample`() throws {
        let snapshot = run(seconds: 5000, perSecond: 1) { _, _ in 100 }
        let windows = snapshot.windows(of: .distribution(.reply, .max))
        #expect(windows.seconds == 128)
        #expect(windows.points.count == 5000 / 128)
        // The middle of the first window is at second 63.5; the last full one ends at second 4991.
        let last = try #require(windows.points.last)
        #expect(abs(last.hours - 38 * 128 / 3600.0) < 1e-9)
    }

    @Test func `seconds without a steady sample take no window`() throws {
        let shard = MetricShard()
        var totals = Totals()
        for second in 0..<100 {
            shard.record(.reply, 1_000_000, phase: (40..<80).contains(second) ? .recovery : .steady)
            var delta = ShardDelta()
            shard.drain(into: &delta)
            totals.add(delta)
            totals.endSecond(at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
        }
        let points = RunSnapshot(identity: .sample, elapsedSeconds: 100, phase: .steady, totals: totals)
            .windows(of: .distribution(.reply, .max)).points
        #expect(points.count == 60)
        #expect(abs(points[40].hours - 80 / 3600.0) < 1e-9)
    }

    @Test func `a process is judged by what was read of it`() throws {
        var processes = ProcessSeries()
        for second in 0..<30 {
            processes.add(
                [.resident: 50_000_000 + second * 1000, .descriptors: 12, .gatewayResident: nil],
                at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
        }
        var snapshot = run(seconds: 1) { _, _ in 1 }
        #expect(try judge("rss drift < 1MiB/h", snapshot).verdict == .noData)
        snapshot.processes = processes
        let resident = try judge("rss drift < 1MiB/h", snapshot)
        #expect(resident.verdict == .fail)
        #expect(resident.valueText == "+3.43 MiB/h (3.43 MiB to 3.43 MiB)")
        #expect(try judge("fds drift == 0/h", snapshot).verdict == .pass)
        let gateway = try judge("gateway.rss drift < 1MiB/h", snapshot)
        #expect(gateway.verdict == .noData)
        #expect(gateway.reason == "a drift needs 8 windows with enough samples in steady, there are 0")
    }
}
