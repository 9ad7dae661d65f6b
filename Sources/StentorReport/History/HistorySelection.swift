import StentorMetrics

/// Which runs of a history are meant; conditions hold together.
public struct HistorySelection: Sendable, Equatable {
    /// The profile's name; nil: any.
    public var profile: String?
    /// Labels that a run must have, with these values.
    public var labels: [RunRecord.Label] = []
    /// A value that some label of the run must have; nil: none is asked for.
    public var labelValue: String?
    /// How runs may have ended; empty: in any way.
    public var verdicts: Set<Verdict> = []
    /// Only runs whose directory is gone.
    public var isVanished = false
    /// Runs that began before this moment, in seconds since 1970; nil: whenever.
    public var startedBefore: Double?
    /// How many of the newest ones; nil: all.
    public var last: Int?

    /// Means every run.
    public init() {}

    /// Whether it means every run.
    public var isEverything: Bool { self == HistorySelection() }

    /// The runs that are meant.
    ///
    /// - Parameter runs: Newest first.
    func chosen(of runs: [RecordedRun]) -> [RecordedRun] {
        let matching = runs.filter { run in
            (profile == nil || run.profile == profile) && labels.allSatisfy(run.labels.contains)
                && (labelValue == nil || run.labels.contains { $0.value == labelValue })
                && (verdicts.isEmpty || verdicts.contains(run.verdict)) && (!isVanished || run.isVanished)
                && (startedBefore.map { run.startedAtSeconds < $0 } ?? true)
        }
        return last.map { Array(matching.prefix($0)) } ?? matching
    }
}
