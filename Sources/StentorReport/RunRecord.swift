import StentorMetrics

/// What a run is, as opposed to what it measured: the content of `run.json` and of `run` in `summary.json`.
///
/// Written at the start, and again at the end with what was not known then.
public struct RunRecord: Sendable, Equatable {
    /// A label that the user gave the run.
    public struct Label: Sendable, Equatable {
        /// Its name, once per run.
        public var name: String
        /// Its value; may be empty.
        public var value: String

        /// Makes a label.
        public init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Run id, profile, digest, version, dialect, target host, shard and start.
    public var identity: RunIdentity
    /// The seed that all randomness of the run comes from.
    public var seed: UInt64
    /// The machine that made the load.
    public var host: HostFacts
    /// The version that the target named, untrusted; nil when it named none.
    public var serverVersion: String?
    /// The user's labels, in their order; of two with the same name the last one counts.
    public var labels: [Label]
    /// How long the run was meant to take, in seconds; nil when unknown.
    public var plannedSeconds: Double?
    /// The end on the wall clock, in seconds since 1970; nil while the run goes on.
    public var endedAtSeconds: Double?

    /// Makes a record; what is not given is unknown.
    public init(
        identity: RunIdentity, seed: UInt64, host: HostFacts, serverVersion: String? = nil, labels: [Label] = [],
        plannedSeconds: Double? = nil, endedAtSeconds: Double? = nil
    ) {
        (self.identity, self.seed, self.host, self.serverVersion) = (identity, seed, host, serverVersion)
        (self.labels, self.plannedSeconds, self.endedAtSeconds) = (labels, plannedSeconds, endedAtSeconds)
    }
}
