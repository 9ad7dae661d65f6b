import StentorBase
import StentorClient
import StentorDialect
import StentorLoop
import StentorMetrics

/// Dials, and what comes of them.
extension Device {
    func beginDialling(at now: Instant) {
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

    func dial(at now: Instant) {
        let target = crew.plan.profile.target
        dialAt = nil
        dialBegan = now
        attempts += 1
        shard.count(.dials)
        crew.noteDial(at: now)
        trail.dialled(attempt: attempts, at: crew.nanoseconds(now))
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

    func dialFailed(_ failure: DialFailure) {
        connection = nil
        count(dialFailure: failure.cause, status: failure.httpStatus)
        if failure.cause == .cancelled { return sessionOver(.left) }
        if let status = failure.httpStatus { shard.count(httpStatus: status) }
        sessionOver(failure.cause == .refusedByServer ? .refusedForGood : .lost, retryAfter: Self.retryAfter(failure))
    }

    /// How long the server asks to wait (RFC 6585 § 4, RFC 9110 §§ 10.2.3, 15.6.4).
    static func retryAfter(_ failure: DialFailure) -> Duration {
        guard let seconds = failure.retryAfterSeconds, failure.httpStatus == 429 || failure.httpStatus == 503 else { return .zero }
        return min(.seconds(seconds), longestRetryAfter)
    }

    func recordDial(_ connection: WebSocketConnection) {
        let phase = crew.returnPhase
        shard.record(.connect, from: dialBegan, to: loop.now, phase: phase)
        if let dns = connection.times.dns { shard.record(.connectDNS, UInt64(max(0, dns)), phase: phase) }
        if let tcp = connection.times.tcp { shard.record(.connectTCP, UInt64(max(0, tcp)), phase: phase) }
        if let tls = connection.times.tls { shard.record(.connectTLS, UInt64(max(0, tls)), phase: phase) }
        if let upgrade = connection.upgradeNanoseconds { shard.record(.connectUpgrade, UInt64(max(0, upgrade)), phase: phase) }
    }
}
