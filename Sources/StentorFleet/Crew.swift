import StentorBase
import StentorClient
import StentorDialect
import StentorLoop
import StentorMetrics
import Synchronization

/// The devices of one loop and what they share. Confined to the loop's thread, but for ``signals``.
final class Crew {
    /// What the conductor reads from its own thread.
    final class Signals: Sendable {
        /// Devices that are ready.
        let ready = Atomic<Int>(0)
        /// Losses of devices that did not mean to leave, since the start.
        let losses = Atomic<Int>(0)
        /// Returns after such losses, since the start.
        let returns = Atomic<Int>(0)
        /// Dials begun, since the start.
        let dials = Atomic<Int>(0)
        /// Devices that a drill has chosen and not cut off yet.
        let cutsAhead = Atomic<Int>(0)
        /// Devices that have left and are to come back, as the profile's `away` wants.
        let away = Atomic<Int>(0)
        /// When the dials since the last look began, in hundredths of a second since the start.
        let dialTimes = Mutex<[Int]>([])
        /// Devices whose part of the run is not over.
        let active = Atomic<Int>(0)
        /// The longest that the loop was late, in nanoseconds.
        let longestLag = Atomic<Int64>(0)
    }

    let plan: FleetPlan
    let loop: EventLoop
    let context: ClientContext
    let shard = MetricShard()
    let factory: any SessionFactory
    let signals = Signals()
    /// The instant from which the schedule counts.
    let start: Instant
    /// The phase that new samples belong to.
    var phase = Phase.ramp
    /// The phase of a connection that is just made: one that ends an outage is part of the recovery, also the first one.
    var returnPhase: Phase { phase == .outage ? .recovery : phase }
    private(set) var devices: [Device] = []
    private var spareFacts: [DeviceFact] = []
    private var reported = Traffic()
    private var reportedReceived: [Int] = []
    private var reportedMade: [Int] = []
    private var reportedTimers = TimerTally()
    private var lagTimer: LoopTimer?

    /// How often the loop's punctuality is measured.
    private static let lagPeriod = Duration.milliseconds(50)

    init(plan: FleetPlan, loop: EventLoop, resolver: Resolver, start: Instant, indices: some Sequence<Int>) {
        self.plan = plan
        self.loop = loop
        self.start = start
        context = ClientContext(loop: loop, resolver: resolver)
        factory = plan.dialect.makeFactory(Correlation(rawValue: plan.profile.behaviour.text?.correlation.rawValue ?? "") ?? .marker)
        devices = indices.map { Device(index: $0, crew: self) }
        signals.active.store(devices.count, ordering: .relaxed)
        shard.move(from: nil, to: .waiting, devices: devices.count)
    }

    /// Runs all devices, each as a child task of this call, until the last one is done.
    func run() async {
        measureLag()
        await withDiscardingTaskGroup { group in
            for device in devices {
                let box = LoopBox(device)
                group.addTask { await box.value.run() }
            }
        }
        if let lagTimer { loop.cancel(lagTimer) }
        lagTimer = nil
    }

    /// Hands over what was counted since the last time.
    func collect() -> ShardDelta {
        let traffic = context.traffic
        shard.count(.framesSent, by: traffic.messagesSent - reported.messagesSent)
        shard.count(.framesReceived, by: traffic.messagesReceived - reported.messagesReceived)
        shard.count(.bytesSent, by: traffic.bytesSent - reported.bytesSent)
        shard.count(.bytesReceived, by: traffic.bytesReceived - reported.bytesReceived)
        reported = traffic
        report(factory.received, &reportedReceived, .framesReceived)
        report(factory.made, &reportedMade, .framesSent)
        let timers = loop.timers
        shard.count(.timersFired, by: timers.fired - reportedTimers.fired)
        shard.count(.timersLate, by: timers.late - reportedTimers.late)
        reportedTimers = timers
        loop.noteCPUTime()
        var delta = ShardDelta()
        shard.drain(into: &delta)
        return delta
    }

    private func report(_ tally: FrameTally, _ before: inout [Int], _ family: LabelFamily) {
        for (index, count) in tally.counts.enumerated() {
            let news = count - (index < before.count ? before[index] : 0)
            if news > 0 { shard.count(family, tally.names[index], by: news) }
        }
        before = tally.counts
    }

    /// When the load ends: what is due later is not wanted, also when the word of the end comes late to a busy loop.
    var loadEnd: Instant { start + plan.schedule.duration }

    /// An instant as nanoseconds since the start of the run.
    func nanoseconds(_ instant: Instant) -> Int64 { instant.nanoseconds(since: start) }
    /// An instant as records have it: seconds since the start of the run.
    func seconds(_ instant: Instant) -> Double { Double(nanoseconds(instant)) / 1e9 }

    /// A device dials.
    func noteDial(at now: Instant) {
        signals.dials.add(1, ordering: .relaxed)
        let hundredth = Int(max(0, now.nanoseconds(since: start)) / 10_000_000)
        signals.dialTimes.withLock { $0.append(hundredth) }
    }

    /// Tells all devices to end their part: what they began may end until the limit.
    func leaveAll(limit: Instant) {
        for device in devices { device.leave(limit: limit) }
    }

    /// Gives up on devices that are still there: a defect, counted as stuck.
    func abandonAll() {
        for device in devices { device.abandon() }
    }

    // MARK: - Facts

    func takeFacts() -> [DeviceFact] {
        var facts: [DeviceFact] = []
        swap(&facts, &spareFacts)
        return facts
    }

    func giveBack(_ facts: consuming [DeviceFact]) {
        facts.removeAll(keepingCapacity: true)
        spareFacts = facts
    }

    // MARK: - Punctuality

    private func measureLag() {
        var due = loop.now + Self.lagPeriod
        let timer = LoopTimer { [unowned self] in
            let now = Instant.now()
            let lag = max(0, now.nanoseconds(since: due))
            shard.record(.loopLag, UInt64(lag), phase: phase)
            signals.longestLag.max(lag, ordering: .relaxed)
            due = now + Self.lagPeriod
            if let lagTimer { loop.schedule(lagTimer, at: due) }
        }
        lagTimer = timer
        loop.schedule(timer, at: due)
    }
}
