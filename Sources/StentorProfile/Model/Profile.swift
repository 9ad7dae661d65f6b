import StentorBase
import StentorMetrics

/// A validated profile: who the devices are, what they do, what goes wrong, and what must hold.
///
/// Made by ``decode(_:file:options:)`` or ``load(path:options:)`` only, so that a value of this type has passed every check: ranges hold,
/// shares add up, exclusive fields exclude each other. All defaults are filled in.
public struct Profile: Sendable {
    /// Version of the format; always 1.
    public let version: Int
    /// Name of the run's kind, 1...64 of `A-Z a-z 0-9 . _ -`; part of the run directory's name.
    public let name: String
    /// Seed of all randomness; default: `SplitMix64.hash(name)`.
    public let seed: UInt64
    /// The gateway under test, and how to reach it.
    public let target: Target
    /// The options of the dialect, defaults filled in.
    public let dialectSettings: DialectSettings
    /// The simulated devices.
    public let devices: Devices
    /// How many devices are meant to be connected, and when.
    public let load: Load
    /// First dials per second over the whole fleet, more than 0; default 200.
    public let connectRatePerSecond: Double
    /// What each device does; a part that is nil does not happen.
    public let behaviour: Behaviour
    /// How a device comes back after a loss.
    public let reconnect: Reconnect
    /// Faults that happen all the time; default none.
    public let faults: Faults
    /// Scripted outages, in the order of the profile (not sorted by time).
    public let drills: [Drill]
    /// What must hold, in the order of the profile.
    public let gates: [GateRule]
    /// Where numbers are pushed to; nil pushes nothing.
    public let push: Push?
    /// Where run directories are made.
    public let output: Output
    /// Each option's value and where it came from, in the profile's canonical order; secrets are redacted.
    public let origins: [Origin]
    /// The profile as a YAML text with all defaults and overrides in it, secrets replaced by `[redacted]`; it decodes again.
    public let resolvedYAML: String
    /// A stable 64-bit hash of what the run does, as 16 hexadecimal digits: equal for profiles that may be compared.
    ///
    /// Left out is what says which target it was and where results went: the target's `url`, `gateway`, tokens, `tls`, `headers`,
    /// `source_addresses` and `allow_host`, and all of `push` and `output`. Not for security.
    public let digest: String

    /// Where run directories are made.
    public struct Output: Sendable, Equatable {
        /// Folder that run directories are made in, relative to the working directory; default `runs`.
        public let directory: String
    }

    /// One gate of the profile.
    public struct GateRule: Sendable {
        /// The parsed gate.
        public let gate: Gate
        /// The gate as the profile writes it.
        public let text: String
        /// Where it stands: `file:line:column` or a flag.
        public let place: String
        /// Whether the run ends as soon as this gate fails; default false: judged at the end only.
        public let abortsRun: Bool
        /// How long after the run's start the gate may first abort it; default 0; 0 unless ``abortsRun``.
        public let after: Duration
    }

    /// One option's value and where it came from.
    public struct Origin: Sendable, Equatable {
        /// Path of the option, for instance `load[0].hold`; what `--set` takes.
        public let path: String
        /// The value as written, environment variables filled in; `[redacted]` for a secret.
        public let value: String
        /// Where the value came from.
        public let source: Source

        /// Where a value came from.
        public enum Source: Sendable, Equatable {
            /// The profile does not name it.
            case builtIn
            /// A line of the profile, 1-based.
            case profile(line: Int)
            /// A flag such as `--set devices.count` or `--duration`.
            case flag(String)
        }
    }
}

extension Profile.Origin.Source: CustomStringConvertible {
    /// How `stentor plan` shows it: `default`, `line 12`, or the flag.
    public var description: String {
        switch self {
        case .builtIn: "default"
        case .profile(let line): "line \(line)"
        case .flag(let flag): flag
        }
    }
}
