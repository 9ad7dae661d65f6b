import StentorBase
import StentorLoop
import StentorMetrics
import StentorProfile
import Synchronization

/// Why a run ended.
public enum RunEnd: Sendable, Equatable {
    /// The load was carried out to its end.
    case completed
    /// Someone stopped it, for instance a signal.
    case stopped
    /// The target was never reachable.
    case unreachable
    /// A gate that aborts failed; its expression.
    case gateFailed(String)
}

/// What a run leaves when it has ended.
public struct FleetOutcome: Sendable {
    /// Why it ended.
    public let end: RunEnd
    /// The last snapshot; without verdict and gates.
    public let snapshot: RunSnapshot
    /// The outages, in order.
    public let outages: [Outage]
    /// Why the generator was the limit, a sentence each; empty when it was not.
    public let generatorLimits: [String]
    /// What the reader should know besides.
    public let warnings: [String]
    /// What drills did that act outside of the devices, in the order in which they ended.
    public let drills: [DrillRecord]
}

/// Runs a plan: loops and crews for the devices, a conductor for phases, drills and numbers. Confined to the control loop it is run on.
///
/// Shutdown keeps this order: devices leave (which closes their connections), their tasks end, the loops stop, their threads are joined.
public final class FleetRun {
    let plan: FleetPlan
    let control: EventLoop
    let identity: RunIdentity
    let unreachableAfter: Duration
    var links: [CrewLink] = []
    var totals: Totals
    var phases = PhaseMachine()
    var probe: GeneratorProbe
    var outages: [Outage] = []
    var warnings: [String] = []
    var pendingDrills: [Profile.Drill]
    var start = Instant.now()
    var end: RunEnd?
    var leaveLimit: Instant?
    var hasAbandoned = false
    var nextCollection = Instant.distantPast
    var generator = GeneratorNumbers()
    var drillRecords: [DrillRecord] = []
    var commands: [DrillCommand] = []
    /// Drills that act outside of the devices and have not ended.
    var drillsUnderWay = 0

    /// Ends the embedded gateway and starts it again, then calls back with what went wrong, if anything. Set it before ``run(_:)``.
    public var restartEmbedded: (Profile.Restart, _ done: @escaping (_ failure: String?) -> Void) -> Void = { $1("there is none") }
    /// Called on the control loop when a drill that acts outside of the devices has ended.
    public var drillEnded: (DrillRecord) -> Void = { _ in }

    /// How often the conductor looks at the fleet.
    static let tick = Duration.milliseconds(50)
    /// How long devices may take beyond every deadline before they count as stuck.
    static let stuckMargin = Duration.seconds(15)

    /// Reaches a crew from the control loop.
    struct CrewLink: Sendable {
        let loop: EventLoop
        let signals: Crew.Signals
        let crew: LoopBox<Crew>
    }

    /// Makes a run on a control loop that is running; ``run(_:)`` must be called on it.
    ///
    /// - Parameter unreachableAfter: How long after its start a run ends when devices failed and none was ever ready. Default 5 s.
    public init(plan: FleetPlan, control: EventLoop, identity: RunIdentity, unreachableAfter: Duration = .seconds(5)) {
        self.plan = plan
        self.unreachableAfter = unreachableAfter
        self.control = control
        self.identity = identity
        probe = GeneratorProbe(PortWatch(plan, control: control))
        totals = Totals(gates: plan.profile.gates.map(\.gate))
        pendingDrills = plan.profile.drills.sorted { $0.at < $1.at }
    }

    /// Ends the run early: no new work, what was begun has `grace` to end. A second call can only shorten it.
    public func stop(_ reason: RunEnd = .stopped, grace: Duration = .seconds(2)) {
        if end == nil { end = reason }
        leaveAll(limit: .now() + grace)
    }

    /// Runs to the end.
    ///
    /// - Parameter observe: Called once a second on the control loop with the state of the run and the outages so far.
    /// - Throws: ``SystemFailure`` when a loop cannot be made.
    public func run(_ observe: (RunSnapshot, [Outage]) -> Void) async throws(SystemFailure) -> FleetOutcome {
        start = .now() + .milliseconds(20)
        try makeCrews()
        let links = links
        await withTaskGroup(of: Void.self) { group in
            for link in links {
                group.addTask(executorPreference: link.loop) { await link.crew.value.run() }
            }
            await conduct(observe)
            await group.waitForAll()
        }
        for command in commands { command.stop() }
        // A gateway that is being restarted must be whole before it can be asked for its totals.
        while drillsUnderWay > 0 { await control.sleep(until: .now() + .milliseconds(10)) }
        await collect()
        let outcome = conclude()
        for link in links { link.loop.stop() }
        for link in links { link.loop.join() }
        return outcome
    }

