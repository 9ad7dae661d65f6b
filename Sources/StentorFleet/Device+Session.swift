import StentorBase
import StentorClient
import StentorDialect
import StentorLoop
import StentorMetrics
import StentorWire

extension Device: ConnectionHandler {
    func connectionOpened(_ connection: WebSocketConnection) {
        let now = loop.now
        openedAt = now
        shard.count(.connects)
        move(to: .greeting)
        session.connectionOpened()
        helloSent = nil
        if let greeting = session.greeting() { connection.send(session.messageKind, greeting) }
        if let rate = crew.plan.readingLimit(ofDevice: index) { connection.limitReading(bytesPerSecond: rate) }
        connection.mark(OutputMark.hello.value(0))
        disarm(.beforeReady, at: OutputMark.hello.value(0))
        readyDeadline = now + crew.plan.profile.target.readyWithin
        rearm()
    }

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer) {
        let now = loop.now
        heardAt = now
        withFacts(at: now) { session.messageReceived(bytes, at: now, facts: &$0) }
    }

    func messageBegan(_ kind: MessageKind) { session.streamBegan() }

    func messagePieceReceived(_ bytes: UnsafeRawBufferPointer) {
        let now = loop.now
        heardAt = now
        withFacts(at: now) { session.streamReceived(bytes, at: now, facts: &$0) }
    }

    func messageEnded() {
        let now = loop.now
        withFacts(at: now) { session.streamEnded(at: now, facts: &$0) }
    }

    func pongReceived(_ payload: [UInt8]) {
        guard let sent = pings?.answered(payload) else { return }
        shard.count(.pongsReceived)
        shard.record(.pingRTT, from: sent, to: loop.now, phase: crew.phase)
        rearm()
    }

    func sent(mark: UInt64) { reached(mark) }

    func connectionEnded(_ end: ConnectionEnd) {
        let (cause, code) = Self.meaning(of: end)
        if case .closedByServer = end { shard.count(closeCode: code) }
        if state == .ready { return lost(cause, closeCode: code) }
        let isRefused = code.map { crew.plan.dialect.finalCloseCodes.contains($0) } ?? false
        count(dialFailure: isRefused ? .refusedByServer : .closedBeforeReady)
        endSession(.lost, closeCode: code)
    }

    private static func meaning(of end: ConnectionEnd) -> (LossCause, closeCode: UInt16?) {
        switch end {
        case .closedByServer(let code, _): (.closedByServer, code)
        case .closed, .closeTimedOut: (.left, nil)
        case .protocolViolation: (.protocolError, nil)
        case .lost(.endOfStream): (.endOfStream, nil)
        case .lost(.failed), .lost(.tls), .lost(.loopStopped): (.reset, nil)
        }
    }

    // MARK: - Facts

    /// Lets the session look at something and acts on what it learned.
    func withFacts(at now: Instant, _ look: (inout [DeviceFact]) -> Void) {
        var facts = crew.takeFacts()
        look(&facts)
        for fact in facts { handle(fact, at: now) }
        let hasNews = !facts.isEmpty
        if hasNews { noteOffences(at: now) }
        crew.giveBack(facts)
        if hasNews, farewell != nil { closeIfIdle(at: now) }
        // Most frames change no deadline but the session's own.
        if hasNews { rearm() } else { advance(to: session.deadline) }
    }

    func handle(_ fact: DeviceFact, at now: Instant) {
        switch fact {
        case .ready: becameReady(at: now)
        case .refusedForGood: break
        case .replyBegan(let sequence, let shown): texts.replyBegan(sequence, at: shown, shard)
        case .replyEdited(let gap): shard.record(.editGap, UInt64(max(0, gap)), phase: crew.phase)
        case .replyEnded(let sequence, let shown, let ended, let edits):
            texts.replyBegan(sequence, at: shown, shard)
            if !texts.replyEnded(sequence, edits: edits, at: ended, shard) { shard.count(.messagesUnmatched) }
        case .unmatchedReply: shard.count(.messagesUnmatched)
        case .promptOpened(let card): prompts.shown(card, at: now, phase: crew.phase, shard) { decide($0) }
        case .promptClosed(let id, let option, let isExpired):
            prompts.closed(id, optionID: option, isExpired: isExpired, at: now, shard)
        case .uploadConfirmed(let id, let bytes, let digest):
            if uploads.confirmed(id, bytes: bytes, digest: digest, at: now, shard) { session.uploadEnded(id: id) }
        case .uploadRefused(let id, let code):
            shard.count(serverError: code)
            if let id, uploads.refused(id, code: code, at: now, shard) { session.uploadEnded(id: id) }
        case .downloadBegan: downloadBegan()
        case .downloadEnded(_, let outcome, let bytes, let firstPartAt):
            downloadEnded(outcome, bytes: bytes, since: firstPartAt, at: .now())
        case .serverError(let code, _): shard.count(serverError: code)
        case .unknownFrame: shard.count(.framesUnknown)
        case .malformedFrame: shard.count(.framesMalformed)
        }
    }

    private func becameReady(at now: Instant) {
        guard state == .greeting else { return }
        readyDeadline = nil
        move(to: .ready)
        trail.ready(at: crew.nanoseconds(now))
        let phase = crew.returnPhase
        shard.count(.ready)
        shard.record(.ready, from: helloSent ?? openedAt, to: now, phase: phase)
        shard.record(.usable, from: dialBegan, to: now, phase: phase)
        if let wayBack {
            shard.count(.reconnects)
            shard.record(.reconnect, from: wayBack.lostAt, to: now, phase: phase)
            shard.record(.attempts, UInt64(attempts), phase: phase)
            noteReturn(isReady: true, at: now)
            self.wayBack = nil
        }
        if isAwayByLoss {
            isAwayByLoss = false
            crew.signals.returns.add(1, ordering: .relaxed)
        }
        cameBack()
        backoff.readyReached()
        startBehaviours(at: now)
        startPings(at: now)
        rearm()
    }

    private func downloadBegan() {
        openDownloads += 1
        shard.count(.downloadsStarted)
        shard.count(.downloadsOpen)
    }

    private func downloadEnded(_ outcome: DownloadOutcome, bytes: Int, since first: Instant, at now: Instant) {
        switch outcome {
        case .byReference:
            shard.count(.downloadsByURL)
        case .complete(let isVerified):
            shard.count(.downloadsComplete)
            if isVerified { shard.count(.downloadsVerified) }
            shard.count(.downloadsBytes, by: bytes)
            shard.record(.reassembly, from: first, to: now, phase: crew.phase)
            if now - first >= RateRule.shortest { shard.recordRate(.reassemblyRate, bytes: bytes, over: now - first, phase: crew.phase) }
        case .corrupt(let fault):
            shard.count(.downloadsCorrupt)
            shard.count(.downloadFailures, fault.rawValue)
            noteDownload(.corrupt, since: first, at: now, reason: fault.rawValue)
        case .incomplete(let fault):
            shard.count(.downloadsIncomplete)
            shard.count(.downloadFailures, fault.rawValue)
            noteDownload(.incomplete, since: first, at: now, reason: fault.rawValue)
        }
        openDownloads -= 1
        shard.count(.downloadsOpen, by: -1)
    }
}
