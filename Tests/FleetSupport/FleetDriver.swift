import StentorBase
import StentorFleet
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire
import TestSupport

/// What runs of tests are called.
public let identity = RunIdentity(
    runID: "r", profile: "test", version: "0", dialect: "hermes", targetHost: "127.0.0.1", startedAtSeconds: 0)

/// The token of runs in tests; it needs escaping in an address.
public let fleetToken = "one token+1/2"

/// Runs a fleet against a simulated gateway that lives on the control loop. A drill that restarts the embedded gateway restarts this one, which
/// then still knows what it saw before: `kill` resets its connections, `graceful` closes them with 1001.
///
/// - Parameters:
///   - gateway: Changes the gateway's options; by default it answers at once, in four pieces 1 ms apart.
///   - start: Called before the run begins.
///   - each: Called once a second.
public func runFleet(
    _ profile: Profile, loops: Int = 2, gateway change: @escaping @Sendable (inout GatewayOptions) -> Void = { _ in },
    start: @escaping @Sendable (FleetRun) -> Void = { _ in },
    each: @escaping @Sendable (FleetRun, RunSnapshot) -> Void = { _, _ in }
) async throws -> RunResult {
    try await onLoop { loop in
        var options = GatewayOptions()
        options.editGap = .milliseconds(1)
        change(&options)
        let restart = profile.drills.lazy.compactMap { if case .restartEmbedded(let restart) = $0.action { restart } else { nil } }.first
        if let restart { (options.restartHow, options.down) = (restart.how == .kill ? .reset : .close, restart.down) }
        let gateway = try GatewayKind.hermes.make(options: options, loop: loop)
        try gateway.start()
        let result = try await runFleet(profile, at: TargetURL(gateway.url), loops: loops, on: loop) { run in
            run.restartEmbedded = { _, done in
                gateway.restart { done(nil) }
            }
            start(run)
        } each: {
            each($0, $1)
        }
        await gateway.stop()
        return RunResult(outcome: result.outcome, gateway: gateway.totalsJSON(), records: result.records)
    }
}

/// Runs a fleet against a gateway elsewhere.
public func runFleet(
    _ profile: Profile, at url: String, token: String = fleetToken, start: @escaping @Sendable (FleetRun) -> Void = { _ in }
) async throws -> RunResult {
    try await onLoop { loop in try await runFleet(profile, at: TargetURL(url), token: token, loops: 1, on: loop, start: start) }
}

/// Runs a fleet against a gateway elsewhere, its conductor on a loop that runs; to be called on that loop.
public func runFleet(
    _ profile: Profile, at url: TargetURL, token: String = fleetToken, loops: Int, on loop: EventLoop,
    start: (FleetRun) -> Void = { _ in }, each: (FleetRun, RunSnapshot) -> Void = { _, _ in }
) async throws -> RunResult {
    let plan = try FleetPlan(profile: profile, url: url, tokens: .shared(Secret(token)), loopCount: loops)
    let run = FleetRun(plan: plan, control: loop, identity: identity)
    start(run)
    let records = Records()
    let outcome = try await run.run { snapshot, _ in
        records.add(snapshot)
        each(run, snapshot)
    }
    records.add(outcome.snapshot)
    return RunResult(outcome: outcome, gateway: "", records: records)
}
