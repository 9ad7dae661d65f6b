extension Profile {
    /// How a device comes back after a loss.
    public struct Reconnect: Sendable, Equatable {
        /// How long it waits before each attempt; default: as the dialect says.
        public let policy: ReconnectPolicy
        /// How waits are spread, so that devices do not return in lock-step; default none.
        public let jitter: Jitter
        /// Attempts after one loss before the device is failed; 0 never reconnects, nil tries for ever; default nil.
        public let attempts: Int?
    }

    /// How long a device waits before reconnect attempt n, from 1.
    public enum ReconnectPolicy: Sendable, Equatable {
        /// As the dialect says.
        case dialect
        /// The same wait each time, more than 0.
        case fixed(base: Duration)
        /// min(base · 2ⁿ⁻¹, cap); 0 < base ≤ cap.
        case exponential(base: Duration, cap: Duration)
    }

    /// How a wait is spread.
    ///
    /// Names and formulas: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    public enum Jitter: String, CaseIterable, Sendable {
        /// The wait itself.
        case none
        /// Half the wait, and a uniform part of the other half.
        case equal
        /// Uniform between 0 and the wait.
        case full
    }

    /// A scripted outage.
    public struct Drill: Sendable, Equatable {
        /// When it begins, from the run's start; more than 0, less than the load's total duration.
        public let at: Duration
        /// Name in results, unique within the profile, 1...64 printable characters; default `drill N`, N from 1.
        public let name: String
        /// What happens.
        public let action: DrillAction
    }

    /// What a drill does.
    public enum DrillAction: Sendable, Equatable {
        /// Disconnects a part of the ready devices.
        case disconnect(Disconnect)
    }

    /// A mass disconnect.
    public struct Disconnect: Sendable, Equatable {
        /// Part of the ready devices, more than 0, at most 1; default 1.
        public let share: Double
        /// Time that the cuts are spread over evenly; 0 cuts all at once; default 0.
        public let within: Duration
        /// How each connection ends; default reset.
        public let how: Cut
    }

    /// How a connection is ended by a drill.
    public enum Cut: String, CaseIterable, Sendable {
        /// TCP reset at once: whatever is in flight is cut.
        case reset
        /// The device finishes what it has begun (at most 5 s), then does the closing handshake: nothing is in flight.
        case close
    }
}
