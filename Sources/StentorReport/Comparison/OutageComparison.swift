import StentorStatistics

/// One outage on both sides: who comes back when, and what it costs.
public struct OutageComparison: Sendable {
    /// An outage over all runs of a side.
    public struct Side: Sendable {
        /// Devices that lost their connection, over all runs.
        public let devices: Int
        /// Those that were not ready again while they were watched.
        public let censored: Int
        /// How long each of these was watched, in seconds, rising.
        public let censoredSeconds: [Double]
        /// The share that still waits over the time since its loss, all devices of all runs together; nil without devices.
        public let curve: SurvivalCurve?
        /// The time by which half are ready, in seconds.
        public let median: Estimate?
        /// The mean time until ready within ``OutageComparison/horizonSeconds``, in seconds; nil without devices.
        public let restrictedMean: Estimate?
        /// Dials of these devices until they were ready, or no longer watched.
        public let attempts: Int
        /// Dials that led to nothing: attempts less devices that became ready.
        public let wastedDials: Int
        /// Texts in flight in the outage that were lost; nil when the runs did not note all of them.
        public let textsLost: Int?
        /// Texts in flight in the outage that were answered twice; nil when the runs did not note all of them.
        public let textsDuplicated: Int?
        /// The shape of the herd, run by run.
        public let herds: [Herd]
    }

    /// How the devices of one run came back.
    public struct Herd: Sendable, Equatable {
        /// Seconds from the outage's start until 50, 90, 99 and 100 % were ready; nil: they never were.
        public let readyAfterSeconds: [Double?]
        /// The most dials within one second; nil when not known.
        public let peakDialsPerSecond: Int?
        /// The share of all dials within the busiest 100 ms; nil when not known.
        public let retrySynchronisation: Double?
    }

    /// Its name, with `#2` from the second of a name on.
    public let name: String
    /// The base.
    public let base: Side
    /// The candidate.
    public let candidate: Side
    /// Up to when means are taken, in seconds: as long as both curves are known.
    public let horizonSeconds: Double
    /// The log-rank test over all devices, which takes them as independent; nil when nobody returned.
    public let logRank: LogRank?
    /// Device n of the base with device n of the candidate, run i with run i.
    public let paired: PairedDifferences
    /// How many devices are in both.
    public let pairedDevices: Int
}
