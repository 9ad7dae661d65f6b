import StentorBase

/// Commands that share their first word, such as those of the history.
public struct CommandGroup: Sendable, Equatable {
    /// The word; alone it means the first of its commands.
    public let name: String
    /// What the commands are for, in one line for the list of commands.
    public let summary: String

    /// Makes a group.
    public init(_ name: String, summary: String) {
        self.name = name
        self.summary = summary
    }
}

/// All commands of the program.
public struct CommandTable: Sendable {
    /// The version that `--version` prints.
    public let version: String
    /// The commands, in the order of the help; those of one group stand together.
    public let commands: [CommandSpec]
    /// The groups of commands whose names have two words.
    public let groups: [CommandGroup]

    /// Makes a table; names of commands, and of the options of one command, must be unique.
    public init(version: String, commands: [CommandSpec], groups: [CommandGroup] = []) {
        precondition(Set(commands.map(\.name)).count == commands.count, "CommandTable: two commands with one name")
        for command in commands {
            let names = command.options.map(\.name) + ["--help"]
            precondition(Set(names).count == names.count, "CommandTable: two options of \(command.name) with one name")
        }
        self.version = version
        self.commands = commands
        self.groups = groups
    }

    /// Makes the table of the `stentor` program.
    ///
    /// - Parameters:
    ///   - version: The version that `--version` prints.
    ///   - dialects: What the gateways speak; the first is the default. At least one.
    ///   - gatewayOptions: The gateway's own options of `stentor serve`.
    public static func standard(version: String, dialects: [String], gatewayOptions: [OptionSpec]) -> CommandTable {
        CommandTable(
            version: version,
            commands: [.run, .plan, .serve(dialects: dialects, gatewayOptions: gatewayOptions), .check, .trace, .report]
                + CommandSpec.history,
            groups: [.history])
    }

    func command(_ name: String) -> CommandSpec? {
        commands.first { $0.name == name }
    }

    func commands(of group: CommandGroup) -> [CommandSpec] {
        commands.filter { $0.name.hasPrefix(group.name + " ") }
    }

    func group(of command: CommandSpec) -> CommandGroup? {
        groups.first { command.name.hasPrefix($0.name + " ") }
    }
}

extension CommandSpec {
    /// What can be set over a profile.
    private static let overProfile = [
        OptionSpec(
            "--set", "path=value", .override, isRepeatable: true,
            help: "Sets a field of the profile, for instance devices.count=50. Repeatable."),
        OptionSpec(
            "--target", "URL", .url(schemes: ["ws", "wss", "http", "https"], words: ["embedded"]),
            help: "The gateway to load, instead of the profile's; 'embedded' starts one."),
        OptionSpec("--devices", "N", .count(1...1_000_000), help: "How many devices, instead of the profile's count."),
        OptionSpec(
            "--duration", "TIME", .duration(isPositive: true),
            help: "How long the load lasts, for instance 90s or 8h, instead of the profile's."),
    ]

    private static func profileArguments(_ arguments: CommandArguments) -> ProfileArguments {
        var profile = ProfileArguments()
        profile.overrides = arguments.values("--set").compactMap(Assignment.init)
        profile.target = arguments.value("--target")
        profile.devices = arguments.value("--devices").flatMap(ValueShape.wholeNumber)
        profile.duration = arguments.value("--duration").flatMap(Quantity.duration)
        profile.allowedHosts = arguments.values("--allow-host")
        return profile
    }

