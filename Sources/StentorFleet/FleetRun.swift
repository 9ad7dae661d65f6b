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
    private let plan: FleetPlan
    private let control: EventLoop
    private let identity: RunIdentity
    private let unreachableAfter: Duration
    private(set) var links: [CrewLink] = []
    private var totals: Totals
    private var phases = PhaseMachine()
    private var probe: GeneratorProbe
    private var outages: [Outage] = []
    private var warnings: [String] = []
    private var pendingDrills: [Profile.Drill]
    private var start = Instant.now()
    private var end: RunEnd?
    private var leaveLimit: Instant?
    private var hasAbandoned = false
    private var nextCollection = Instant.distantPast
    private var generator = GeneratorNumbers()
    private var drillRecords: [DrillRecord] = []
    private var commands: [DrillCommand] = []
    /// Drills that act outside of the devices and have not ended.
    private var drillsUnderWay = 0

    /// Ends the embedded gateway and starts it again, then calls back with what went wrong, if anything. Set it before ``run(_:)``.
    public var restartEmbedded: (Profile.Restart, _ done: @escaping (_ failure: String?) -> Void) -> Void = { $1("there is none") }
    /// Called on the control loop when a drill that acts outside of the devices has ended.
    public var drillEnded: (DrillRecord) -> Void = { _ in }

    /// How often the conductor looks at the fleet.
    private static let tick = Duration.milliseconds(50)
    /// How long devices may take beyond every deadline before they count as stuck.
    private static let stuckMargin = Duration.seconds(15)

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

    private func leaveAll(limit: Instant) {
        let limit = min(limit, leaveLimit ?? .distantFuture)
        leaveLimit = limit
        for link in links { link.loop.post { link.crew.value.leaveAll(limit: limit) } }
    }

    private func view(at now: Instant) -> PhaseMachine.View {
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

    private func apply(_ actions: [PhaseMachine.Action]) {
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
    private func note(_ outage: Outage) {
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

    // MARK: - Drills

    private func startDrills(at now: Instant) {
        while end == nil, let drill = pendingDrills.first, start + drill.at <= now {
            pendingDrills.removeFirst()
            apply(phases.drillStarted(drill.name, view(at: now)))
            switch drill.action {
            case .disconnect(let disconnect): disconnectDevices(disconnect, drill: drill, at: now)
            case .command(let command): run(command, drill.name, since: now)
            case .restartEmbedded(let restart):
                drillsUnderWay += 1
                restartEmbedded(restart) { [unowned self] failure in
                    ended(drill.name, since: now, failure.map { .failed($0) } ?? .restarted, output: "")
                }
            }
        }
    }

    private func run(_ command: Profile.Command, _ name: String, since begin: Instant) {
        drillsUnderWay += 1
        let child = DrillCommand(command, on: control) { [unowned self] outcome, output in
            ended(name, since: begin, outcome, output: output)
        }
        commands.append(child)
        child.start()
    }

    private func ended(_ name: String, since begin: Instant, _ outcome: DrillRecord.Outcome, output: String) {
        drillsUnderWay -= 1
        let record = DrillRecord(
            name: name, startSeconds: (begin - start).inSeconds, endSeconds: (Instant.now() - start).inSeconds, outcome: outcome,
            output: output
        )
        drillRecords.append(record)
        if let warning = record.warning { warnings.append(warning) }
        drillEnded(record)
    }

    /// Which devices a drill takes, and when within its window, follows from the seed and the drill's name alone.
    private func disconnectDevices(_ disconnect: Profile.Disconnect, drill: Profile.Drill, at now: Instant) {
        let seed = plan.profile.seed ^ SplitMix64.hash(drill.name)
        for link in links {
            // A loop that is late to hear of it still has cuts ahead: the window must not close as one that cost nobody anything.
            link.signals.cutsAhead.add(1, ordering: .relaxed)
            link.loop.post {
                defer { link.signals.cutsAhead.subtract(1, ordering: .relaxed) }
                for device in link.crew.value.devices {
                    var random = SeededRandom(seed: seed, stream: UInt64(device.index))
                    let isTaken = random.unit() < disconnect.share
                    let offset = random.duration(in: .zero...disconnect.within)
                    if isTaken { device.cut(at: now + offset, how: disconnect.how) }
                }
            }
        }
    }

    // MARK: - Numbers

    private func collect() async {
        for link in links {
            let delta = await withUnsafeContinuation { (continuation: UnsafeContinuation<ShardDelta, Never>) in
                link.loop.post { continuation.resume(returning: link.crew.value.collect()) }
            }
            totals.add(delta)
        }
        totals.endSecond()
        generator = probe.read(links.map(\.loop))
    }

    private func snapshot() -> RunSnapshot {
        RunSnapshot(
            identity: identity, elapsedSeconds: max(0, (Instant.now() - start).inSeconds), phase: phases.phase, totals: totals,
            generator: generator)
    }

    private func checkReachability(_ snapshot: RunSnapshot) {
        guard end == nil, snapshot.count(.ready) == 0, snapshot.elapsedSeconds >= unreachableAfter.inSeconds else { return }
        let failures = snapshot.labels(.dialFailures).filter { DialCause(rawValue: $0.label)?.isGeneratorLimit != true }
        let failed = failures.reduce(0) { $0 + $1.count }
        // Every device that has dialled has failed at least once, and none was ever ready.
        if failed >= min(Int64(plan.schedule.deviceCount), 3), failed * 2 >= snapshot.count(.dials) { stop(.unreachable, grace: .zero) }
    }

    private func checkAbortingGates(_ snapshot: RunSnapshot) {
        guard end == nil else { return }
        for rule in plan.profile.gates where rule.abortsRun && snapshot.elapsedSeconds >= rule.after.inSeconds {
            if rule.gate.evaluate(snapshot).verdict == .fail { return stop(.gateFailed(rule.text)) }
        }
    }

    private func conclude() -> FleetOutcome {
        if let open = phases.finish() { note(open) }
        generator = probe.total(devices: plan.schedule.deviceCount)
        let snapshot = snapshot()
        let longest = links.map { $0.signals.longestLag.load(ordering: .relaxed) }.max() ?? 0
        // A defect of ours makes a run say nothing of the target, as an overload does.
        var limits = GeneratorVerdict.reasons(snapshot, longestLag: .nanoseconds(longest))
        limits += totals.openAccounts.map { "the outcomes of \($0.name) do not add up to it: a defect of Stentor" }
        let stuck = snapshot.devices(in: .stuck)
        if stuck > 0 { limits.append("\(stuck) devices neither progressed nor failed: a defect of Stentor") }
        return FleetOutcome(
            end: end ?? .completed, snapshot: snapshot, outages: outages,
            generatorLimits: limits, warnings: warnings,
            drills: drillRecords)
    }
}
