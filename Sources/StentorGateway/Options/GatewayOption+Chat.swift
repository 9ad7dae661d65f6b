import StentorBase

// Options of the gateways for rooms, typed and echo.
extension GatewayOption {
    /// What only the rooms gateway has.
    static let rooms: [GatewayOption] = [
        flag("own-echo", \.ownEcho, "a sender gets its own messages too"),
        flag("announce", \.announce, "join and leave are passed on too"),
        flag("leave-on-close", \.leaveOnClose, "with --announce: a lost connection is told as a leave"),
        duration("clock-skew", \.clockSkew, "a timestamp further off is a violation (1h)"),
        integer("history", in: 0...10_000, \.history, "the latest messages of a room that one who joins gets"),
    ]

    /// What only the typed gateway has.
    static let typed: [GatewayOption] = [
        flag("greet", \.greet, "it speaks first; without that no device gets connected"),
        durations("greet-delay", \.greetDelay, "from the upgrade to that first message"),
        share("text-fault-rate", \.textFaultRate, "replies sent as text messages, an error to count"),
        share("undecodable-rate", \.undecodableRate, "replies preceded by a binary message that is no JSON"),
    ]

    /// What only the echo gateway has.
    static let echo: [GatewayOption] = [
        flag("greeting", \.greeting, "'Request served by HOST' comes first")
    ]

    /// What all gateways have.
    static let common: [GatewayOption] = {
        let names: Set<String> = [
            "listen", "life", "seed", "tls-certificate", "tls-key", "max-devices", "ping-every", "message-limit", "reply-delay",
            "lose-rate",
            "duplicate-rate", "reorder-rate", "drop-after", "close-code", "restart-after", "restart-how", "down", "leak", "latency-drift",
            "slow-writes",
        ]
        return hermes.filter { names.contains($0.name) }
    }()

    /// The option of the echo gateway that Hermes has under the same name, with another meaning.
    static let binary = flag("binary", \.binary, "binary messages are no violation")

    /// Every option of every gateway, each name once.
    public static let all: [GatewayOption] = hermes + rooms + typed + echo

    /// The dialects whose gateways have this option.
    public var dialects: [String] {
        GatewayKind.all.filter { $0.option(name) != nil }.map(\.dialect)
    }
}
