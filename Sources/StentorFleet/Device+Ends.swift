import StentorBase
import StentorClient
import StentorMetrics
import StentorProfile

/// How a stay, a session or the run ends for a device.
extension Device {
    /// The run ends: no new work; what was begun may end until the limit. A second call can only shorten it.
    func leave(limit: Instant) {
        guard state != .left else { return }
        endLimit = min(limit, endLimit ?? .distantFuture)
        stop(limit: endLimit ?? limit)
    }

    /// Ends the stay: an open connection in order, anything else at once.
    func stop(limit: Instant) {
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

    func sayFarewell(isFinal: Bool, limit: Instant) {
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

    func makeCut(_ how: Profile.Cut) {
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
        trail.lost(lossCause, closeCode: closeCode, at: crew.nanoseconds(loop.now))
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
}
