/// What a run is called by; fixed from its start.
public struct RunIdentity: Sendable, Equatable {
    /// The run's id: start and name.
    ///
    /// Never a label, except of `stentor_run_info`.
    public var runID: String
    /// The profile's name.
    public var profile: String
    /// The digest of the resolved profile, in hexadecimal; empty when unknown.
    public var profileDigest: String
    /// The version of Stentor.
    public var version: String
    /// The dialect's name.
    public var dialect: String
    /// The target's host, without credentials, path or token.
    public var targetHost: String
    /// The shard as `i/n`; empty when the run has only one.
    public var shard: String
    /// The start on the wall clock, in seconds since 1970.
    public var startedAtSeconds: Double

    /// Makes an identity; what is not given is empty.
    public init(
        runID: String, profile: String, profileDigest: String = "", version: String, dialect: String, targetHost: String,
        shard: String = "",
        startedAtSeconds: Double
    ) {
        (self.runID, self.profile, self.profileDigest, self.version) = (runID, profile, profileDigest, version)
        (self.dialect, self.targetHost, self.shard, self.startedAtSeconds) = (dialect, targetHost, shard, startedAtSeconds)
    }
}

/// How a run ended, or that it has not.
public enum Verdict: String, CaseIterable, Sendable {
    /// Every gate held.
    case pass
    /// A gate failed or had no data.
    case fail
    /// The generator, not the target, was the limit.
    case invalid
    /// A signal ended it early.
    case interrupted
    /// It is still running, or was killed.
    case incomplete
}

/// What the generator used itself.
///
/// What was not measured is nil.
public struct GeneratorNumbers: Sendable, Equatable {
    /// CPU of each loop's thread, 0...1: over the last second, in the last snapshot of a run over the whole of it.
    public var cpuShareByLoop: [Double]
    /// The largest share of a core that one loop used over 10 s so far; nil before 10 s have passed.
    public var busiestLoopShare: Double?
    /// Resident memory of the process: now, in the last snapshot of a run the most it was.
    public var residentBytes: Int?
    /// What each device added to the resident memory: the most it was, less what it was before the first device, over the devices.
    ///
    /// Nil below 1000 devices, where it would mostly be what the process costs once.
    public var residentBytesPerDevice: Int?
    /// File descriptors open: now, in the last snapshot of a run the most there were.
    public var openDescriptors: Int?
    /// The soft limit of file descriptors.
    public var descriptorLimit: Int?
    /// Local ports that dials to the target can still take, over all source addresses: now, in the last snapshot the fewest there were.
    public var portsLeft: Int?

    /// Makes the numbers; by default nothing was measured.
    public init(
        cpuShareByLoop: [Double] = [], busiestLoopShare: Double? = nil, residentBytes: Int? = nil, residentBytesPerDevice: Int? = nil,
        openDescriptors: Int? = nil, descriptorLimit: Int? = nil, portsLeft: Int? = nil
    ) {
        self.busiestLoopShare = busiestLoopShare
        self.residentBytesPerDevice = residentBytesPerDevice
        (self.cpuShareByLoop, self.residentBytes, self.openDescriptors) = (cpuShareByLoop, residentBytes, openDescriptors)
        (self.descriptorLimit, self.portsLeft) = (descriptorLimit, portsLeft)
    }
}

/// The state of a run at one moment: the one value that console, JSON, HTML and pushed numbers are made from, so that they agree.
public struct RunSnapshot: Sendable {
    /// What the run is called by.
    public let identity: RunIdentity
    /// Seconds since the start, on the monotonic clock.
    public let elapsedSeconds: Double
    /// The phase at this moment.
    public let phase: Phase
    /// The last seconds.
    public let live: LiveNumbers
    /// What the last finished second added, with its records: the deltas of all snapshots of a run add up to its numbers.
    public let lastSecond: ShardDelta
    /// What the generator used.
    public let generator: GeneratorNumbers
    /// The verdict; `incomplete` while the run goes on.
    public var verdict: Verdict
    /// The end on the wall clock, in seconds since 1970; nil while the run goes on.
    public var finishedAtSeconds: Double?
    /// The gates as judged so far; empty before.
    public var gates: [GateResult]
    /// What was read from processes so far; nil when nobody reads it, and gates on it have no data.
    public var processes: ProcessSeries?
    /// The outages so far, in order; the last one may be open.
    public var outages: [Outage] = []
    /// Resident memory of the embedded gateway: now, in the last snapshot of a run the last that was read; nil for other targets.
    public var gatewayResidentBytes: Int?
    private let steady: SteadySeries
    private let whole: ShardDelta
    private let summaries: [Metric: [Phase: Distribution]]

    /// Takes the state of the totals.
    public init(
        identity: RunIdentity, elapsedSeconds: Double, phase: Phase, totals: Totals, generator: GeneratorNumbers = .init(),
        verdict: Verdict = .incomplete, gates: [GateResult] = []
    ) {
        (self.identity, self.elapsedSeconds, self.phase) = (identity, elapsedSeconds, phase)
        (self.generator, self.verdict, self.gates) = (generator, verdict, gates)
        live = totals.live()
        lastSecond = totals.lastSecond
        var summaries: [Metric: [Phase: Distribution]] = [:]
        totals.whole.forEachDistribution { metric, phase, histogram in
            summaries[metric, default: [:]][phase] = Distribution(metric, histogram)
        }
        (whole, steady, self.summaries) = (totals.whole, totals.steady, summaries)
    }

    /// A count since the start.
    public func count(_ counter: Counter) -> Int64 { whole.count(counter) }

    /// The distribution of a metric in a phase; nil when it has no sample there.
    public func distribution(_ metric: Metric, in phase: Phase) -> Distribution? { summaries[metric]?[phase] }

    /// The samples of a metric in a phase, to merge or to write in the log format.
    public func histogram(_ metric: Metric, in phase: Phase) -> Histogram { whole.histogram(metric, in: phase) }

    /// The windows that a drift is estimated from; empty when nothing was measured.
    func windows(of drift: Gate.Drift) -> DriftWindows {
        switch drift {
        case .distribution(let metric, let statistic): steady.windows(of: metric, statistic)
        case .process(let number): processes?.windows(of: number) ?? DriftWindows(seconds: 1, [])
        }
    }

    /// How many devices are in a state.
    public func devices(in state: DeviceState) -> Int64 { whole.devices(in: state) }

    /// The counts of a family by label, most frequent first.
    public func labels(_ family: LabelFamily) -> [(label: String, count: Int64)] { whole.labels(family).sorted }

    /// A share in 0...1; nil when its denominator is 0.
    public func share(_ share: Share) -> Double? {
        let population = share.population(in: self)
        return population == 0 ? nil : Double(share.part(in: self)) / Double(population)
    }

    /// All counts by their dotted names, in the order of their definition.
    public var counts: [(name: String, value: Int64)] { Counter.allCases.map { ($0.name, count($0)) } }
}
