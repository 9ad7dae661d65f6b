import StentorBase
import Testing

@testable import StentorMetrics

struct RecordTests {
    private func reconnect(_ device: String) -> ReconnectRecord {
        ReconnectRecord(device: device, lostSeconds: 1, endSeconds: 2.5, isReady: true, attempts: 2, cause: .reset)
    }

    private func offender(_ number: Int) -> OffenderRecord {
        OffenderRecord(device: "d", item: .text, sequence: number, fate: .lost, knownSeconds: 3)
    }

    private func delta(_ record: (MetricShard) -> Void) -> ShardDelta {
        let shard = MetricShard()
        record(shard)
        var delta = ShardDelta()
        shard.drain(into: &delta)
        return delta
    }

    @Test func `records are in the second in which they were noted and nowhere else`() {
        var totals = Totals()
        totals.add(delta { $0.note(reconnect("a")) })
        totals.add(
            delta {
                $0.note(reconnect("b"))
                $0.note(offender(0))
            })
        totals.endSecond()
        #expect(totals.lastSecond.reconnects.map(\.device) == ["a", "b"])
        #expect(totals.lastSecond.offenders.count == 1)
        #expect(totals.whole.reconnects.isEmpty && totals.whole.offenders.isEmpty)
        totals.endSecond()
        #expect(totals.lastSecond.reconnects.isEmpty && totals.lastSecond.offenders.isEmpty)
    }

    @Test func `offenders beyond the cap are counted only`() {
        let one = delta { shard in for number in 0..<900 { shard.note(offender(number)) } }
        var both = one
        both.merge(one)
        #expect(both.offenders.count == ShardDelta.offendersKept)
        #expect(both.offendersDropped == 800)
        both.merge(both)
        #expect(both.offendersDropped == 2600)
    }

    @Test func `a cleared delta has no records`() {
        var delta = delta {
            $0.note(reconnect("a"))
            $0.note(offender(1))
        }
        delta.clear()
        #expect(delta.reconnects.isEmpty && delta.offenders.isEmpty && delta.offendersDropped == 0)
    }

    @Test func `a snapshot has what the last second added`() {
        var totals = Totals()
        for sent in [3, 4] {
            totals.add(delta { $0.count(.messagesSent, by: sent) })
            totals.endSecond()
        }
        let identity = RunIdentity(runID: "r", profile: "p", version: "0", dialect: "hermes", targetHost: "h", startedAtSeconds: 0)
        let snapshot = RunSnapshot(identity: identity, elapsedSeconds: 2, phase: .steady, totals: totals)
        #expect(snapshot.count(.messagesSent) == 7)
        #expect(snapshot.lastSecond.count(.messagesSent) == 4)
    }
}
