import Glibc
import StentorBase
import StentorGateway
import StentorLoop
import StentorProfile
import StentorWire

/// The simulated gateway of a profile with `url: embedded`: `stentor serve` as a child process on a free loopback port. Control loop only.
final class EmbeddedGateway {
    private let loop: EventLoop
    private var child: ChildProcess?
    private let listening: LoopPromise<String?>
    private let ended: LoopPromise<Int32>
    private var lastLine = ""

    private let token: Secret

    private static let startLimit = Duration.seconds(10)
    private static let stopLimit = Duration.seconds(10)

    /// Starts it, waits until it listens, and says where.
    ///
    /// - Parameter token: The token that it wants; it goes by the environment, as arguments can be read by every user of a machine.
    /// - Throws: ``UserFailure`` when it does not come up.
    static func start(
        _ options: [Profile.GatewayOption], token: Secret, on loop: EventLoop
    ) async throws(UserFailure) -> (gateway: EmbeddedGateway, url: TargetURL) {
        let gateway = EmbeddedGateway(loop, token: token)
        try gateway.spawn(options)
        guard let line = await gateway.listening.value(until: .now() + startLimit) ?? nil else {
            gateway.child?.signal(SIGKILL)
            throw UserFailure(.machine, "the embedded gateway did not start", place: "target.gateway", hint: "its own words stand above")
        }
        return (gateway, try TargetURL(String(line.dropFirst("listening on ".count)), cause: .machine, place: "target.gateway"))
    }

    private init(_ loop: EventLoop, token: Secret) {
        self.loop = loop
        self.token = token
        listening = LoopPromise(loop)
        ended = LoopPromise(loop)
    }

    /// Applies every option to a value of its own, so that a fault is told with the profile's place and nothing is started.
    ///
    /// - Throws: ``UserFailures`` with every option that is wrong.
    static func check(_ options: [Profile.GatewayOption]) throws(UserFailures) {
        var probe = GatewayOptions()
        var faults: [UserFailure] = []
        for option in options {
            guard let known = GatewayOption.named(option.name), !Self.settled.contains(known.name) else {
                let known = GatewayOption.all.filter { !Self.settled.contains($0.name) }.map(\.profileKey)
                faults.append(
                    UserFailure(
                        .profile, "unknown gateway option '\(option.name)'", place: option.place,
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

    private func spawn(_ options: [Profile.GatewayOption]) throws(UserFailure) {
        var arguments = ["serve", "--listen", "127.0.0.1:0"]
        for option in options {
            let name = Self.dashed(option.name)
            if case .flag = GatewayOption.named(name)?.kind {
                arguments.append(["true", "yes"].contains(option.value) ? "--\(name)" : "--no-\(name)")
            } else {
                arguments.append("--\(name)=\(option.value)")
            }
        }
        let environment = [(GatewayFlags.tokenVariable, token.reveal()), (ServeCommand.parentVariable, "1")]
        do throws(SystemFailure) {
            child = try ChildProcess(loop: loop, path: "/proc/self/exe", arguments: arguments, environment: environment) {
                [unowned self] event in
                switch event {
                case .line(let line): lineReceived(line)
                case .ended(let status):
                    listening.fulfil(nil)
                    ended.fulfil(status)
                }
            }
        } catch {
            throw UserFailure(.machine, "the embedded gateway cannot be started: \(error)", place: "target.url")
        }
    }

    private func lineReceived(_ line: String) {
        if line.hasPrefix("listening on ") { listening.fulfil(line) } else { lastLine = line }
    }

    private static func dashed(_ name: String) -> String {
        String(name.map { $0 == "_" ? "-" : $0 })
    }

    /// Ends it and gives the line of totals that it printed; nil when it printed none in time.
    func stop() async -> String? {
        child?.signal(SIGTERM)
        guard await ended.value(until: .now() + Self.stopLimit) != nil else {
            child?.signal(SIGKILL)
            return nil
        }
        return lastLine.isEmpty ? nil : lastLine
    }

    /// Its process; nil before it was started.
    var processID: Int32? { child?.processID }

    /// Ends it at once.
    func kill() { child?.signal(SIGKILL) }
}
