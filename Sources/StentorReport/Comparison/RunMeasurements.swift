import StentorMetrics
import StentorStatistics

/// What a comparison takes of one run: read from its directory, or made by a model whose truth is known.
public struct RunMeasurements: Sendable {
    /// A metric in a phase.
    public struct SeriesKey: Sendable, Hashable {
        /// What was measured.
        public let metric: Metric
        /// When.
        public let phase: Phase

        /// Names a series.
        public init(_ metric: Metric, _ phase: Phase) { (self.metric, self.phase) = (metric, phase) }
    }

    /// One interval of a series.
    public struct Interval: Sendable {
        /// Seconds since the start of the run.
        public let startSeconds: Double
        /// How long it is, in seconds.
        public let lengthSeconds: Double
        /// The buckets of ``Histogram`` that got samples, by their index.
        public let cells: [CellCount]

        /// Makes an interval.
        public init(startSeconds: Double, lengthSeconds: Double, cells: [CellCount]) {
            (self.startSeconds, self.lengthSeconds, self.cells) = (startSeconds, lengthSeconds, cells)
        }
    }

    /// A row of `timeline.csv` as far as counts are concerned: what was added in it, by the column that tells it.
    public struct Row: Sendable {
        /// Whether nothing but chance clusters events in it.
        public let isSteady: Bool
        /// What was added, by column of `timeline.csv`.
        public let added: [String: Double]

        /// Makes a row.
        public init(isSteady: Bool, added: [String: Double]) { (self.isSteady, self.added) = (isSteady, added) }
    }

    /// An outage as the summary tells it.
    public struct OutageFacts: Sendable {
        /// The drill's name, or `collapse`.
        public var name: String
        /// Seconds since the start of the run.
        public var startSeconds: Double
        /// Nil: it was open to the end.
        public var endSeconds: Double?
        /// Devices that lost a ready connection.
        public var devicesLost: Int
        /// Seconds from its start until 50, 90, 99 and 100 % were ready again; nil: they never were.
        public var readyAfterSeconds: [Double?]
        /// The most dials within one second; nil when not known.
        public var peakDialsPerSecond: Int?
        /// The share of its dials in the busiest 100 ms; nil when not known.
        public var retrySynchronisation: Double?

        /// Makes an outage.
        public init(
            name: String, startSeconds: Double, endSeconds: Double?, devicesLost: Int, readyAfterSeconds: [Double?] = [nil, nil, nil, nil],
            peakDialsPerSecond: Int? = nil, retrySynchronisation: Double? = nil
        ) {
            (self.name, self.startSeconds, self.endSeconds, self.devicesLost) = (name, startSeconds, endSeconds, devicesLost)
            (self.readyAfterSeconds, self.peakDialsPerSecond) = (readyAfterSeconds, peakDialsPerSecond)
            self.retrySynchronisation = retrySynchronisation
        }
    }

    /// A device that lost its connection in an outage, and when it was ready again.
    public struct Return: Sendable {
        /// The device's id.
        public let device: String
        /// The outage's number, from 1.
        public let outage: Int
        /// From the loss to ready, or to the end of watching.
        public let lifetime: Lifetime
        /// Dials from the loss to the end.
        public let attempts: Int

        /// Makes a row.
        public init(device: String, outage: Int, lifetime: Lifetime, attempts: Int) {
            (self.device, self.outage, self.lifetime, self.attempts) = (device, outage, lifetime, attempts)
        }
    }

    /// A text that was lost or answered twice.
    public struct Offence: Sendable {
        /// Whether it was answered twice; otherwise it was lost.
        public let isDuplicate: Bool
        /// When it was due, in seconds since the start.
        public let dueSeconds: Double
        /// When it was known.
        public let knownSeconds: Double

        /// Makes an offence.
        public init(isDuplicate: Bool, dueSeconds: Double, knownSeconds: Double) {
            (self.isDuplicate, self.dueSeconds, self.knownSeconds) = (isDuplicate, dueSeconds, knownSeconds)
        }
    }

    /// What the run is.
    public var identity: ComparedRun
    /// The intervals of each metric and phase, in the order of time.
    public var series: [SeriesKey: [Interval]]
    /// The counts of the run; what was not measured is absent.
    public var counts: [Counter: Int]
    /// Dials that failed at the target, neither cancelled nor cut by a fault of the profile.
    public var dialsFailed: Int
    /// The rows of the timeline.
    public var rows: [Row]
    /// The outages in the order of their start.
    public var outages: [OutageFacts]
    /// The devices that lost their connection in one.
    public var returns: [Return]
    /// Lost and duplicated texts; nil when the run noted not all of them.
    public var offences: [Offence]?
    /// What could not be read as it should, a sentence each.
    public var remarks: [String]

    /// Makes measurements; what is not given is empty.
    public init(
        identity: ComparedRun, series: [SeriesKey: [Interval]] = [:], counts: [Counter: Int] = [:], dialsFailed: Int = 0, rows: [Row] = [],
        outages: [OutageFacts] = [], returns: [Return] = [], offences: [Offence]? = [], remarks: [String] = []
    ) {
        (self.identity, self.series, self.counts, self.dialsFailed) = (identity, series, counts, dialsFailed)
        (self.rows, self.outages, self.returns, self.offences, self.remarks) = (rows, outages, returns, offences, remarks)
    }
}
