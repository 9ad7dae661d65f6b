import StentorBase

/// What a caller adds to a profile when it is decoded.
public struct DecodingOptions: Sendable {
    /// Values set over the profile's, in order: of two for one path the later holds.
    public var overrides: [ProfileOverride]
    /// Hosts other than loopback that may be load-tested, as `--allow-host` names them; case is ignored.
    public var allowedHosts: [String]
    /// The dialects that the profile can name.
    public var dialects: DialectCatalogue
    /// Looks up an environment variable for `${NAME}`; nil when it is not set.
    public var environment: @Sendable (String) -> String?

    /// Makes options; by default nothing is set over, only loopback is allowed, and no environment variable is set.
    ///
    /// - Parameter dialects: One shape at least.
    public init(
        dialects: DialectCatalogue, overrides: [ProfileOverride] = [], allowedHosts: [String] = [],
        environment: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        precondition(!dialects.shapes.isEmpty, "DecodingOptions: no dialect")
        self.overrides = overrides
        self.allowedHosts = allowedHosts
        self.dialects = dialects
        self.environment = environment
    }
}

/// A value that a flag sets over the profile's.
public struct ProfileOverride: Sendable, Equatable {
    enum Goal: Sendable, Equatable {
        case path(String)
        case longestHold
    }

    let goal: Goal
    let value: String
    /// The flag as faults and origins show it, for instance `--set devices.count`; never the value, which may be a secret.
    public let flag: String

    /// Sets the option at a path, for instance `devices.count` or `load[0].hold`.
    ///
    /// - Parameters:
    ///   - path: Path of the option; a fault of the profile when there is none such.
    ///   - value: The value as it would stand in the profile: a scalar as it is, a list or mapping in YAML's flow style.
    ///   - flag: How faults and origins name it. Default `--set PATH`.
    public init(path: String, value: String, flag: String? = nil) {
        goal = .path(path)
        self.value = value
        self.flag = flag ?? "--set \(path)"
    }

    private init(goal: Goal, value: String, flag: String) {
        (self.goal, self.value, self.flag) = (goal, value, flag)
    }

    /// Reads the argument of `--set`: `path=value`.
    ///
    /// - Throws: A ``UserFailure`` of cause `arguments` when there is no `=` or no path; it never quotes a value.
    public static func parse(_ argument: String) throws(UserFailure) -> ProfileOverride {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw UserFailure(.arguments, "expected path=value", place: "--set", hint: "for instance --set devices.count=50")
        }
        return ProfileOverride(path: String(argument[..<equals]), value: String(argument[argument.index(after: equals)...]))
    }

    /// The short form `--target URL`: sets `target.url`.
    ///
    /// Settings of the profile that only its own target can have (`target.gateway`, `target.tls`) are dropped when the new one cannot.
    public static func target(_ url: String) -> ProfileOverride {
        ProfileOverride(path: "target.url", value: url, flag: "--target")
    }

    /// The short form `--devices N`: sets `devices.count`, and with it, in proportion, each ramp that the profile gives as a number.
    public static func devices(_ count: String) -> ProfileOverride {
        ProfileOverride(path: "devices.count", value: count, flag: "--devices")
    }

    /// The short form `--duration D`: sets the longest `hold` of the load (the first of equals).
    public static func duration(_ duration: String) -> ProfileOverride {
        ProfileOverride(goal: .longestHold, value: duration, flag: "--duration")
    }
}
