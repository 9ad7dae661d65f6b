import StentorBase
import StentorClient
import StentorLoop
import StentorWire

/// What is checked, and how patiently.
public struct CheckTarget: Sendable {
    /// The gateway's address.
    public var url: TargetURL
    /// The token; empty: none.
    public var token: Secret
    /// The file with the authorities to trust; nil: the system's.
    public var caFile: String?
    /// Whether certificates are not verified. Default false.
    public var isInsecure = false
    /// The longest wait for an answer. Default 10 s.
    public var within = Duration.seconds(10)
    /// How long to wait for what must not come. Default 500 ms.
    public var quiet = Duration.milliseconds(500)

    /// Makes a target with the defaults.
    public init(url: TargetURL, token: Secret) {
        self.url = url
        self.token = token
    }
}

/// The device that walks a protocol: opens connections and closes them behind each point. Loop thread only.
final class CheckBench {
    let target: CheckTarget
    /// Tells the devices, rooms and texts of one check from those of another.
    let run: String
    private let context: ClientContext
    private let tls: TLSContext?
    private var peers: [CheckPeer] = []
    private var lastNumber = 0
    private(set) var hasConnected = false

    init(_ target: CheckTarget, loop: EventLoop) throws(UserFailure) {
        self.target = target
        context = ClientContext(loop: loop, resolver: Resolver())
        tls = target.url.isSecure ? try TLSContext.client(caFile: target.caFile, isInsecure: target.isInsecure) : nil
        run = String(loop.secureRandom.nextUInt32(), radix: 16)
    }

    var loop: EventLoop { context.loop }

    /// A number that was not given before.
    func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// A connection that is upgraded.
    ///
    /// - Parameter url: The address; default: the target's.
    /// - Throws: `.unreachable` when none came about; `refused` gives the status of an HTTP refusal instead.
    func connect(_ url: TargetURL? = nil, refused: ((Int) -> Void)? = nil) async throws(CheckFault) -> CheckPeer {
        let url = url ?? target.url
        let peer = CheckPeer(context, within: target.within)
        let dial = DialTarget(host: url.host, port: url.port, tls: tls, serverName: nil)
        do throws(DialFailure) {
            try await peer.open(.init(target: dial, path: url.target, host: url.hostHeader, headers: []))
        } catch {
            if let status = error.httpStatus { refused?(status) }
            throw .unreachable(error.detail)
        }
        hasConnected = true
        peers.append(peer)
        return peer
    }

    /// Leaves every connection that the point opened.
    func endPoint() {
        for peer in peers where peer.end == nil { peer.leave() }
        peers = []
    }
}

/// Walks a dialect's points, one after another.
public enum GatewayCheck {
    /// The dialects that can be checked.
    public static let dialects = ["hermes", "rooms", "typed", "echo"]

    /// How many points a dialect has; 0 for one that cannot be checked.
    public static func pointCount(_ dialect: String) -> Int { points(dialect).count }

    private static func points(_ dialect: String) -> [CheckPoint] {
        switch dialect {
        case "hermes": HermesChecks.all
        case "rooms": RoomsChecks.all
        case "typed": TypedChecks.all
        case "echo": EchoChecks.all
        default: []
        }
    }

    /// Checks a gateway. To be awaited by a task that prefers the loop.
    ///
    /// - Parameters:
    ///   - only: Parts of the names of the points that are wanted; empty: all.
    ///   - note: Called after each point.
    /// - Throws: ``UserFailure`` when a CA file cannot be used. A gateway that cannot be reached is told in the report.
    public static func run(
        _ dialect: String, _ target: CheckTarget, only: [String] = [], loop: EventLoop, note: (CheckResult) -> Void
    ) async throws(UserFailure) -> CheckReport {
        let bench = try CheckBench(target, loop: loop)
        var results: [CheckResult] = []
        for point in points(dialect) where only.isEmpty || only.contains(where: { point.name.contains($0) }) {
            let result = await judge(point, bench)
            bench.endPoint()
            if case .unreachable(let why) = result, !bench.hasConnected, results.isEmpty {
                return CheckReport(dialect: dialect, results: [], unreachable: why)
            }
            results.append(result.result(of: point))
            note(result.result(of: point))
        }
        return CheckReport(dialect: dialect, results: results, unreachable: nil)
    }

    private enum Judgement {
        case met(String)
        case seen(String)
        case open(String)
        case unreachable(String)

        func result(of point: CheckPoint) -> CheckResult {
            switch self {
            case .met(let seen): CheckResult(name: point.name, outcome: .passed, seen: seen)
            case .seen(let seen): CheckResult(name: point.name, outcome: point.weight == .rule ? .failed : .open, seen: seen)
            case .open(let why): CheckResult(name: point.name, outcome: .open, seen: why)
            case .unreachable(let why): CheckResult(name: point.name, outcome: .failed, seen: "no connection: \(why)")
            }
        }
    }

    private static func judge(_ point: CheckPoint, _ bench: CheckBench) async -> Judgement {
        do throws(CheckFault) {
            return .met(try await point.judge(bench))
        } catch {
            switch error {
            case .seen(let seen): return .seen(seen)
            case .open(let why): return .open(why)
            case .unreachable(let why): return .unreachable(why)
            }
        }
    }
}

/// What most points ask of what they saw.
func expect(_ isMet: Bool, _ seen: @autoclosure () -> String) throws(CheckFault) {
    if !isMet { throw .seen(seen()) }
}
