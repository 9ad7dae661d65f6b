import StentorBase
import StentorDialect
import StentorMetrics

/// The accounts of what goes to others than the sender: each delivery is expected once and ends as delivered, late, lost or away, or is in
/// doubt.
///
/// `expected = delivered + late + lost + away + in doubt` holds after every fact.
enum DeliveryAccount {
    /// Counts one fact; facts about anything else are none of its business.
    static func note(_ fact: DeviceFact, _ shard: MetricShard) {
        switch fact {
        case .deliveriesExpected(let count, let away, let uncertain):
            shard.count(.deliveriesExpected, by: count)
            shard.count(.deliveriesAway, by: away)
            shard.count(.deliveriesInDoubt, by: count - away)
            shard.count(.deliveriesUncertain, by: uncertain)
        case .delivered(let delivery): note(delivery, shard)
        case .deliveryDuplicated: shard.count(.deliveriesDuplicated)
        case .deliveryReplayed: shard.count(.deliveriesReplayed)
        case .deliveryUnexpected: shard.count(.deliveriesUnexpected)
        case .deliveriesLost(let count): move(count, from: .deliveriesInDoubt, to: .deliveriesLost, shard)
        case .deliveriesAway(let count): move(count, from: .deliveriesInDoubt, to: .deliveriesAway, shard)
        case .fannedOut(let due, let arrived, let tag): shard.record(.fanoutLast, from: due, to: arrived, phase: phase(tag))
        default: break
        }
    }

    private static func note(_ delivery: Delivery, _ shard: MetricShard) {
        switch delivery.before {
        case .inDoubt: shard.count(.deliveriesInDoubt, by: -1)
        case .lost: shard.count(.deliveriesLost, by: -1)
        case .away: shard.count(.deliveriesAway, by: -1)
        case .uncertain: shard.count(.deliveriesExpected)
        }
        shard.count(delivery.isLate ? .deliveriesLate : .deliveriesDelivered)
        if delivery.isReordered { shard.count(.deliveriesReordered) }
        shard.record(.fanout, from: delivery.due, to: delivery.arrived, phase: phase(delivery.phaseTag))
    }

    private static func move(_ count: Int, from old: Counter, to new: Counter, _ shard: MetricShard) {
        shard.count(old, by: -count)
        shard.count(new, by: count)
    }

    private static func phase(_ tag: UInt8) -> Phase {
        guard let phase = Phase(rawValue: Int(tag)) else { preconditionFailure("DeliveryAccount: no phase has this tag") }
        return phase
    }
}
