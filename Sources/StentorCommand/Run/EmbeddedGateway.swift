import Glibc
import StentorBase
import StentorGateway
import StentorLoop
import StentorProfile
import StentorWire

/// The simulated gateway of a profile with `url: embedded`: `stentor serve` as a child process on a free loopback port. Control loop only.
final class EmbeddedGateway {
    /// One child process, from its start to its end.
    private final class Life {
        var child: ChildProcess?
        let listening: LoopPromise<String?>
        let ended: LoopPromise<Int32>
        var lastLine = ""

        init(_ loop: EventLoop) {
            listening = LoopPromise(loop)
            ended = LoopPromise(loop)
        }
    }

    private let loop: EventLoop
    private let kind: GatewayKind
    private let options: [Profile.GatewayOption]
    private let token: Secret
    private var life: Life
    private var port: UInt16 = 0
    /// The totals of the lives that restarts have ended; nil: it was killed, or printed none in time.
    private var earlier: [String?] = []

    private static let startLimit = Duration.seconds(10)
    private static let stopLimit = Duration.seconds(10)

    /// Starts it, waits until it listens, and says where.
    ///
    /// - Parameters:
    ///   - dialect: What it speaks; ``check(_:dialect:)`` has passed.
    ///   - token: The token that it wants; it goes by the environment, as arguments can be read by every user of a machine.
    /// - Throws: ``UserFailure`` when it does not come up.
    static func start(
        _ options: [Profile.GatewayOption], dialect: String, token: Secret, on loop: EventLoop
    ) async throws(UserFailure) -> (gateway: EmbeddedGateway, url: TargetURL) {
        guard let kind = GatewayKind.named(dialect) else { preconditionFailure("EmbeddedGateway: no gateway speaks \(dialect)") }
        let gateway = EmbeddedGateway(loop, kind, options, token: token)
        let url = try await gateway.begin()
        gateway.port = url.port
        return (gateway, url)
    }

    private init(_ loop: EventLoop, _ kind: GatewayKind, _ options: [Profile.GatewayOption], token: Secret) {
        self.loop = loop
        self.kind = kind
        self.options = options
        self.token = token
        life = Life(loop)
    }

    private func begin() async throws(UserFailure) -> TargetURL {
        let life = Life(loop)
        self.life = life
        try spawn(life)
        guard let line = await life.listening.value(until: .now() + Self.startLimit) ?? nil else {
            life.child?.signal(SIGKILL)
            throw UserFailure(.machine, "the embedded gateway did not start", place: "target.gateway", hint: "its own words stand above")
        }
        return try TargetURL(String(line.dropFirst("listening on ".count)), cause: .machine, place: "target.gateway")
    }

    /// Ends it and starts it again on the same port.
    ///
    /// - Returns: What went wrong; nil when it listens again.
    func restart(_ restart: Profile.Restart) async -> String? {
        switch restart.how {
        case .kill:
            life.child?.signal(SIGKILL)
            _ = await life.ended.value(until: .now() + Self.stopLimit)
            earlier.append(nil)
        case .graceful:
            let totals = await end()
            earlier.append(totals)
        }
        await loop.sleep(until: .now() + restart.down)
        do throws(UserFailure) {
            _ = try await begin()
            return nil
        } catch {
            return error.message
        }
    }

    /// Applies every option to a value of its own, so that a fault is told with the profile's place and nothing is started.
    ///
    /// - Throws: ``UserFailures`` with every option that is wrong.
    static func check(_ options: [Profile.GatewayOption], dialect: String) throws(UserFailures) {
        guard let kind = GatewayKind.named(dialect) else {
            throw UserFailures([UserFailure(.profile, "no gateway that speaks '\(dialect)' is built in", place: "target.url")])
        }
        var probe = GatewayOptions()
        var faults: [UserFailure] = []
        for option in options {
            guard let known = kind.option(option.name), !Self.settled.contains(known.name) else {
                let known = kind.options.filter { !Self.settled.contains($0.name) }.map(\.profileKey)
                faults.append(
                    UserFailure(
                        .profile, "the \(dialect) gateway has no option '\(option.name)'", place: option.place,
                        hint: Suggestion.hint(for: option.name, among: known)))
                continue
            }
            do throws(UserFailure) { try known.apply(option.value, to: &probe) } catch {
                faults.append(UserFailure(.profile, error.message, place: option.place, hint: error.hint))
            }
        }
        if faults.isEmpty {
            do throws(UserFailure) { try probe.validate() } catch {
                faults.append(UserFailure(.profile, error.message, place: "target.gateway", hint: error.hint))
            }
        }
        if !faults.isEmpty { throw UserFailures(faults) }
    }

    /// What a run settles itself.
    private static let settled: Set<String> = ["listen", "life", "token"]

    private func spawn(_ life: Life) throws(UserFailure) {
        var arguments = ["serve", "--dialect=\(kind.dialect)", "--listen", "127.0.0.1:\(port)"]
        // Each life has a seed of its own, or it would give its messages the ids of the life before.
        let seed = options.last { $0.name == "seed" }.flatMap { UInt64($0.value) } ?? GatewayOptions().seed
        if !earlier.isEmpty { arguments.append("--seed=\(seed &+ UInt64(earlier.count))") }
        for option in options where option.name != "seed" || earlier.isEmpty {
            let name = Self.dashed(option.name)
            if case .flag = kind.option(name)?.kind {
                arguments.append(["true", "yes"].contains(option.value) ? "--\(name)" : "--no-\(name)")
            } else {
                arguments.append("--\(name)=\(option.value)")
            }
        }
        let environment = [(GatewayFlags.tokenVariable, token.reveal()), (ServeCommand.parentVariable, "1")]
        do throws(SystemFailure) {
            life.child = try ChildProcess(loop: loop, path: "/proc/self/exe", arguments: arguments, environment: environment) { event in
                switch event {
                case .line(let line) where line.hasPrefix("listening on "): life.listening.fulfil(line)
                case .line(let line): life.lastLine = line
                case .ended(let status):
                    life.listening.fulfil(nil)
                    life.ended.fulfil(status)
                }
            }
        } catch {
            throw UserFailure(.machine, "the embedded gateway cannot be started: \(error)", place: "target.url")
        }
    }

    private static func dashed(_ name: String) -> String {
        String(name.map { $0 == "_" ? "-" : $0 })
    }

    /// Ends it and gives the lines of totals that it printed, one for each of its lives; nil for a life that printed none.
    func stop() async -> [String?] {
        let last = await end()
        return earlier + [last]
    }

    private func end() async -> String? {
        life.child?.signal(SIGTERM)
        guard await life.ended.value(until: .now() + Self.stopLimit) != nil else {
            life.child?.signal(SIGKILL)
            return nil
        }
        return life.lastLine.isEmpty ? nil : life.lastLine
    }

    /// Its process; nil before it was started.
    var processID: Int32? { life.child?.processID }

    /// Ends it at once.
    func kill() { life.child?.signal(SIGKILL) }
}
