extension Profile {
    /// How many devices are meant to be connected, as a series of steps from 0 devices.
    public struct Load: Sendable, Equatable {
        /// The steps in order: at least one, the first is a ramp, one ramp at least goes above 0.
        public let steps: [LoadStep]

        /// How long all steps take.
        public var totalDuration: Duration {
            steps.reduce(.zero) { $0 + $1.duration }
        }

        /// The most devices meant to be connected at any time.
        public var peakDevices: Int {
            steps.map { if case .ramp(let target, _) = $0 { target } else { 0 } }.max() ?? 0
        }
    }

    /// One step of the load.
    public enum LoadStep: Sendable, Equatable {
        /// Goes evenly from the current number of devices to `to` (0...`devices.count`) in `over` (more than 0).
        case ramp(to: Int, over: Duration)
        /// Keeps the number of devices for a time, more than 0.
        case hold(Duration)

        /// How long the step takes.
        public var duration: Duration {
            switch self {
            case .ramp(_, let over): over
            case .hold(let duration): duration
            }
        }
    }
}
