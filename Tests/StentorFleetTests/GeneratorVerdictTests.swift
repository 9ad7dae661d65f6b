import StentorBase
import StentorMetrics
import Testing

@testable import StentorFleet

@Suite struct `The generator's verdict on itself` {
    private static func reasons(
        longestLag: Duration = .zero, busiest: Double? = nil, _ count: (MetricShard) -> Void = { _ in }
    ) -> [String] {
        let shard = MetricShard()
        count(shard)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        var totals = Totals()
        totals.add(delta)
        let identity = RunIdentity(runID: "r", profile: "p", version: "0", dialect: "hermes", targetHost: "h", startedAtSeconds: 0)
        let snapshot = RunSnapshot(
            identity: identity, elapsedSeconds: 10, phase: .steady, totals: totals, generator: .init(busiestLoopShare: busiest))
        return GeneratorVerdict.reasons(snapshot, longestLag: longestLag)
    }

    private static func lag(_ shard: MetricShard, _ milliseconds: UInt64, in phase: Phase = .steady, count: Int = 1000) {
        for _ in 0..<count { shard.record(.loopLag, milliseconds * 1_000_000, phase: phase) }
    }

    @Test func `has nothing to say about a punctual loop and a target that refuses`() {
        let reasons = Self.reasons(longestLag: .milliseconds(999), busiest: 0.94) { shard in
            Self.lag(shard, 20)
            for cause in DialCause.allCases where !cause.isGeneratorLimit { shard.count(dialFailure: cause) }
        }
        #expect(reasons.isEmpty)
    }

    @Test func `names dials that this machine could not make`() {
        let reasons = Self.reasons { shard in
            shard.count(dialFailure: .portsExhausted)
            shard.count(dialFailure: .portsExhausted)
            shard.count(dialFailure: .descriptorsExhausted)
        }
        #expect(
            reasons == [
                "2 dials found no free local port on this machine (EADDRNOTAVAIL): add target.source_addresses, or use fewer devices",
                "1 dial found no free file descriptor in this process (EMFILE): raise the limit (ulimit -Hn), or use fewer devices",
            ])
    }

    @Test func `names a loop that had no CPU left`() {
        let reasons = Self.reasons(busiest: 0.97)
        #expect(reasons == ["an event loop used 97 % of a core for 10 s: too little CPU for this load"])
    }

    @Test func `names a freeze, and the phase in which loops were late`() throws {
        #expect(Self.reasons(longestLag: .seconds(1)) == ["the generator stood still for 1.00 s"])
        let reasons = Self.reasons { shard in
            Self.lag(shard, 1, in: .ramp)
            Self.lag(shard, 180, in: .recovery)
        }
        try #require(reasons.count == 1)
        #expect(reasons[0].hasPrefix("the event loops were late by 180"))
        #expect(reasons[0].hasSuffix("(p99) in recovery: too little CPU for this load"))
    }

    @Test func `one late look in a thousand is none`() {
        let reasons = Self.reasons { shard in
            Self.lag(shard, 1, count: 999)
            Self.lag(shard, 200, count: 1)
        }
        #expect(reasons.isEmpty)
    }
}
