import StentorBase
import Testing

@testable import StentorMetrics

struct ShardTests {
    @Test func `what is drained is handed over exactly once`() {
        let shard = MetricShard()
        shard.count(.messagesSent, by: 3)
        shard.record(.reply, 1_000_000, phase: .steady)
        shard.move(from: nil, to: .waiting, devices: 5)
        shard.count(dialFailure: .refused)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        #expect(delta.count(.messagesSent) == 3)
        #expect(delta.histogram(.reply, in: .steady).count == 1)
        #expect(delta.devices(in: .waiting) == 5)
        #expect(delta.labels(.dialFailures)["refused"] == 1)
        var next = ShardDelta()
        shard.drain(into: &next)
        #expect(next.count(.messagesSent) == 0)
        #expect(next.histogram(.reply, in: .steady).isEmpty)
        #expect(next.devices(in: .waiting) == 0)
        #expect(next.labels(.dialFailures).isEmpty)
    }

    @Test func `a cleared delta can be reused`() {
        let shard = MetricShard()
        var delta = ShardDelta()
        for round in 1...3 as ClosedRange<UInt64> {
            shard.record(.loopLag, round, phase: .drain)
            shard.count(.dials)
            shard.drain(into: &delta)
            #expect(delta.histogram(.loopLag, in: .drain).max == round)
            #expect(delta.histogram(.loopLag, in: .drain).count == 1)
            #expect(delta.count(.dials) == 1)
            delta.clear()
        }
    }

    @Test(arguments: Metric.allCases)
    func `each metric and phase has a place of its own`(metric: Metric) {
        for phase in Phase.allCases {
            let shard = MetricShard()
            shard.record(metric, 42, phase: phase)
            var delta = ShardDelta()
            shard.drain(into: &delta)
            var seen: [(Metric, Phase)] = []
            delta.forEachDistribution { metric, phase, _ in seen.append((metric, phase)) }
            #expect(seen.map(\.0) == [metric] && seen.map(\.1) == [phase])
            #expect(delta.histogram(metric).max == 42)
        }
    }

    @Test func `an end before its start counts as zero, and a rate over no time is finite`() {
        let shard = MetricShard()
        shard.record(.reply, from: Instant(nanoseconds: 500), to: Instant(nanoseconds: 400), phase: .steady)
        shard.record(.reply, from: Instant(nanoseconds: 500), to: Instant(nanoseconds: 700), phase: .steady)
        shard.recordRate(.uploadRate, bytes: 1000, over: .zero, phase: .steady)
        shard.recordRate(.uploadRate, bytes: 3_000_000, over: .milliseconds(1500), phase: .steady)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        #expect(delta.histogram(.reply, in: .steady).min == 0)
        #expect(delta.histogram(.reply, in: .steady).max == 200)
        #expect(delta.histogram(.uploadRate, in: .steady).max == 1_000_000_000_000)
        #expect(delta.histogram(.uploadRate, in: .steady).min == 2_000_000)
    }

    @Test func `totals add up shards, and levels follow moves in both directions`() {
        let (first, second) = (MetricShard(), MetricShard())
        var totals = Totals()
        first.move(from: nil, to: .ready, devices: 10)
        second.move(from: nil, to: .ready, devices: 7)
        second.count(.messagesSent, by: 4)
        second.count(.messagesInDoubt, by: 4)
        collect([first, second], into: &totals)
        first.move(from: .ready, to: .backingOff, devices: 3)
        second.count(.messagesInDoubt, by: -4)
        second.count(.messagesLost, by: 4)
        collect([first, second], into: &totals)
        second.count(.messagesLost, by: -1)
        second.count(.messagesLate)
        collect([first, second], into: &totals)
        #expect(totals.whole.devices(in: .ready) == 14)
        #expect(totals.whole.devices(in: .backingOff) == 3)
        #expect(totals.whole.count(.messagesLost) == 3)
        #expect(totals.openAccounts.isEmpty)
        second.count(.messagesAnswered)
        collect([second], into: &totals)
        #expect(totals.openAccounts == [.messagesSent])
    }

