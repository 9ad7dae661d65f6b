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
        /// Runs a program.
        case command(Command)
        /// Ends the embedded gateway and starts it again; only with an embedded target.
        case restartEmbedded(Restart)
    }

    /// A program that a drill runs, never through a shell.
    public struct Command: Sendable, Equatable {
        /// The program, looked up in `PATH` unless it has a slash, and its arguments; 1...256 texts.
        public let words: [String]
        /// How long it may take before it is killed, more than 0; default 60 s.
        public let within: Duration
    }

    /// A restart of the embedded gateway.
    public struct Restart: Sendable, Equatable {
        /// How it is ended; default kill.
        public let how: RestartStyle
        /// From its end to its new start, 0 or more; default 3 s.
        public let down: Duration
    }

    /// How a drill ends the embedded gateway.
    public enum RestartStyle: String, CaseIterable, Sendable {
        /// At once (SIGKILL): the kernel ends its connections, and what it counted is lost.
        case kill
        /// In order (SIGTERM): it closes its connections with 1001.
        case graceful
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

    /// How a connection is ended by a fault or a drill.
    public enum Cut: String, CaseIterable, Sendable {
        /// TCP reset at once: whatever is in flight is cut.
        case reset
        /// The device finishes what it has begun (at most 5 s), then does the closing handshake: nothing is in flight.
        case close
        /// The socket goes silent: nothing is read, written or seen any more until the device notices by itself.
        case halfOpen = "half_open"
        /// TCP reset when the next text is with the kernel.
        case afterSend = "after_send"
        /// TCP reset between two parts of the next photo that has two or more.
        case midUpload = "mid_upload"
        /// TCP reset at the next greeting, before its answer.
        case beforeReady = "before_ready"
    }

    /// Faults that happen all the time.
    public struct Faults: Sendable, Equatable {
        /// Drops of each device, each entry a Poisson process of its own.
        public let drops: [Drop]
        /// Devices that read slowly.
        public let slowReaders: [SlowReaders]
        /// Whether there are none at all.
        public var isEmpty: Bool { drops.isEmpty && slowReaders.isEmpty }
    }

    /// Connections of each device that are cut now and then.
    public struct Drop: Sendable, Equatable {
        /// Mean time between two drops of one device, more than 0; exponentially distributed.
        public let every: Duration
        /// How a connection ends; default reset.
        public let how: Cut
    }

    /// Devices that take what comes no faster than a rate.
    public struct SlowReaders: Sendable, Equatable {
        /// Part of all devices, more than 0; chosen by the seed.
        public let share: Double
        /// The most that such a device reads, in bytes per second, 1 KiB/s...1 GiB/s.
        public let bytesPerSecond: Int
    }
}
