import StentorBase
import StentorMetrics

/// What a device does when its timer fires, and when that is.
extension Device {
    func timerFired() {
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
    func stayOver(at now: Instant) {
        leaveAt = nil
        stop(limit: now + crew.plan.longestReply)
    }

    func readyTimedOut() {
        count(dialFailure: .readyTimeout)
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
