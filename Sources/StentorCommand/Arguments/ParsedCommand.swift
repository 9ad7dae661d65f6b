/// A command with all that it was asked to do.
public enum ParsedCommand: Sendable, Equatable {
    /// `stentor run`.
    case run(RunArguments)
    /// `stentor plan`.
    case plan(PlanArguments)
    /// `stentor serve`.
    case serve(ServeArguments)
    /// `stentor report`.
    case report(ReportArguments)
    /// `stentor check`.
    case check(CheckArguments)
    /// `stentor trace`.
    case trace(TraceArguments)
    /// `stentor history`.
    case history(HistoryArguments)
}

/// What `stentor report` was asked to do.
public struct ReportArguments: Sendable, Equatable {
    /// The run directory's path.
    public var run: String
    /// Where the report goes instead of the run directory; nil: `report.html` and `junit.xml` in it.
    public var output: String?
    /// Whether the summary goes to stdout instead of the report's path.
    public var printsJSON = false
    /// Whether and where the run is recorded again.
    public var recording = HistoryRecording()

    /// Asks for the report of a run directory in its place.
    public init(run: String) {
        self.run = run
    }
}

/// What `stentor run` was asked to do.
public struct RunArguments: Sendable, Equatable {
    /// The profile's path.
    public var profile: String
    /// Fields set over the profile with `--set`, in the order given; of two for one path the later holds.
    public var overrides: [Assignment] = []
    /// The target's URL, or `embedded`, instead of the profile's; nil: the profile's.
    public var target: String?
    /// How many devices instead of the profile's count, at least 1; nil: the profile's.
    public var devices: Int?
    /// How long the load lasts instead of the profile's schedule, more than 0; nil: the profile's.
    public var duration: Duration?
    /// The folder that run directories are made in instead of the profile's; nil: the profile's.
    public var outputDirectory: String?
    /// Whether the result goes to stdout as JSON instead of text.
    public var printsJSON = false
    /// Hosts beyond loopback that the run may load.
    public var allowedHosts: [String] = []
    /// Labels of the run; no name stands twice.
    public var labels: [Assignment] = []
    /// Whether progress is shown on stderr.
    public var showsProgress = true
    /// Whether and where the run is recorded.
    public var recording = HistoryRecording()
    /// Where scrapers find the numbers while the run lives; nil: nowhere.
    public var metricsAddress: ListenAddress?
    /// How long the end of the run waits to be scraped, if anything scraped it before; nil: ``defaultLinger``.
    public var metricsLinger: Duration?

    /// Twice a usual scrape interval.
    public static let defaultLinger = Duration.seconds(30)

    /// Asks for a run of a profile as it stands.
    public init(profile: String) {
        self.profile = profile
    }
}

/// What `stentor plan` was asked to do.
public struct PlanArguments: Sendable, Equatable {
    /// The profile's path.
    public var profile: String
    /// What is set over it.
    public var profileArguments = ProfileArguments()
    /// Whether the plan goes to stdout as JSON instead of text.
    public var printsJSON = false

    /// Asks for the plan of a profile as it stands.
    public init(profile: String) {
        self.profile = profile
    }
}

/// What `stentor serve` was asked to do.
public struct ServeArguments: Sendable, Equatable {
    /// Which dialect the gateway speaks.
    public var dialect: String
    /// Where it listens.
    public var listen: ListenAddress
    /// The gateway's own options, in the order given; their values have the shape that the gateway's table names.
    public var gatewayOptions: [CommandArguments.Given] = []

    /// Asks for a gateway as it is without options.
    public init(dialect: String, listen: ListenAddress) {
        self.dialect = dialect
        self.listen = listen
    }
}
