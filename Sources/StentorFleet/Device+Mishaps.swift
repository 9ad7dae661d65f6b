import StentorBase
import StentorLoop
import StentorMetrics
import StentorProfile

extension Device {
    /// The device's app is in the background: nothing is sent, pings neither.
    var isSuspended: Bool { if case .suspended = mishaps?.silence { true } else { false } }

    /// Whether the socket plays dead, and the device does not know.
    var isHalfOpen: Bool { if case .halfOpen = mishaps?.silence { true } else { false } }

    /// Whether something new may be sent: not behind a cut that is under way, nor in the background.
    var canBegin: Bool { mishaps == nil || (mishaps?.cutMark == nil && !isSuspended) }

    /// Starts the faults and absences of a stay.
    func startMishaps(stay: Int, from start: Instant) {
        let profile = crew.plan.profile
        guard !profile.faults.drops.isEmpty || behaviour.away != nil else { return }
        let mishaps = ensureMishaps()
        if !profile.faults.drops.isEmpty {
            mishaps.drops = DropSchedule(profile.faults.drops, seed: profile.seed, device: index, stay: stay, start: start)
        }
        mishaps.absences = behaviour.away.map { AbsenceSchedule($0, seed: profile.seed, device: index, stay: stay, start: start) }
    }

    /// The stay is over, whatever was to happen in it.
    func endMishaps() {
        cameBack()
        mishaps?.clear()
    }

    /// Lets happen what is due.
    func runMishaps(at now: Instant) {
        guard let mishaps else { return }
        if case .suspended(let until) = mishaps.silence, until <= now { wake(at: now) }
        while let how = mishaps.drops?.take(at: now) {
            if Self.waitsForItsPoint(how) { mishaps.armed.insert(how) } else if state == .ready, farewell == nil { strike(how) }
        }
        while let length = mishaps.absences?.take(at: now) { goAway(for: length, at: now) }
    }

    private static func waitsForItsPoint(_ how: Profile.Cut) -> Bool {
        switch how {
        case .reset, .close, .halfOpen: false
        case .afterSend, .midUpload, .beforeReady: true
        }
    }

    /// Cuts a ready connection.
    func strike(_ how: Profile.Cut) {
        switch how {
        case .reset: lost(.fault, closeCode: nil) { $0.reset() }
        case .close where mishaps?.silence == nil:
            farewell = Farewell(isFinal: false, limit: loop.now + Self.orderlyCutLimit)
            closeIfIdle(at: loop.now)
        case .halfOpen where mishaps?.silence == nil:
            ensureMishaps().silence = .halfOpen(since: loop.now)
            trail.silenced(at: crew.nanoseconds(loop.now))
            connection?.hold()
        case .close, .halfOpen: noCutAhead()
        case .afterSend, .midUpload: ensureMishaps().armed.insert(how)
        case .beforeReady:
            ensureMishaps().armed.insert(how)
            noCutAhead()
        }
    }

    private func ensureMishaps() -> Mishaps {
        let mishaps = mishaps ?? Mishaps()
        self.mishaps = mishaps
        return mishaps
    }

    /// Uses up a cut that waits for its point: it is made when the mark is reached, and nothing is sent behind that.
    func disarm(_ how: Profile.Cut, at mark: UInt64) {
        guard let mishaps, mishaps.armed.remove(how) != nil else { return }
        mishaps.cutMark = mark
    }

    func isArmed(_ how: Profile.Cut) -> Bool { mishaps?.armed.contains(how) ?? false }

    /// Before which part a photo is cut off: 1 ..< parts.
    func cutPart(ofPhoto number: Int, parts: Int) -> Int {
        let seed = crew.plan.profile.seed ^ SplitMix64.hash("mid_upload \(number)")
        var random = SeededRandom(seed: seed, stream: UInt64(index))
        return random.integer(in: 1...(parts - 1))
    }

    /// A mark was reached; makes the cut that waits for it.
    func cutIfDue(at mark: UInt64) {
        guard let mishaps, mishaps.cutMark == mark else { return }
        mishaps.cutMark = nil
        if state == .ready { return lost(.fault, closeCode: nil) { $0.reset() } }
        count(dialFailure: .fault)
        endSession(.lost) { $0.reset() }
    }

    /// The device finds out that its peer is silent.
    func noticedSilence(at now: Instant) {
        guard case .halfOpen(let since) = mishaps?.silence else { return lost(.silent, closeCode: nil) { $0.abandon() } }
        shard.record(.detect, from: since, to: now, phase: crew.phase)
        lost(.silent, closeCode: nil) { $0.reset() }
    }

    // MARK: - Absences

    private func goAway(for length: Duration, at now: Instant) {
        guard let mishaps, let away = behaviour.away, state == .ready, farewell == nil, mishaps.silence == nil, mishaps.cutMark == nil
        else {
            return
        }
        shard.count(.absences)
        switch away.how {
        case .suspend:
            mishaps.silence = .suspended(until: now + length)
            trail.suspended(at: crew.nanoseconds(now))
            pings?.stop()
            connection?.hold()
        case .leave:
            farewell = Farewell(isFinal: false, limit: now + Self.orderlyCutLimit, absence: length)
            closeIfIdle(at: now)
        }
    }

    /// Resumes a suspended socket.
    func wake(at now: Instant) {
        guard isSuspended else { return }
        mishaps?.silence = nil
        trail.resumed(at: crew.nanoseconds(now))
        startPings(at: now)
        connection?.goOn()
    }

    /// The device has left, to come back.
    func wentAway() {
        guard let mishaps, !mishaps.isGone else { return }
        mishaps.isGone = true
        crew.signals.away.add(1, ordering: .relaxed)
    }

    /// It is back, or no longer awaited.
    func cameBack() {
        guard let mishaps, mishaps.isGone else { return }
        mishaps.isGone = false
        crew.signals.away.subtract(1, ordering: .relaxed)
    }
}
