/// What the progress of a run shows at one moment.
///
/// Texts may come from outside (profiles, servers); the view makes them harmless.
public struct ProgressFrame: Sendable, Equatable {
    /// How many devices are in a state.
    public struct State: Sendable, Equatable {
        /// The state's word, for instance `ready`.
        public let name: String
        /// How many devices are in it.
        public let devices: Int

        /// Notes a state.
        public init(_ name: String, _ devices: Int) {
            self.name = name
            self.devices = devices
        }
    }

    /// How often something happens.
    public struct Rate: Sendable, Equatable {
        /// What happens, for instance `sent`.
        public let name: String
        /// Times per second over the last interval.
        public let perSecond: Double
        /// Times since the run's start.
        public let total: Int

        /// Notes a rate.
        public init(_ name: String, perSecond: Double, total: Int) {
            self.name = name
            self.perSecond = perSecond
            self.total = total
        }
    }

    /// How long something takes.
    public struct Latency: Sendable, Equatable {
        /// What takes the time, for instance `reply`.
        public let name: String
        /// The median in seconds; nil: too few samples.
        public let p50: Double?
        /// The 99th percentile in seconds; nil: too few samples.
        public let p99: Double?
        /// How many samples both rest on.
        public let count: Int

        /// Notes a latency.
        public init(_ name: String, p50: Double?, p99: Double?, count: Int) {
            self.name = name
            self.p50 = p50
            self.p99 = p99
            self.count = count
        }
    }

    /// How often something went wrong since the run's start.
    public struct ErrorCount: Sendable, Equatable {
        /// The cause's word, for instance `refused`.
        public let name: String
        /// How often.
        public let count: Int

        /// Notes a cause.
        public init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// The run's name.
    public var title: String
    /// The target as it may be shown, without secrets.
    public var target: String
    /// The phase's word, for instance `steady`.
    public var phase: String
    /// Time since the run's start.
    public var elapsed: Duration
    /// How long the run is meant to last; nil: not known.
    public var total: Duration?
    /// Devices that are meant to be connected now.
    public var wantedDevices: Int
    /// Devices by state, in the order of a device's life; states without devices may be there.
    public var states: [State] = []
    /// What happens, and how often.
    public var rates: [Rate] = []
    /// What takes time, and how long.
    public var latencies: [Latency] = []
    /// What went wrong, the most frequent first.
    public var errors: [ErrorCount] = []
    /// The last thing worth a line, for instance a drill that began; empty: nothing.
    public var notice = ""

    /// Makes a frame without numbers.
    public init(title: String, target: String, phase: String, elapsed: Duration, total: Duration?, wantedDevices: Int) {
        self.title = title
        self.target = target
        self.phase = phase
        self.elapsed = elapsed
        self.total = total
        self.wantedDevices = wantedDevices
    }

    /// Time until the meant end, never below 0; nil: not known.
    public var left: Duration? {
        total.map { max(.zero, $0 - elapsed) }
    }

    /// Devices in the state `ready`.
    public var readyDevices: Int {
        states.first { $0.name == "ready" }?.devices ?? 0
    }

    /// All that went wrong.
    public var errorTotal: Int {
        errors.reduce(0) { $0 + $1.count }
    }

    /// How much of the run is over, 0...1; nil: not known.
    public var doneRatio: Double? {
        guard let total, total > .zero else { return nil }
        return min(1, max(0, elapsed / total))
    }
}
