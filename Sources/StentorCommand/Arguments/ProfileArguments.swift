import Glibc
import StentorBase
import StentorDialect
import StentorProfile

/// What a command line sets over a profile.
public struct ProfileArguments: Sendable, Equatable {
    /// Fields set over the profile with `--set`, in the order given; of two for one path the later holds.
    public var overrides: [Assignment] = []
    /// The target's URL, or `embedded`, instead of the profile's; nil: the profile's.
    public var target: String?
    /// How many devices instead of the profile's count, at least 1; nil: the profile's.
    public var devices: Int?
    /// How long the load lasts instead of the profile's schedule, more than 0; nil: the profile's.
    public var duration: Duration?
    /// Hosts beyond loopback that the run may load.
    public var allowedHosts: [String] = []

    /// Sets nothing.
    public init() {}
}

extension DecodingOptions {
    /// The options that a command line gives, with the environment of this process.
    static func given(_ arguments: ProfileArguments) -> DecodingOptions {
        var overrides = arguments.overrides.map { ProfileOverride(path: $0.name, value: $0.value) }
        if let target = arguments.target { overrides.append(.target(target)) }
        if let devices = arguments.devices { overrides.append(.devices(String(devices))) }
        if let duration = arguments.duration { overrides.append(.duration("\(duration.wholeNanoseconds)ns")) }
        return DecodingOptions(
            dialects: Dialect.catalogue, overrides: overrides, allowedHosts: arguments.allowedHosts,
            environment: { name in getenv(name).map { String(cString: $0) } })
    }
}