    /// `stentor run`.
    static let run = CommandSpec(
        "run", operand: "PROFILE",
        summary: "Runs a profile and ends with a verdict.",
        discussion: """
            Runs the load that PROFILE describes, writes a run directory and ends with a verdict. Progress goes to stderr: live on a \
            terminal, a line every 10 s elsewhere. The result goes to stdout.
            """,
        options: overProfile + [
            OptionSpec("--out", "DIR", .text, help: "The folder that run directories are made in, instead of the profile's."),
            OptionSpec(switch: "--json", help: "Prints the result as JSON."),
            OptionSpec(
                "--allow-host", "HOST", .text, isRepeatable: true,
                help: "Allows the run to load this host; loopback needs no permission. Repeatable."),
            OptionSpec(
                "--label", "name=value", .label, isRepeatable: true,
                help: "Labels the run, for instance server=1.1.1, in the report and in exported metrics. Repeatable."),
            OptionSpec(
                "--metrics-listen", "HOST:PORT", .address,
                help: "Serves the numbers to Prometheus at /metrics while the run lives; port 0 takes a free one."),
            OptionSpec(
                "--metrics-linger", "TIME", .duration(),
                help: "How long the end of the run waits to be scraped, if anything scraped it before. Default 30s."),
            OptionSpec(switch: "--no-progress", help: "Shows no progress."),
        ] + HistoryRecording.options,
        examples: [
            Example("run Profiles/smoke.yaml", "runs a profile as it stands"),
            Example("run Profiles/soak.yaml --devices 50 --duration 2m --json", "tries a soak in small, and prints the result as JSON"),
            Example(
                "run Profiles/soak.yaml --target wss://gateway.example/ws --allow-host gateway.example",
                "loads another gateway than the profile's"),
        ],
        make: { arguments in
            var run = RunArguments(profile: arguments.operand)
            let profile = profileArguments(arguments)
            (run.overrides, run.target, run.devices) = (profile.overrides, profile.target, profile.devices)
            (run.duration, run.allowedHosts) = (profile.duration, profile.allowedHosts)
            run.outputDirectory = arguments.value("--out")
            run.printsJSON = arguments.has("--json")
            run.labels = arguments.values("--label").compactMap(Assignment.init)
            run.showsProgress = !arguments.has("--no-progress")
            run.recording = HistoryRecording(arguments)
            run.metricsAddress = arguments.value("--metrics-listen").flatMap(ListenAddress.init)
            run.metricsLinger = arguments.value("--metrics-linger").flatMap(Quantity.duration)
            return .run(run)
        })

    /// `stentor plan`.
    static let plan = CommandSpec(
        "plan", operand: "PROFILE",
        summary: "Shows what a run would do and need; starts nothing.",
        discussion: """
            Prints what a run of PROFILE would do: its schedule, the messages to expect, what it needs of this machine against what \
            there is, its drills and gates, and each option's value and where it comes from. Nothing is started or dialled. Ends with \
            1 when this machine cannot carry the run.
            """,
        options: overProfile + [
            OptionSpec(switch: "--json", help: "Prints the plan as JSON."),
            OptionSpec(
                "--allow-host", "HOST", .text, isRepeatable: true,
                help: "Plans for this host; loopback needs no permission. Repeatable."),
        ],
        examples: [
            Example("plan Profiles/soak.yaml", "plans a profile as it stands"),
            Example("plan Profiles/capacity.yaml --devices 50000 --json", "asks whether this machine can carry 50,000 devices"),
        ],
        make: { arguments in
            var plan = PlanArguments(profile: arguments.operand)
            plan.profileArguments = profileArguments(arguments)
            plan.printsJSON = arguments.has("--json")
            return .plan(plan)
        })

    /// `stentor serve` with the options that the gateway brings.
    static func serve(dialects: [String], gatewayOptions: [OptionSpec]) -> CommandSpec {
        let own = [
            OptionSpec("--dialect", "NAME", .choice(dialects), help: "What the gateway speaks. Default \(dialects[0])."),
            OptionSpec("--listen", "HOST:PORT", .address, help: "Where it listens; port 0 takes a free one. Default \(defaultListen)."),
        ]
        return CommandSpec(
            "serve",
            summary: "Runs a simulated gateway, with faults on demand.",
            discussion: """
                Runs a simulated gateway until it gets SIGINT or SIGTERM. Once it accepts connections it prints one line on stdout: \
                'listening on ' and its URL.
                """,
            options: own + gatewayOptions,
            examples: [
                Example("serve", "serves on a free port"),
                Example("serve --dialect \(dialects[0]) --listen 127.0.0.1:8787", "serves on a fixed port"),
            ],
            make: { arguments in
                let listen = ListenAddress(arguments.value("--listen") ?? defaultListen)
                guard let listen else { preconditionFailure("CommandTable: an address that passed its check cannot be read") }
                var serve = ServeArguments(dialect: arguments.value("--dialect") ?? dialects[0], listen: listen)
                serve.gatewayOptions = arguments.options.filter { given in gatewayOptions.contains { $0.name == given.name } }
                return .serve(serve)
            })
    }

    private static let defaultListen = "127.0.0.1:0"
}