    @Test(arguments: [
        (Counter.uploadsSent, Counter.uploadsLate), (.downloadsStarted, .downloadsByURL), (.promptsReceived, .promptsSubstituted),
    ])
    func `an account is open until its outcomes add up to it`(whole: Counter, part: Counter) {
        let shard = MetricShard()
        var totals = Totals()
        shard.count(whole, by: 2)
        shard.count(part)
        collect([shard], into: &totals)
        #expect(totals.openAccounts == [whole])
        shard.count(part)
        collect([shard], into: &totals)
        #expect(totals.openAccounts.isEmpty)
    }

    @Test func `the live view forgets what is older than its window`() {
        let shard = MetricShard()
        var totals = Totals(windowSeconds: 3)
        #expect(totals.live().rate(.messagesSent) == nil)
        for second in 1...5 {
            shard.count(.messagesSent, by: second)
            shard.record(.reply, UInt64(second) * 1_000_000_000, phase: second < 4 ? .ramp : .steady)
            collect([shard], into: &totals)
            #expect(totals.lastSecond.count(.messagesSent) == Int64(second))
        }
        #expect(totals.live().seconds == 3)
        #expect(totals.live().rate(.messagesSent) == 4)
        let reply = totals.live().distribution(.reply)
        #expect(reply.count == 3 && reply.min == 3 && reply.max == 5)
        collect([], into: &totals)
        #expect(totals.live().rate(.messagesSent) == 3)
        #expect(totals.whole.count(.messagesSent) == 15)
    }

    @Test func `the derived count is the sum of its parts`() {
        let shard = MetricShard()
        shard.count(.uploadsCorrupt, by: 2)
        shard.count(.downloadsCorrupt, by: 3)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        #expect(delta.count(.mediaCorrupt) == 5)
    }
}

struct CappedCountsTests {
    @Test func `labels beyond the capacity are counted as other`() {
        var counts = CappedCounts()
        for index in 0..<100 { counts.add("code\(index)") }
        counts.add("code0", by: 5)
        #expect(counts.sorted.count == CappedCounts.capacity + 1)
        #expect(counts["other"] == 68)
        #expect(counts["code0"] == 6)
        #expect(counts.sum == 105)
    }

    @Test func `merging keeps the cap and loses no count`() {
        var (left, right) = (CappedCounts(), CappedCounts())
        for index in 0..<40 {
            left.add("a\(index)")
            right.add("b\(index)", by: 2)
        }
        left.merge(right)
        #expect(left.sorted.count == CappedCounts.capacity + 1)
        #expect(left.sum == 120)
    }

    @Test(
        arguments: [
            ("rate_limited", "rate_limited"), ("", "none"), ("a b\"c\\\n", "a_b_c__"), ("ä", "__"), ("\u{1B}[31m", "__31m"),
            ("4xx:no.such-thing", "4xx:no.such-thing"), (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
        ])
    func `untrusted labels are reduced to harmless ones`(raw: String, kept: String) {
        var counts = CappedCounts()
        counts.add(raw)
        #expect(counts.sorted.map(\.label) == [kept])
    }

    @Test func `codes and statuses have their labels, odd ones none of their own`() {
        let shard = MetricShard()
        shard.count(closeCode: nil)
        shard.count(closeCode: 1001)
        shard.count(httpStatus: 503)
        shard.count(httpStatus: 99)
        shard.count(serverError: "busy!")
        shard.count(loss: .silent)
        shard.count(.framesSent, "text", by: 3)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        #expect(delta.labels(.closeCodes)["1005"] == 1 && delta.labels(.closeCodes)["1001"] == 1)
        #expect(delta.labels(.httpStatuses)["503"] == 1 && delta.labels(.httpStatuses)["other"] == 1)
        #expect(delta.labels(.serverErrors)["busy_"] == 1)
        #expect(delta.count(.serverErrors) == 1)
        #expect(delta.labels(.losses)["silent"] == 1)
        #expect(delta.labels(.framesSent)["text"] == 3)
    }
}
