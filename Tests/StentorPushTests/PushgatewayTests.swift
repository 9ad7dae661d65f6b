import StentorBase
import StentorMetrics
import Testing

@testable import StentorPush

/// Against the real Pushgateway and Prometheus.
struct PushgatewayTests {
    private static let torture = [
        "a/b", "a+b", "ä/北", "", "q\"'", "back\\slash", "line\nbreak", "job@base64", ".", "..", "a b%2F?#", "{}=,",
    ]

    private func snapshot(sent: Int) throws -> RunSnapshot {
        let shard = MetricShard()
        shard.count(.messagesSent, by: sent)
        for index in 1...100 as ClosedRange<UInt64> { shard.record(.reply, index * 10_000_000, phase: .steady) }
        shard.count(serverError: "rate \"limit\"\n")
        var delta = ShardDelta()
        shard.drain(into: &delta)
        var totals = Totals()
        totals.add(delta)
        totals.endSecond()
        let identity = RunIdentity(
            runID: "ä/北 \"run\"\n", profile: "back\\slash", profileDigest: "a+b", version: "1.0.0", dialect: "her\\nmes",
            targetHost: "{gw}",
            startedAtSeconds: 1_796_010_130.25)
        var run = RunSnapshot(identity: identity, elapsedSeconds: 1, phase: .steady, totals: totals)
        run.gates = [try Gate.parse("reply.p99 < 2s").evaluate(run)]
        return run
    }

    @Test(.enabled(if: Peers.isRequired || Peers.stack != nil, "no Pushgateway and Prometheus: install them and set STENTOR_PEERS"))
    func `a set with hostile labels arrives exactly, in one group, and goes`() throws {
        let stack = try PrometheusStack(script: try #require(Peers.stack, "the judges must be installed where CI=true"))
        let labels = Self.torture.enumerated().map { GroupingLabel("l\($0.offset)", $0.element) }
        let target = try PushTarget(url: stack.pushgateway + "/", job: "nightly/ä", labels: labels)
        let client = try PushClient(target)
        try client.start()
        client.offer(PrometheusText.render(try snapshot(sent: 5)))
        let summary = client.finish(body: PrometheusText.render(try snapshot(sent: 7)), within: .seconds(20))
        #expect(summary.finishSucceeded && summary.failed == 0, "\(summary)")

        let key = Dictionary(uniqueKeysWithValues: [("job", "nightly/ä")] + labels.map { ($0.name, $0.value) })
        #expect(try stack.groups() == [key], "one group, with the exact labels")
        for round in 8...27 {
            let night = try PushClient(target)
            try night.start()
            #expect(night.finish(body: PrometheusText.render(try snapshot(sent: round)), within: .seconds(20)).finishSucceeded)
        }
        #expect(try stack.groups() == [key], "twenty nights later too")
        let last = PrometheusText.render(try snapshot(sent: 7))
        let again = try PushClient(target)
        try again.start()
        #expect(again.finish(body: last, within: .seconds(20)).finishSucceeded)
        // Prometheus has no empty labels.
        let scraped = key.filter { !$0.value.isEmpty }
        let sent = try stack.awaitResult("stentor_messages_sent_total == 7")
        #expect(sent.count == 1)
        #expect(sent.first?.labels == scraped.merging(["__name__": "stentor_messages_sent_total"]) { $1 })

        let info = try #require(try stack.query("stentor_run_info").first?.labels)
        #expect(info["run_id"] == "ä/北 \"run\"\n" && info["profile"] == "back\\slash" && info["digest"] == "a+b")
        #expect(info["dialect"] == "her\\nmes" && info["target"] == "{gw}" && info["shard"] == nil)
        #expect(try stack.query("stentor_start_time_seconds").map(\.value) == ["1796010130.25"])
        #expect(try stack.query("stentor_reply_seconds_count{phase=\"steady\"}").map(\.value) == ["100"])
        #expect(try stack.query("stentor_reply_seconds_bucket{le=\"0.5\",phase=\"steady\"}").map(\.value) == ["49"])
        #expect(try stack.query("stentor_server_error_codes_total{code=\"rate__limit__\"}").map(\.value) == ["1"])
        #expect(try stack.query("stentor_gate_passed{gate=\"reply.p99 < 2s\"}").map(\.value) == ["1"])

        for job in Self.torture where !job.isEmpty {
            let other = try PushClient(try PushTarget(url: stack.pushgateway, job: job, onFinish: .keep))
            try other.start()
            #expect(other.finish(body: Array("of_a_job 1\n".utf8), within: .seconds(20)).finishSucceeded, "\(job)")
            #expect(try stack.groups().contains(["job": job]), "\(job)")
            let gone = try PushClient(try PushTarget(url: stack.pushgateway, job: job, onFinish: .delete))
            try gone.start()
            #expect(gone.finish(body: [], within: .seconds(20)).finishSucceeded, "\(job)")
        }
        let deleting = try PushClient(try PushTarget(url: stack.pushgateway, job: "nightly/ä", labels: labels, onFinish: .delete))
        try deleting.start()
        #expect(deleting.finish(body: [], within: .seconds(20)).lastStatus == 202)
        #expect(try stack.groups().isEmpty)
    }
}
