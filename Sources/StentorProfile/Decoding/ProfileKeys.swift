/// One key of a mapping in a profile.
public struct ProfileKey: Sendable {
    /// The key.
    public let name: String
    /// Whether the mapping must have it.
    public let isRequired: Bool
    /// What may stand there.
    public let shape: ProfileShape
    /// The words that the value must be one of; empty when it is not a choice.
    public let choices: [String]

    static func required(_ name: String, _ shape: ProfileShape = .value) -> ProfileKey {
        ProfileKey(name: name, isRequired: true, shape: shape, choices: [])
    }

    static func optional(_ name: String, _ shape: ProfileShape = .value) -> ProfileKey {
        ProfileKey(name: name, isRequired: false, shape: shape, choices: [])
    }

    static func choice(_ name: String, _ choices: [String]) -> ProfileKey {
        ProfileKey(name: name, isRequired: false, shape: .value, choices: choices)
    }
}

/// What may stand at a place of a profile.
public indirect enum ProfileShape: Sendable {
    /// A single value.
    case value
    /// A mapping with these keys only.
    case mapping(ProfileKeys)
    /// A list.
    case list(of: ProfileShape)
    /// A mapping from names of the user's own to single values.
    case names
    /// A single value, or a mapping with these keys.
    case valueOrMapping(ProfileKeys)
}

/// The keys of one mapping: the decoder's own table, which the overrides, the suggestions and the JSON Schema's test use too.
public struct ProfileKeys: Sendable {
    /// The keys, in the order in which a resolved profile shows them.
    public let all: [ProfileKey]
    /// Words of the format that this version does not carry out yet; refused as such, not as unknown.
    public let unavailable: [String]

    init(_ all: [ProfileKey], unavailable: [String] = []) {
        self.all = all
        self.unavailable = unavailable
    }

    /// The key of a name, if there is one.
    public subscript(name: String) -> ProfileKey? {
        all.first { $0.name == name }
    }

    var names: [String] { all.map(\.name) }
}

extension ProfileKeys {
    /// The keys of a whole profile.
    public static let root = ProfileKeys([
        .required("version"), .required("name"), .optional("seed"),
        .required("target", .mapping(target)), .required("devices", .mapping(devices)),
        .required("load", .list(of: .mapping(loadStep))), .optional("connect_rate"),
        .optional("behaviour", .mapping(behaviour)), .optional("reconnect", .mapping(reconnect)),
        .optional("faults", .list(of: .mapping(fault))), .optional("drills", .list(of: .mapping(drill))),
        .optional("gates", .list(of: .valueOrMapping(gate))),
        .optional("push", .mapping(push)), .optional("output", .mapping(ProfileKeys([.optional("dir")]))),
    ])

    static let target = ProfileKeys([
        .required("url"), .choice("dialect", Profile.DialectName.allCases.map(\.rawValue)), .optional("token"), .optional("token_file"),
        .optional("tokens_file"),
        .optional("tls", .mapping(ProfileKeys([.optional("ca_file"), .optional("server_name"), .optional("insecure")]))),
        .optional("headers", .names), .optional("connect_within"), .optional("ready_within"),
        .optional("source_addresses", .list(of: .value)), .optional("allow_host"), .optional("gateway", .names), .optional("message_limit"),
    ])

    static let devices = ProfileKeys([
        .required("count"), .optional("id"), .optional("name"), .optional("platform"), .optional("app_version"),
        .optional("cohorts", .list(of: .mapping(cohort))),
    ])

    static let cohort = ProfileKeys([.required("name"), .required("share"), .optional("platform"), .optional("app_version")])

    static let loadStep = ProfileKeys([.optional("ramp"), .optional("over"), .optional("hold")])

    static let behaviour = ProfileKeys(
        [
            .optional("text", .mapping(text)), .optional("photo", .mapping(photo)), .optional("prompts", .mapping(prompts)),
            .optional("ping", .mapping(ProfileKeys([.required("every"), .optional("pong_within")]))), .optional("away", .mapping(away)),
        ], unavailable: ["audio"])

    static let text = ProfileKeys([
        .required("every"), .choice("spacing", Profile.Spacing.allCases.map(\.rawValue)), .optional("body"), .optional("reply_within"),
        .choice("correlate", Profile.Correlation.allCases.map(\.rawValue)),
    ])

    static let photo = ProfileKeys([
        .required("every"), .choice("spacing", Profile.Spacing.allCases.map(\.rawValue)), .optional("size"), .optional("reply_within"),
    ])

    static let prompts = ProfileKeys([.optional("think"), .optional("answers", .mapping(answers))])

    static let answers = ProfileKeys([.optional("approve"), .optional("deny"), .optional("other"), .optional("ignore")])

    static let reconnect = ProfileKeys([
        .choice("policy", ["dialect", "fixed", "exponential"]), .optional("base"), .optional("cap"), .optional("attempts"),
        .choice("jitter", Profile.Jitter.allCases.map(\.rawValue)),
    ])

    static let away = ProfileKeys([
        .required("every"), .required("for"), .choice("how", Profile.Absence.allCases.map(\.rawValue)),
    ])

    static let fault = ProfileKeys([
        .optional("drop"), .choice("how", Profile.Cut.allCases.map(\.rawValue)), .optional("slow_reader"), .optional("rate"),
    ])

    static let drill = ProfileKeys([
        .required("at"), .optional("name"), .optional("disconnect", .mapping(disconnect)), .optional("command", .list(of: .value)),
        .optional("within"), .optional("restart_embedded", .mapping(restart)),
    ])

    static let restart = ProfileKeys([.choice("how", Profile.RestartStyle.allCases.map(\.rawValue)), .optional("down")])

    static let disconnect = ProfileKeys([
        .optional("share"), .optional("within"), .choice("how", Profile.Cut.allCases.map(\.rawValue)),
    ])

    static let gate = ProfileKeys([.required("gate"), .optional("abort"), .optional("after")])

    static let push = ProfileKeys([
        .required("url"), .optional("every"), .optional("job"), .optional("labels", .names), .optional("group", .list(of: .value)),
        .choice("on_finish", Profile.OnFinish.allCases.map(\.rawValue)), .optional("required"), .optional("username"),
        .optional("password"), .optional("bearer"), .optional("bearer_file"), .optional("ca_file"), .optional("timeout"),
        .choice("proxy", Profile.PushProxy.allCases.map(\.rawValue)),
    ])
}
