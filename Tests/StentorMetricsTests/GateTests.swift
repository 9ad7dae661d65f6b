import StentorBase
import Testing

@testable import StentorMetrics

struct GateParsingTests {
    @Test(
        arguments: [
            ("reply.p99 < 2s in steady", .distribution(.reply, .percentile(.p99), .steady), .less, 2),
            ("reply.p99<250ms", .distribution(.reply, .percentile(.p99), .steady), .less, 0.25),
            ("reconnect.p95  <= 15s   in recovery", .distribution(.reconnect, .percentile(.p95), .recovery), .lessOrEqual, 15),
            ("upload_rate.min >= 300KiB/s", .distribution(.uploadRate, .min, .steady), .greaterOrEqual, 307_200),
            ("edits.mean < 12.5 in ramp", .distribution(.edits, .mean, .ramp), .less, 12.5),
            ("reply.count >= 100", .distribution(.reply, .count, .steady), .greaterOrEqual, 100),
            ("loop_lag.max != 0s in drain", .distribution(.loopLag, .max, .drain), .notEqual, 0),
            ("messages.lost == 0", .counter(.messagesLost), .equal, 0),
            ("media.corrupt == 0", .counter(.mediaCorrupt), .equal, 0),
            ("connects > 10", .counter(.connects), .greater, 10),
            ("ready.rate > 99.5%", .share(.readyRate), .greater, 0.995),
            ("messages.lost_rate < 0.1%", .share(.lostRate), .less, 0.001),
        ] as [(String, Gate.Subject, Gate.Operator, Double)])
    func `a gate is read`(text: String, subject: Gate.Subject, comparison: Gate.Operator, threshold: Double) throws {
        let gate = try Gate.parse(text)
        #expect(gate.subject == subject)
        #expect(gate.comparison == comparison)
        #expect(abs(gate.threshold - threshold) < 1e-12)
    }

    @Test func `the expression has even blanks`() throws {
        #expect(try Gate.parse("  reply.p99<2s   in  steady ").expression == "reply.p99 < 2s in steady")
        #expect(try Gate.parse("messages.lost==0").expression == "messages.lost == 0")
    }

    @Test(
        arguments: [
            ("repply.p99 < 2s", "no number 'repply.p99' in gate 'repply.p99 < 2s'", "did you mean 'reply.p99'?"),
            ("messages.lots == 0", "no number 'messages.lots' in gate 'messages.lots == 0'", "did you mean 'messages.lost'?"),
            ("zzzzzzz < 1", "no number 'zzzzzzz' in gate 'zzzzzzz < 1'", "see Docs/metrics.md for the names"),
            (
                "reply.p98 < 2s", "'reply' has no statistic 'p98' in gate 'reply.p98 < 2s'",
                "known here: count, min, mean, p50, p90, p95, p99, p999, max"
            ),
            ("reply < 2s", "'reply' is a distribution and needs a statistic in gate 'reply < 2s'", "for instance reply.p99"),
            ("reply.p99 < 2", "'2' does not fit 'reply.p99' in gate 'reply.p99 < 2'", "write a duration such as 250ms, 20s or 1h30m"),
            (
                "messages.lost == 0s", "'0s' does not fit 'messages.lost' in gate 'messages.lost == 0s'",
                "write a number without a unit such as 0 or 100"
            ),
            (
                "messages.lost == .5", "'.5' does not fit 'messages.lost' in gate 'messages.lost == .5'",
                "write a number without a unit such as 0 or 100"
            ),
            ("ready.rate > 0.995", "'0.995' does not fit 'ready.rate' in gate 'ready.rate > 0.995'", "write a share such as 70%"),
            (
                "upload_rate.p50 > 3MiB", "'3MiB' does not fit 'upload_rate.p50' in gate 'upload_rate.p50 > 3MiB'",
                "write a size per second such as 300KiB/s"
            ),
            ("messages.lost = 0", "no operator '=' in gate 'messages.lost = 0'", "did you mean '=='?"),
            ("messages.lost <> 0", "no operator '<>' in gate 'messages.lost <> 0'", "known here: <, <=, >, >=, ==, !="),
            ("reply.p99 < 2s in stedy", "no phase 'stedy' in gate 'reply.p99 < 2s in stedy'", "did you mean 'steady'?"),
            (
                "messages.lost == 0 in steady",
                "'messages.lost' covers the whole run and takes no phase in gate 'messages.lost == 0 in steady'",
                "remove 'in steady'"
            ),
            ("", "'' is no gate", "write it as 'reply.p99 < 2s in steady' or 'messages.lost == 0'"),
            ("reply.p99", "'reply.p99' is no gate", "write it as 'reply.p99 < 2s in steady' or 'messages.lost == 0'"),
            ("reply.p99 <", "'reply.p99 <' is no gate", "write it as 'reply.p99 < 2s in steady' or 'messages.lost == 0'"),
            ("reply.p99 < 2 s", "'reply.p99 < 2 s' is no gate", "write it as 'reply.p99 < 2s in steady' or 'messages.lost == 0'"),
        ])
    func `a wrong gate is refused with a hint`(text: String, message: String, hint: String) {
        #expect(throws: UserFailure(.profile, message, hint: hint)) { try Gate.parse(text) }
    }

