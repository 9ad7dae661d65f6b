import StentorMetrics

/// A second of a run, or a longer time when the machine was slow: what the journal writes one line of each file from.
public struct JournalSecond: Sendable {
    /// What was counted and recorded in it.
    public var delta: ShardDelta
    /// The state of the run at its end.
    public var snapshot: RunSnapshot
    /// The outages so far, in order of their start; the last one may be open.
    public var outages: [Outage]
    /// Its start, in seconds since the start of the run.
    public var startSeconds: Double
    /// The wall clock at its end, in seconds since 1970.
    public var wallSeconds: Double

    /// Makes a second out of what ``RunSnapshot/lastSecond`` added.
    public init(snapshot: RunSnapshot, outages: [Outage], startSeconds: Double, wallSeconds: Double) {
        (self.snapshot, self.outages, self.startSeconds, self.wallSeconds) = (snapshot, outages, startSeconds, wallSeconds)
        delta = snapshot.lastSecond
    }

    /// Its end, in seconds since the start of the run.
    public var endSeconds: Double { snapshot.elapsedSeconds }
    /// How long it is; never negative.
    public var lengthSeconds: Double { max(0, endSeconds - startSeconds) }

    /// Makes one time out of this one and the one that follows it: nothing that was counted is lost, only the resolution.
    public mutating func merge(_ next: JournalSecond) {
        delta.merge(next.delta)
        (snapshot, outages, wallSeconds) = (next.snapshot, next.outages, next.wallSeconds)
    }
}
