import StentorBase
import StentorLoop

/// A simulated gateway as a row of the table: what it speaks, where, and what can be asked of it.
public struct GatewayKind: Sendable {
    /// The dialect's name, as on the command line and in profiles.
    public let dialect: String
    /// The path that devices open, for instance `/ws`.
    public let path: String
    /// Its options, in the order of its help.
    public let options: [GatewayOption]
    private let makeServer: @Sendable (GatewayOptions, EventLoop, @escaping (String) -> Void) throws(UserFailure) -> any SimulatedGateway

    /// A row for a machine.
    init<Machine: GatewayMachine & ~Copyable>(_ dialect: String, _ machine: Machine.Type, options: [GatewayOption]) {
        self.dialect = dialect
        path = Machine.path
        self.options = options
        makeServer = { (options, loop, report) throws(UserFailure) in
            try GatewayServer<Machine>(options: options, loop: loop, report: report)
        }
    }

    /// Every gateway that this version has.
    public static let all: [GatewayKind] = [.hermes, .rooms, .typed, .echo]

    /// The Hermes gateway.
    public static let hermes = GatewayKind("hermes", HermesMachine.self, options: GatewayOption.hermes)
    private static let rooms = GatewayKind("rooms", RoomsMachine.self, options: GatewayOption.common + GatewayOption.rooms)
    private static let typed = GatewayKind("typed", TypedMachine.self, options: GatewayOption.common + GatewayOption.typed)
    private static let echo = GatewayKind(
        "echo", EchoMachine.self, options: GatewayOption.common + GatewayOption.echo + [GatewayOption.binary])

    /// The gateway of a dialect, if there is one.
    public static func named(_ dialect: String) -> GatewayKind? {
        all.first { $0.dialect == dialect }
    }

    /// The option of a name, written with dashes or underscores; nil when this gateway has none.
    public func option(_ name: String) -> GatewayOption? {
        options.first { $0.name == name || $0.profileKey == name }
    }

    /// Makes a gateway that does not listen yet. Loop thread only.
    ///
    /// - Parameters:
    ///   - report: Gets one line per reported violation, without an end of line and without any secret; for stderr.
    /// - Throws: A ``UserFailure`` when options do not fit each other, or a TLS file cannot be used.
    public func make(
        options: GatewayOptions, loop: EventLoop, report: @escaping (String) -> Void = { _ in }
    ) throws(UserFailure) -> any SimulatedGateway {
        try makeServer(options, loop, report)
    }
}
