import StentorBase

extension CommandSpec {
    /// `stentor trace`.
    static let trace = CommandSpec(
        "trace", operand: "PROFILE",
        summary: "Runs one device of a profile and prints its frames.",
        discussion: """
            Runs one device of PROFILE by itself, with its identity, behaviour and faults, and prints what happens on its connections with the \
            seconds since the start: → sent, ← received, · anything else. Tokens are not shown, payloads are cut short. Writes no run \
            directory, pushes nothing, and leaves drills out. Ends with 69 when the device was never ready.
            """,
        options: [
            OptionSpec("--device", "N", .count(0...1_000_000), help: "Which device, from 0. Default 0."),
            OptionSpec("--duration", "TIME", .duration(isPositive: true), help: "How long it stays. Default 10s."),
            OptionSpec("--lines", "N", .count(1...1_000_000), help: "Ends behind so many lines."),
            OptionSpec(
                "--set", "path=value", .override, isRepeatable: true,
                help: "Sets a field of the profile, for instance behaviour.text.every=1s. Repeatable."),
            OptionSpec(
                "--target", "URL", .url(schemes: ["ws", "wss", "http", "https"], words: ["embedded"]),
                help: "The gateway to dial, instead of the profile's; 'embedded' starts one."),
            OptionSpec(
                "--allow-host", "HOST", .text, isRepeatable: true,
                help: "Allows this host; loopback needs no permission. Repeatable."),
            OptionSpec(switch: "--json", help: "Prints each line as a JSON object."),
        ],
        examples: [
            Example("trace Profiles/smoke.yaml", "shows the first 10 s of device 0 against a gateway of its own"),
            Example("trace Profiles/smoke.yaml --device 7 --lines 20 --json", "shows 20 lines of device 7, for a script"),
        ],
        make: { arguments in
            var trace = TraceArguments(profile: arguments.operand)
            trace.device = arguments.value("--device").flatMap(ValueShape.wholeNumber) ?? trace.device
            trace.duration = arguments.value("--duration").flatMap(Quantity.duration) ?? trace.duration
            trace.lines = arguments.value("--lines").flatMap(ValueShape.wholeNumber) ?? trace.lines
            trace.profileArguments.overrides = arguments.values("--set").compactMap(Assignment.init)
            trace.profileArguments.target = arguments.value("--target")
            trace.profileArguments.allowedHosts = arguments.values("--allow-host")
            trace.printsJSON = arguments.has("--json")
            return .trace(trace)
        })
}

/// What `stentor trace` was asked to do.
public struct TraceArguments: Sendable, Equatable {
    /// The profile's path.
    public var profile: String
    /// What is set over it.
    public var profileArguments = ProfileArguments()
    /// The device's index.
    public var device = 0
    /// How long it stays.
    public var duration = Duration.seconds(10)
    /// The most lines.
    public var lines = Int.max
    /// Whether each line is a JSON object.
    public var printsJSON = false

    /// Asks for the trace of the first device of a profile.
    public init(profile: String) {
        self.profile = profile
    }
}