    private func makeCrews() throws(SystemFailure) {
        let resolver = Resolver()
        let count = plan.schedule.deviceCount
        for number in 0..<plan.loopCount {
            let loop = try EventLoop(name: "devices-\(number)")
            let crew = Crew(
                plan: plan, loop: loop, resolver: resolver, start: start, indices: stride(from: number, to: count, by: plan.loopCount))
            links.append(CrewLink(loop: loop, signals: crew.signals, crew: LoopBox(crew)))
        }
        for link in links { link.loop.start() }
        // Stopped before it began, for instance by a signal while the gateway came up.
        if let leaveLimit { leaveAll(limit: leaveLimit) }
    }

    // MARK: - Conducting

    private func conduct(_ observe: (RunSnapshot, [Outage]) -> Void) async {
        nextCollection = start + .seconds(1)
        var next = Instant.now()
        while sum({ $0.active.load(ordering: .relaxed) }) > 0 {
            next = max(next + Self.tick, .now())
            await control.sleep(until: next)
            let now = Instant.now()
            look(at: now)
            if now >= nextCollection {
                await collect()
                nextCollection = max(nextCollection + .seconds(1), now)
                let snapshot = snapshot()
                checkReachability(snapshot)
                checkAbortingGates(snapshot)
                observe(snapshot, currentOutages)
            }
        }
    }

    private func look(at now: Instant) {
        startDrills(at: now)
        apply(phases.tick(view(at: now)))
        if end == nil, now - start >= plan.schedule.duration {
            end = .completed
            leaveAll(limit: now + plan.longestReply)
        }
        guard let leaveLimit, !hasAbandoned, now > leaveLimit + Self.stuckMargin else { return }
        hasAbandoned = true
        for link in links { link.loop.post { link.crew.value.abandonAll() } }
    }

    func leaveAll(limit: Instant) {
        let limit = min(limit, leaveLimit ?? .distantFuture)
        leaveLimit = limit
        for link in links { link.loop.post { link.crew.value.leaveAll(limit: limit) } }
    }

    func view(at now: Instant) -> PhaseMachine.View {
        let elapsed = now - start
        let dialsAreDue = plan.schedule.dialsAreDue(by: elapsed)
        var dialTimes: [Int] = []
        for link in links { dialTimes += link.signals.dialTimes.withLock { times in exchange(&times, with: []) } }
        return PhaseMachine.View(
            elapsed: elapsed.inSeconds, slope: dialsAreDue ? plan.schedule.slope(at: elapsed) : .rising,
            wanted: max(0, plan.schedule.devices(at: elapsed) - sum { $0.away.load(ordering: .relaxed) }),
            ready: sum { $0.ready.load(ordering: .relaxed) },
            losses: sum { $0.losses.load(ordering: .relaxed) }, returns: sum { $0.returns.load(ordering: .relaxed) },
            dials: sum { $0.dials.load(ordering: .relaxed) }, dialTimes: dialTimes,
            cutsAhead: sum { $0.cutsAhead.load(ordering: .relaxed) } + drillsUnderWay,
            isEnding: end != nil)
    }

    func apply(_ actions: [PhaseMachine.Action]) {
        for action in actions {
            switch action {
            case .enter(let phase):
                for link in links { link.loop.post { link.crew.value.phase = phase } }
                // Handshakes of thousands at once leave memory behind that a plateau does not need.
                if phase == .steady { control.offload({ ProcessMemory.trim() }, then: {}) }
            case .outageOpened: break
            case .outageClosed(let outage): note(outage)
            }
        }
    }

    /// A disconnect that found no ready device is no outage, but nothing to be silent about either; what else cost no device may be what
    /// the drill was to show.
    func note(_ outage: Outage) {
        let drill = plan.profile.drills.first { $0.name == outage.name }
        if outage.devicesLost == 0, case .disconnect = drill?.action {
            warnings.append("the drill '\(outage.name)' cut off no ready device")
        } else {
            outages.append(outage)
        }
    }

    private var currentOutages: [Outage] { outages + (phases.openOutage.map { [$0] } ?? []) }

    private func sum(_ read: (Crew.Signals) -> Int) -> Int {
        links.reduce(0) { $0 + read($1.signals) }
    }
}
