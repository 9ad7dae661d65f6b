/// What a compared run is: identity, and what must be alike.
public struct ComparedRun: Sendable, Equatable {
    /// Where it was read from.
    public var path: String
    /// The run's id.
    public var runID: String
    /// The profile's name.
    public var profile: String
    /// The digest of the profile without its target; empty when unknown.
    public var profileDigest: String
    /// The seed, in decimal digits; empty when unknown.
    public var seed: String
    /// How long the run was meant to take, in seconds; nil when unknown.
    public var plannedSeconds: Double?
    /// The cores of the machine that made the load; nil when unknown.
    public var cores: Int?
    /// Its memory; nil when unknown.
    public var memoryBytes: Int?
    /// How the run ended.
    public var verdict: String
    /// Why, a sentence each.
    public var reasons: [String]
    /// The version of Stentor.
    public var version: String
    /// What was under load: the version that the target named, otherwise its host. Untrusted.
    public var target: String
    /// The user's labels as `name=value`.
    public var labels: [String]

    /// Names a run; what is not given is unknown.
    public init(
        path: String, runID: String, profile: String = "", profileDigest: String = "", seed: String = "", plannedSeconds: Double? = nil,
        cores: Int? = nil, memoryBytes: Int? = nil, verdict: String = "pass", reasons: [String] = [], version: String = "",
        target: String = "", labels: [String] = []
    ) {
        (self.path, self.runID, self.profile, self.profileDigest, self.seed) = (path, runID, profile, profileDigest, seed)
        (self.plannedSeconds, self.cores, self.memoryBytes) = (plannedSeconds, cores, memoryBytes)
        (self.verdict, self.reasons, self.version, self.target, self.labels) = (verdict, reasons, version, target, labels)
    }
}
