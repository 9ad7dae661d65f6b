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
    private(set) var state = DeviceState.waiting
    var connection: WebSocketConnection?
    var backoff = Backoff()
    var farewell: Farewell?
    /// What faults and absences do to it; nil: nothing so far.
    var mishaps: Mishaps?
    private var ended: UnsafeContinuation<Void, Never>?
    private var timer: LoopTimer?
    /// The next stay of the schedule.
    private var nextStay = 0
    /// When the next dial is due: the first of a stay, or one after a back-off; nil while connected, dialling or done.
    private var dialAt: Instant?
    /// Whether nothing is left but the outcomes of what was sent.
    private var isSettling = false
    /// The run ends for this device: set once, never taken back.
    private(set) var endLimit: Instant?

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
    private var cut: (at: Instant, how: Profile.Cut)?
    /// Whether a drill chose it and its connection has not ended since.
    private var isCutAhead = false
    private var leaveAt: Instant?

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
    private func beginStay() {
        let stays = crew.plan.schedule.stays(ofDevice: index)
        guard endLimit == nil, nextStay < stays.count else { return settle() }
        dialAt = crew.start + stays[nextStay].dial
        rearm()
    }

    private func beginDialling(at now: Instant) {
        if state == .waiting {
            let stay = crew.plan.schedule.stays(ofDevice: index)[nextStay]
            nextStay += 1
            shard.record(.dialLag, from: crew.start + stay.meant, to: now, phase: crew.phase)
            leaveAt = stay.leave.map { crew.start + $0 }
            backoff = Backoff()
            startMishaps(stay: nextStay, from: crew.start + stay.dial)
        }
        dial(at: now)
    }

    private func dial(at now: Instant) {
        let target = crew.plan.profile.target
        dialAt = nil
        dialBegan = now
        attempts += 1
        shard.count(.dials)
        crew.noteDial(at: now)
        move(to: .dialling)
        let connection = WebSocketConnection(
            context: crew.context, handler: self, messageLimitBytes: target.messageLimitBytes, closeTimeout: crew.plan.closeTimeout)
        self.connection = connection
        connection.open(
            crew.plan.request(ofDevice: index), index: index, until: now + target.connectWithin,
            upgrading: { [self] in move(to: .upgrading) },
            completion: { [self] failure in
                if let failure { dialFailed(failure) } else { recordDial(connection) }
            })
    }

    private func dialFailed(_ failure: DialFailure) {
        connection = nil
        shard.count(dialFailure: failure.cause)
        if failure.cause == .cancelled { return sessionOver(.left) }
        if let status = failure.httpStatus { shard.count(httpStatus: status) }
        sessionOver(failure.cause == .refusedByServer ? .refusedForGood : .lost, retryAfter: Self.retryAfter(failure))
    }

    /// How long the server asks to wait (RFC 6585 § 4, RFC 9110 §§ 10.2.3, 15.6.4).
    private static func retryAfter(_ failure: DialFailure) -> Duration {
        guard let seconds = failure.retryAfterSeconds, failure.httpStatus == 429 || failure.httpStatus == 503 else { return .zero }
        return min(.seconds(seconds), longestRetryAfter)
    }

    /// A dial or a connection is over: the device comes back after its back-off, or its stay is over.
    private func sessionOver(_ end: SessionEnd, retryAfter: Duration = .zero) {
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

    private func backOff(for delay: Duration) {
        let now = loop.now
        move(to: .backingOff)
        dialAt = now + delay
        wayBack?.waits(until: now + delay, at: now)
        rearm()
    }

    private func endStay() {
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
    private func settle() {
        isSettling = true
        finishIfSettled(at: loop.now)
        rearm()
    }

    private func finishIfSettled(at now: Instant) {
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

    private func recordDial(_ connection: WebSocketConnection) {
        let phase = crew.returnPhase
        shard.record(.connect, from: dialBegan, to: openedAt, phase: phase)
        if let dns = connection.times.dns { shard.record(.connectDNS, UInt64(max(0, dns)), phase: phase) }
        if let tcp = connection.times.tcp { shard.record(.connectTCP, UInt64(max(0, tcp)), phase: phase) }
        if let tls = connection.times.tls { shard.record(.connectTLS, UInt64(max(0, tls)), phase: phase) }
        if let upgrade = connection.upgradeNanoseconds { shard.record(.connectUpgrade, UInt64(max(0, upgrade)), phase: phase) }
    }

    func move(to next: DeviceState) {
        guard next != state else { return }
        shard.move(from: state, to: next)
        if next == .ready { crew.signals.ready.add(1, ordering: .relaxed) }
        if state == .ready { crew.signals.ready.subtract(1, ordering: .relaxed) }
        state = next
        wayBack?.moved(to: next, at: loop.now)
    }

    // MARK: - From outside

    /// The run ends: no new work; what was begun may end until the limit. A second call can only shorten it.
    func leave(limit: Instant) {
        guard state != .left else { return }
        endLimit = min(limit, endLimit ?? .distantFuture)
        stop(limit: endLimit ?? limit)
    }

    /// Ends the stay: an open connection in order, anything else at once.
    private func stop(limit: Instant) {
        if isSettling { return finishIfSettled(at: loop.now) }
        sayFarewell(isFinal: true, limit: limit)
        if dialAt != nil { endStay() }
    }

    /// A drill cuts the device at an instant, if it is ready then.
    func cut(at instant: Instant, how: Profile.Cut) {
        // It waits for a dial, so that also a device that is on its way is meant.
        if how == .beforeReady, endLimit == nil, state != .failed, state != .left { return strike(how) }
        guard state == .ready, farewell == nil else { return }
        cut = (instant, how)
        if !isCutAhead {
            isCutAhead = true
            crew.signals.cutsAhead.add(1, ordering: .relaxed)
        }
        rearm()
    }

    /// The run cannot wait any longer.
    func abandon() {
        guard state != .left, state != .failed else { return }
        endLimit = .distantPast
        noteReturn(isReady: false, at: loop.now)
        move(to: .stuck)
        connection?.abandon()
        connection = nil
        dialAt = nil
        settle()
    }

    // MARK: - Ends

    private func sayFarewell(isFinal: Bool, limit: Instant) {
        textSchedule = nil
        photoSchedule = nil
        wake(at: loop.now)
        let hasClosed = farewell?.hasClosed ?? false
        farewell = Farewell(isFinal: isFinal || (farewell?.isFinal ?? false), limit: limit, hasClosed: hasClosed)
        switch state {
        case .ready: closeIfIdle(at: loop.now)
        case .greeting: endSession(.left) { $0.abandon() }
        case .dialling, .upgrading: connection?.abandon()
        case .waiting, .backingOff, .left, .failed, .stuck: break
        }
        rearm()
    }

    /// Closes when nothing is in flight, or when the limit has come.
    func closeIfIdle(at now: Instant) {
        guard let farewell, !farewell.hasClosed, state == .ready, let connection else { return }
        let isIdle =
            texts.waitingCount == 0 && uploads.waitingCount == 0 && prompts.unconfirmedCount == 0 && openDownloads == 0
            && connection.backlogBytes == 0
        guard isIdle || farewell.limit <= now else { return }
        self.farewell?.hasClosed = true
        connection.close(code: crew.plan.dialect.leaveCode)
    }

    private func makeCut(_ how: Profile.Cut) {
        cut = nil
        if state == .ready { strike(how) }
    }

    /// The drill that chose it has done its work, or has nothing to do.
    func noCutAhead() {
        guard isCutAhead else { return }
        isCutAhead = false
        crew.signals.cutsAhead.subtract(1, ordering: .relaxed)
    }

    /// A ready connection is over.
    func lost(_ cause: LossCause, closeCode: UInt16?, _ close: (WebSocketConnection) -> Void = { _ in }) {
        shard.count(.disconnects)
        // What the server cuts while a device waits for its last replies was not left on purpose.
        let closing = farewell.flatMap { $0.hasClosed ? $0 : nil }
        shard.count(loss: closing?.cause ?? cause)
        let isMeant = farewell?.isFinal == true || endLimit != nil || closing?.absence != nil
        lossCause = closing?.cause ?? cause
        if !isMeant {
            wayBack = WayBack(lostAt: loop.now, cutAt: cutInstant)
            isAwayByLoss = true
            attempts = 0
            crew.signals.losses.add(1, ordering: .relaxed)
        }
        let isAbsent = farewell?.isFinal != true && endLimit == nil
        endSession(isAbsent ? closing?.absence.map { .away($0) } ?? .lost : .left, closeCode: closeCode, close)
    }

    /// Ends the session whatever its stage; ``sessionOver(_:)`` says how the device goes on.
    func endSession(_ end: SessionEnd, closeCode: UInt16? = nil, _ close: (WebSocketConnection) -> Void = { _ in }) {
        if let connection { close(connection) }
        connection = nil
        readyDeadline = nil
        pings?.stop()
        cut = nil
        noCutAhead()
        mishaps?.cutMark = nil
        mishaps?.silence = nil
        let now = loop.now
        texts.connectionLost(shard)
        uploads.connectionLost(shard)
        prompts.connectionLost(at: now)
        var facts = crew.takeFacts()
        session.connectionLost(closeCode: closeCode, at: now, facts: &facts)
        var isRefused = closeCode.map { crew.plan.dialect.finalCloseCodes.contains($0) } ?? false
        for fact in facts {
            if case .refusedForGood = fact { isRefused = true }
            handle(fact, at: now)
        }
        crew.giveBack(facts)
        // The state leaves `ready` here, so that a text due before the next dial is known to be not sendable.
        move(to: .backingOff)
        sessionOver(isRefused ? .refusedForGood : end)
    }

    // MARK: - Time

    private func timerFired() {
        let now = loop.now
        if let dialAt, dialAt <= now { beginDialling(at: now) }
        if let leaveAt, leaveAt <= now { stayOver(at: now) }
        if let readyDeadline, readyDeadline <= now { readyTimedOut() }
        if let cut, cut.at <= now { makeCut(cut.how) }
        runMishaps(at: now)
        runBehaviours(at: now)
        ledgerDeadlines(at: now)
        if let deadline = session.deadline, deadline <= now {
            withFacts(at: now) { session.deadlinePassed(at: now, facts: &$0) }
        }
        closeIfIdle(at: now)
        finishIfSettled(at: now)
        rearm()
    }

    /// The load no longer wants the device: it leaves when its work is done, at the latest with its last deadline.
    private func stayOver(at now: Instant) {
        leaveAt = nil
        stop(limit: now + crew.plan.longestReply)
    }

    private func readyTimedOut() {
        shard.count(dialFailure: .readyTimeout)
        endSession(.lost) { $0.abandon() }
    }

    func ledgerDeadlines(at now: Instant) {
        let isReplyMissing = texts.deadlinePassed(at: now, shard)
        for id in uploads.deadlinePassed(at: now, shard) { session.uploadEnded(id: id) }
        noteOffences(at: now)
        // Without pings a reply that does not come is all that tells of a dead socket.
        if isReplyMissing, isHalfOpen, behaviour.ping == nil { noticedSilence(at: now) }
    }

    /// Sees to it that the timer fires no later than at an instant; firing early is harmless.
    func advance(to instant: Instant?) {
        guard let timer, let instant, instant < timer.deadline ?? .distantFuture else { return }
        loop.schedule(timer, at: instant)
    }

    /// Serves the earliest of all that is due.
    func rearm() {
        guard let timer else { return }
        var next = Instant.distantFuture
        func consider(_ instant: Instant?) { if let instant, instant < next { next = instant } }
        consider(dialAt)
        consider(leaveAt)
        if isSettling { consider(endLimit) }
        consider(readyDeadline)
        consider(cut?.at)
        consider(mishaps?.next)
        consider(textSchedule?.next)
        consider(photoSchedule?.next)
        consider(texts.deadline)
        consider(uploads.deadline)
        consider(session.deadline)
        if state == .ready {
            if connection?.isOpen == true, !isSuspended {
                if canBegin { consider(prompts.due) }
                consider(pings?.next)
            }
            if let farewell, !farewell.hasClosed { consider(farewell.limit) }
        }
        if next == .distantFuture { loop.cancel(timer) } else { loop.schedule(timer, at: next) }
    }
}
