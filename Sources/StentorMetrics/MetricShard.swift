import StentorBase

/// Where the devices of one event loop count and record, without locks.
///
/// Confined to its loop's thread, therefore not `Sendable`. Once a second the collector runs ``drain(into:)`` on that thread, which
/// swaps two values, and merges what it got elsewhere.
public final class MetricShard {
    // SAFETY: one thread, and no method calls out while it changes the delta, so accesses never overlap; the dynamic check for
    // that would triple the cost of a record (13 instead of 4 ns).
    @exclusivity(unchecked) private var delta = ShardDelta()

    /// Makes a shard that has counted nothing.
    public init() {}

    /// Adds to a count; a revisable count or a level may be lowered by a negative amount.
    ///
    /// Not for derived counts.
    public func count(_ counter: Counter, by amount: Int = 1) {
        delta.count(counter, by: Int64(amount))
    }

    /// Records a value in the unit of the metric: nanoseconds for durations.
    ///
    /// A value beyond ``Histogram/maximumValue`` is counted as out of range and in no other number.
    public func record(_ metric: Metric, _ value: UInt64, phase: Phase) {
        delta.record(metric, value, phase)
    }

    /// Records the time between two instants; an end before the start (the loop's clock is cached) counts as 0.
    public func record(_ metric: Metric, from start: Instant, to end: Instant, phase: Phase) {
        delta.record(metric, UInt64(max(0, end.nanoseconds(since: start))), phase)
    }

    /// Records a rate: bytes over a duration, in bytes per second; a duration of 0 counts as one nanosecond.
    public func recordRate(_ metric: Metric, bytes: Int, over duration: Duration, phase: Phase) {
        let nanoseconds = Double(max(1, duration.wholeNanoseconds))
        delta.record(metric, UInt64(Double(max(0, bytes)) * 1e9 / nanoseconds), phase)
    }

    /// Moves a device to another state.
    ///
    /// - Parameters:
    ///   - old: Where it was; nil when it was nowhere yet.
    ///   - new: Where it is; nil when it is gone for good.
    ///   - devices: How many devices move at once. Default 1.
    public func move(from old: DeviceState?, to new: DeviceState?, devices: Int = 1) {
        delta.move(from: old, to: new, by: Int64(devices))
    }

    /// Counts a dial that failed.
    public func count(dialFailure cause: DialCause) { delta.add(.dialFailures, cause.rawValue, by: 1) }
    /// Counts the end of a ready connection.
    public func count(loss cause: LossCause) { delta.add(.losses, cause.rawValue, by: 1) }
    /// Counts a close frame received; nil: it had no code (RFC 6455 § 7.1.5 calls that 1005).
    public func count(closeCode code: UInt16?) { delta.add(.closeCodes, String(code ?? 1005), by: 1) }
    /// Counts an answer to an upgrade; statuses outside 100...599 are `other`.
    public func count(httpStatus status: Int) {
        delta.add(.httpStatuses, (100...599).contains(status) ? String(status) : CappedCounts.overflow, by: 1)
    }
    /// Counts an error message of the server by its code, which is untrusted text: see ``CappedCounts``.
    ///
    /// Also counts `errors.server`.
    public func count(serverError code: String) {
        delta.count(.serverErrors, by: 1)
        delta.add(.serverErrors, code, by: 1)
    }
    /// Counts under any label of a family; see ``CappedCounts``.
    ///
    /// Costs a look-up in a dictionary.
    public func count(_ family: LabelFamily, _ label: String, by amount: Int = 1) {
        delta.add(family, label, by: Int64(amount))
    }

    /// Notes that a device came back after a loss, or is no longer watched.
    public func note(_ record: ReconnectRecord) { delta.note(record) }
    /// Notes an item that did not arrive as it should.
    ///
    /// - Parameter record: Made only when it is kept: beyond ``ShardDelta/offendersKept`` a second they are only counted.
    public func note(_ record: @autoclosure () -> OffenderRecord) {
        guard delta.hasRoomForOffender else { return delta.dropOffender() }
        let record = record()
        delta.note(record)
    }

    /// Hands over what was counted since the last time, on the loop's thread.
    ///
    /// A swap: it takes the same few nanoseconds whether the second was idle or busy. The caller must own `empty` alone, or the next
    /// record copies it.
    ///
    /// - Parameter empty: An empty delta, fresh or cleared; holds what was counted afterwards.
    public func drain(into empty: inout ShardDelta) {
        swap(&delta, &empty)
    }
}