    @Test func `every number can be named in a gate`() throws {
        for counter in Counter.allCases { #expect(try Gate.parse("\(counter.name) >= 0").subject == .counter(counter)) }
        for share in Share.allCases { #expect(try Gate.parse("\(share.name) >= 0%").subject == .share(share)) }
        for metric in Metric.allCases {
            for statistic in Gate.Statistic.all {
                let value = statistic == .count || metric.unit == .count ? "1" : metric.unit == .seconds ? "1s" : "1KiB/s"
                let gate = try Gate.parse("\(metric.name).\(statistic.name) > \(value)")
                #expect(gate.subject == .distribution(metric, statistic, .steady))
            }
        }
    }
}

struct GateEvaluationTests {
    private func judge(_ text: String, _ record: (MetricShard) -> Void) throws -> GateResult {
        try Gate.parse(text).evaluate(snapshot(record))
    }

    private static func replies(_ count: Int, _ phase: Phase = .steady) -> (MetricShard) -> Void {
        { shard in for index in 1...count { shard.record(.reply, UInt64(index) * 10_000_000, phase: phase) } }
    }

    @Test func `a gate that holds passes with value, count and phase`() throws {
        let result = try judge("reply.p99 < 2s", Self.replies(100))
        #expect(result.verdict == .pass)
        #expect(result.count == 100 && result.phase == .steady && result.reason.isEmpty)
        // 990 ms lies in the bucket 236 · 2²² ..< 237 · 2²² ns.
        #expect(result.valueText == "994 ms")
        let value = try #require(result.value)
        #expect(value >= 0.99 && value <= 0.99 * 1.0079)
    }

    @Test func `a gate that does not hold says what was measured`() throws {
        let result = try judge("reply.max <= 500ms", Self.replies(100))
        #expect(result.verdict == .fail)
        #expect(result.value == 1)
        #expect(result.reason == "is 1.00 s, must be <= 500 ms")
    }

    @Test func `too few samples are no data`() throws {
        let result = try judge("reply.p99 < 2s", Self.replies(8))
        #expect(result.verdict == .noData && result.value == nil && result.count == 8)
        #expect(result.valueText == "n/a (n=8)")
        #expect(result.reason == "p99 needs 100 samples in steady, there are 8")
    }

    @Test func `samples of another phase are no data`() throws {
        let result = try judge("reply.max < 2s in recovery", Self.replies(100, .steady))
        #expect(result.verdict == .noData)
        #expect(result.reason == "max needs 1 samples in recovery, there are 0")
    }

    @Test func `the number of samples is data also when it is zero`() throws {
        #expect(try judge("reply.count >= 1") { _ in }.verdict == .fail)
        #expect(try judge("reply.count == 0") { _ in }.verdict == .pass)
    }

    @Test(
        arguments: [
            ("messages.lost == 0", GateResult.Verdict.pass), ("messages.lost > 0", .fail), ("messages.sent >= 3", .pass),
            ("messages.sent < 3", .fail), ("uploads.lost == 0", .noData), ("media.corrupt == 0", .noData),
            ("frames.malformed == 0", .noData),
            ("uploads.sent == 0", .pass), ("messages.answered_rate > 66%", .pass), ("messages.answered_rate > 67%", .fail),
            ("messages.lost_rate == 0%", .pass), ("ready.rate > 0%", .noData),
        ])
    func `counts are judged over the whole run, and not at all when their things never occurred`(
        text: String, verdict: GateResult.Verdict
    ) throws {
        let result = try judge(text) { shard in
            shard.count(.messagesSent, by: 3)
            shard.count(.messagesAnswered, by: 2)
            shard.count(.messagesLate)
        }
        #expect(result.verdict == verdict)
        #expect(result.phase == nil)
    }

    @Test func `the ready rate counts dials that failed at the target, and not those that were given up or never left`() throws {
        let result = try judge("ready.rate > 99%") { shard in
            shard.count(.ready, by: 197)
            shard.count(dialFailure: .refused)
            shard.count(dialFailure: .readyTimeout)
            shard.count(dialFailure: .tcpTimeout)
            shard.count(dialFailure: .cancelled)
            shard.count(dialFailure: .portsExhausted)
            shard.count(dialFailure: .descriptorsExhausted)
        }
        #expect(result.value == 0.985 && result.count == 200)
        #expect(result.reason == "is 98.500 %, must be > 99.000 %")
    }

    @Test func `no data has its reason for counts and shares`() throws {
        #expect(try judge("media.corrupt == 0") { _ in }.reason == "nothing to count: uploads.sent and downloads.started 0")
        #expect(try judge("ready.rate > 1%") { _ in }.reason == "ready.rate has nothing to divide by")
    }

    @Test(
        arguments: [
            (Gate.Operator.less, [true, false, false]), (.lessOrEqual, [true, true, false]), (.greater, [false, false, true]),
            (.greaterOrEqual, [false, true, true]), (.equal, [false, true, false]), (.notEqual, [true, false, true]),
        ])
    func `operators compare as they read`(comparison: Gate.Operator, expected: [Bool]) {
        #expect([1.0, 2.0, 3.0].map { comparison.holds($0, 2) } == expected)
    }
}
