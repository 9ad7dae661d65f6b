import StentorBase
import StentorCheck

extension CommandSpec {
    /// `stentor check`.
    static let check = CommandSpec(
        "check",
        summary: "Checks a gateway against its protocol, point by point.",
        discussion: """
            Walks one device through the whole protocol of a dialect against the gateway at --target, and prints each point with what was \
            seen: ✓ as expected, ✗ otherwise, – not judged, because the protocol leaves it open or the gateway did not offer it. Ends with 99 \
            when a point is ✗, with 69 when the gateway cannot be reached. The token is read from STENTOR_TOKEN or a file.
            """,
        options: [
            OptionSpec("--target", "URL", .url(schemes: ["ws", "wss"]), help: "The gateway to check. Needed."),
            OptionSpec("--dialect", "NAME", .choice(GatewayCheck.dialects), help: "What it speaks. Default hermes."),
            OptionSpec("--token-file", "FILE", .text, help: "The file that holds the token, instead of STENTOR_TOKEN."),
            OptionSpec("--ca-file", "FILE", .text, help: "The certificate authorities to trust instead of the system's."),
            OptionSpec(switch: "--insecure", help: "Does not verify the certificate."),
            OptionSpec("--within", "TIME", .duration(isPositive: true), help: "The longest wait for an answer. Default 10s."),
            OptionSpec("--only", "WORDS", .text, isRepeatable: true, help: "Only points whose name holds these words. Repeatable."),
            OptionSpec(
                "--allow-host", "HOST", .text, isRepeatable: true, help: "Allows this host; loopback needs no permission. Repeatable."),
            OptionSpec(switch: "--json", help: "Prints the result as JSON."),
        ],
        examples: [
            Example("check --target ws://127.0.0.1:8787/ws", "checks a Hermes gateway on this machine"),
            Example("check --target ws://127.0.0.1:9000/ --dialect echo --json", "checks an echo server, for a script"),
        ],
        make: { arguments in
            var check = CheckArguments(target: arguments.value("--target"), dialect: arguments.value("--dialect") ?? "hermes")
            check.tokenFile = arguments.value("--token-file")
            check.caFile = arguments.value("--ca-file")
            check.isInsecure = arguments.has("--insecure")
            check.within = arguments.value("--within").flatMap(Quantity.duration) ?? check.within
            check.only = arguments.values("--only")
            check.allowedHosts = arguments.values("--allow-host")
            check.printsJSON = arguments.has("--json")
            return .check(check)
        })
}

/// What `stentor check` was asked to do.
public struct CheckArguments: Sendable, Equatable {
    /// The gateway's URL; nil: not given, which is a fault.
    public var target: String?
    /// What it speaks.
    public var dialect: String
    /// The file that holds the token; nil: the environment variable does, or there is none.
    public var tokenFile: String?
    /// The authorities to trust; nil: the system's.
    public var caFile: String?
    /// Whether certificates are not verified.
    public var isInsecure = false
    /// The longest wait for an answer.
    public var within = Duration.seconds(10)
    /// Parts of the names of the points that are wanted; empty: all.
    public var only: [String] = []
    /// Hosts beyond loopback that may be checked.
    public var allowedHosts: [String] = []
    /// Whether the result goes to stdout as JSON instead of text.
    public var printsJSON = false

    /// Asks for the check of a gateway.
    public init(target: String?, dialect: String) {
        self.target = target
        self.dialect = dialect
    }
}
