import StentorBase
import StentorClient
import StentorDialect
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire

/// One simulated device: its life as an async function, its events as plain calls. Confined to its crew's loop.
///
///     waiting → dialling → upgrading → greeting → ready → lost → backing off → dialling … → left | failed
///
/// The task of a device (``run()``) awaits only the device's end: what a task has on its stack once, it keeps, and a device must not cost more
/// than its state. Everything that happens (dials, frames, due texts, deadlines) is handled by synchronous calls at the moment it happens, and
/// one timer serves the earliest of all that is due.
final class Device {
    /// Why a session ended.
    enum SessionEnd {
        /// The device left as the schedule wants.
        case left
        /// It will never be let in.
        case refusedForGood
        /// It left to dial again after this time.
        case away(Duration)
        /// Anything else: the device comes back.
        case lost
    }

    /// An orderly end under way: no new work, what was begun may end, then the closing handshake.
    struct Farewell {
        /// Whether the device stays away afterwards.
        var isFinal: Bool
        /// When it closes whatever is still open.
        var limit: Instant
        var hasClosed = false
        /// How long it stays away; nil: it comes back at once, or never.
        var absence: Duration?

        /// Why the connection has ended when the device closed it.
        var cause: LossCause { isFinal || absence != nil ? .left : .fault }
    }

    /// How long an orderly cut waits for what was begun.
    static let orderlyCutLimit = Duration.seconds(5)
    /// The longest that a server can put a dial off.
    static let longestRetryAfter = Duration.seconds(300)

    let index: Int
    unowned let crew: Crew
    let session: any DeviceSession
    var random: SeededRandom
    var state = DeviceState.waiting
    var connection: WebSocketConnection?
    var backoff = Backoff()
    var farewell: Farewell?
    /// What faults and absences do to it; nil: nothing so far.
    var mishaps: Mishaps?
    private var ended: UnsafeContinuation<Void, Never>?
    var timer: LoopTimer?
    /// The next stay of the schedule.
    var nextStay = 0
    /// When the next dial is due: the first of a stay, or one after a back-off; nil while connected, dialling or done.
    var dialAt: Instant?
    /// Whether nothing is left but the outcomes of what was sent.
    var isSettling = false
    /// The run ends for this device: set once, never taken back.
    var endLimit: Instant?

    // Accounts
    var texts = TextLedger()
    var uploads = UploadLedger()
    var prompts = PromptLedger()
    var openDownloads = 0

    // Schedules and deadlines
    var textSchedule: DueSchedule?
    var photoSchedule: DueSchedule?
    var pings: PingSchedule?
    var readyDeadline: Instant?
    var cut: (at: Instant, how: Profile.Cut)?
    /// Whether a drill chose it and its connection has not ended since.
    var isCutAhead = false
    var leaveAt: Instant?

    // Times of the current dial and loss
    var dialBegan = Instant.distantPast
    var openedAt = Instant.distantPast
    var helloSent: Instant?
    /// The way back from its last loss; nil: there was none, or it is over.
    var wayBack: WayBack?
    var attempts = 0
    /// Whether the loss was counted as one that the device did not mean.
    var isAwayByLoss = false
    /// Why its last connection was lost.
    var lossCause = LossCause.left
    /// When the last bytes of a message came; nil: never.
    var heardAt: Instant?
    /// What its connections went through lately.
    var trail = DeviceTrail()

    init(index: Int, crew: Crew) {
        self.index = index
        self.crew = crew
        let identity = crew.plan.identity(ofDevice: index)
        session = crew.factory.makeSession(identity)
        random = SeededRandom(seed: crew.plan.profile.seed, stream: UInt64(index))
    }

    var loop: EventLoop { crew.loop }
    var shard: MetricShard { crew.shard }
    var behaviour: Profile.Behaviour { crew.plan.profile.behaviour }

    // MARK: - Life

    /// Lives through all stays of the schedule; to be awaited once, on the crew's loop.
    func run() async {
        timer = LoopTimer { [unowned self] in timerFired() }
        beginStay()
        if timer != nil { await withUnsafeContinuation { ended = $0 } }
    }

    /// Waits for the next stay, or settles when there is none.
    func beginStay() {
        let stays = crew.plan.schedule.stays(ofDevice: index)
        guard endLimit == nil, nextStay < stays.count else { return settle() }
        dialAt = crew.start + stays[nextStay].dial
        rearm()
    }

    /// A dial or a connection is over: the device comes back after its back-off, or its stay is over.
    func sessionOver(_ end: SessionEnd, retryAfter: Duration = .zero) {
        guard state != .stuck else { return }
        switch end {
        case .left: return endStay()
        case .away(let time):
            farewell = nil
            wentAway()
            return backOff(for: time)
        case .refusedForGood:
            move(to: .failed)
            return endStay()
        case .lost: break
        }
        guard endLimit == nil, farewell?.isFinal != true else { return endStay() }
        farewell = nil
        guard let delay = backoff.nextDelay(crew.plan.reconnectPolicy, random: &random) else {
            move(to: .failed)
            return endStay()
        }
        if retryAfter > delay { shard.count(.dialsDeferred) }
        backOff(for: max(delay, retryAfter))
    }

    func backOff(for delay: Duration) {
        let now = loop.now
        move(to: .backingOff)
        dialAt = now + delay
        wayBack?.waits(until: now + delay, at: now)
        rearm()
    }

    func endStay() {
        endMishaps()
        dialAt = nil
        leaveAt = nil
        farewell = nil
        noteReturn(isReady: false, at: loop.now)
        // What the schedule ended while the device was away is no reconnect when it comes again.
        wayBack = nil
        isAwayByLoss = false
        guard state != .failed, endLimit == nil else { return settle() }
        move(to: .waiting)
        beginStay()
    }

    /// Waits for the outcomes of what was sent, after the last stay, until the run's limit.
    func settle() {
        isSettling = true
        // At the run's limit nothing waits any longer: what has passed its deadline is lost, not in doubt.
        ledgerDeadlines(at: loop.now)
        finishIfSettled(at: loop.now)
        rearm()
    }

    func finishIfSettled(at now: Instant) {
        guard isSettling, let timer else { return }
        let isWaiting = texts.deadline != nil || uploads.deadline != nil
        guard !isWaiting || (endLimit.map { $0 <= now } ?? false) else { return }
        if state != .failed, state != .stuck { move(to: .left) }
        loop.cancel(timer)
        self.timer = nil
        crew.signals.active.subtract(1, ordering: .relaxed)
        ended?.resume()
        ended = nil
    }

    func move(to next: DeviceState) {
        guard next != state else { return }
        shard.move(from: state, to: next)
        if next == .ready { crew.signals.ready.add(1, ordering: .relaxed) }
        if state == .ready { crew.signals.ready.subtract(1, ordering: .relaxed) }
        state = next
        wayBack?.moved(to: next, at: loop.now)
    }
}
