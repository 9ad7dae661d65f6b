import StentorBase

/// Follows the messages of one device: which are replies, when each began, how often it was edited, when it is complete.
///
/// A message is complete at `final`, or, after text, when the avatar goes idle, typing stops or a quiet time passes. With markers each
/// message is a reply of its own; by turns, all messages of a turn are one reply. At most 64 messages are followed, each with at most 4 KiB of
/// kept text; past that the oldest is ended. A few ended ones are remembered, so that what still comes for them is no new reply.
///
///     (new) ──> open ──final, idle, stop, quiet──> ended ──its id with a whole text──> open
///                 └──connection lost──> suspended ──next piece──> open
struct HermesReplies {
    /// The end of a turn as the server hints at it.
    enum Pause {
        case avatarIdle, typingStopped
    }

    static let openLimit = 64
    static let endedLimit = 8
    /// How long after a `final` an idle or a stop is taken to belong to it.
    static let trailingTime = Duration.seconds(1)

    let correlation: Correlation
    let quietTime: Duration

    var messages: [HermesOpenMessage] = []
    var turn: HermesTurn?
    /// Of finals not long ago: idles and stops that are still to come for them, and so say nothing about other messages.
    private var trailing: (idles: Int, stops: Int, since: Instant) = (0, 0, .distantPast)

    init(correlation: Correlation, quietTime: Duration) {
        self.correlation = correlation
        self.quietTime = quietTime
    }

    /// When the next message or turn falls quiet; nil if none is open.
    var deadline: Instant? {
        var earliest: Instant?
        for message in messages where message.phase == .open && !message.isOfTurn {
            earliest = min(earliest ?? .distantFuture, message.lastAt + quietTime)
        }
        if let last = turn?.lastAt { earliest = min(earliest ?? .distantFuture, last + quietTime) }
        return earliest
    }

    // MARK: Events

    /// A message frame came.
    mutating func shown(
        _ key: HermesMessageKey, _ text: UnsafeRawBufferPointer, isEdit: Bool, isFinal: Bool, at now: Instant,
        uploads: inout HermesUploads, facts: inout [DeviceFact]
    ) {
        guard let index = place(key, text, isEdit: isEdit, at: now, facts: &facts) else { return }
        messages[index].lastAt = now
        if !text.isEmpty { messages[index].hasText = true }
        switch correlation {
        case .marker: match(index, text, isEdit: isEdit, isFinal: isFinal, uploads: &uploads, facts: &facts)
        case .turn: joinTurn(index, text, at: now, uploads: &uploads, facts: &facts)
        }
        if isFinal { finish(index, at: now, facts: &facts) }
        prune(&facts)
    }

    /// The avatar went idle, or typing stopped.
    mutating func paused(_ pause: Pause, at now: Instant, facts: inout [DeviceFact]) {
        guard !takeTrailing(pause, at: now) else { return }
        endAll(&facts, at: now) { $0.hasText }
    }

    /// The deadline passed: ends what has been quiet for long enough.
    mutating func deadlinePassed(at now: Instant, facts: inout [DeviceFact]) {
        let quiet = quietTime
        if let last = turn?.lastAt, last + quiet <= now { endTurn(&facts) }
        endAll(&facts, includingTurn: false) { $0.lastAt + quiet <= now }
    }

    /// The device opened a turn; what is still open belongs to no turn from now on.
    mutating func turnOpened(_ sequence: Int) {
        turnClosed()
        turn = HermesTurn(sequence: sequence)
    }

    /// The device no longer waits for the turn's reply.
    mutating func turnClosed() {
        turn = nil
        for index in messages.indices {
            messages[index].isOfTurn = false
            messages[index].isForeign = true
        }
    }

    /// The connection was lost: open messages wait for their next piece without a deadline, and those that waited already are dropped.
    mutating func connectionLost() {
        messages.removeAll { $0.phase == .suspended }
        for index in messages.indices where messages[index].phase == .open { messages[index].phase = .suspended }
        turn?.lastAt = nil
        trailing = (0, 0, .distantPast)
    }

    // MARK: Finding the message

    /// The message that a piece belongs to, made if new; nil if the piece comes for a message that is complete.
    private mutating func place(
        _ key: HermesMessageKey, _ text: UnsafeRawBufferPointer, isEdit: Bool, at now: Instant, facts: inout [DeviceFact]
    ) -> Int? {
        guard let index = messages.firstIndex(where: { $0.key == key }) else {
            messages.append(HermesOpenMessage(key: key, at: now))
            return messages.count - 1
        }
        guard messages[index].phase == .ended else {
            if isReusedID(messages[index], text) {
                end(index, &facts)
                messages[index] = HermesOpenMessage(key: key, at: now)
                return index
            }
            messages[index].edits += 1
            // A gap that holds an outage says nothing about the server's pace.
            if messages[index].phase == .open {
                facts.append(.replyEdited(gapNanoseconds: now.nanoseconds(since: messages[index].lastAt)))
            }
            messages[index].phase = .open
            return index
        }
        guard isNewMessage(messages[index], text, isEdit: isEdit) else { return nil }
        let old = messages.remove(at: index)
        var message = HermesOpenMessage(key: key, at: now)
        if isEdit, old.sequence == nil { message.firstShownAt = old.firstShownAt }
        messages.append(message)
        return messages.count - 1
    }

    /// Whether a server that sends no ids has begun its next reply: by the letter of the protocol it would extend the one before.
    private func isReusedID(_ old: HermesOpenMessage, _ text: UnsafeRawBufferPointer) -> Bool {
        guard old.key.isEmpty, let known = old.sequence, let sequence = ReplyMarker.find(in: text) else { return false }
        return sequence != known
    }

    /// Whether a piece for the id of a complete message is a message of its own: sent once more, or with an id that the server uses again.
    private func isNewMessage(_ old: HermesOpenMessage, _ text: UnsafeRawBufferPointer, isEdit: Bool) -> Bool {
        if old.key.isEmpty { return true }
        guard correlation == .marker else { return !isEdit && turn != nil }
        guard let sequence = ReplyMarker.find(in: text) else { return false }
        return !isEdit || sequence != old.sequence
    }

    // MARK: Matching

    private mutating func match(
        _ index: Int, _ text: UnsafeRawBufferPointer, isEdit: Bool, isFinal: Bool, uploads: inout HermesUploads, facts: inout [DeviceFact]
    ) {
        guard messages[index].sequence == nil else { return }
        if isEdit || messages[index].kept.isEmpty {
            recognise(index, text, uploads: &uploads, facts: &facts)
            if !isFinal, messages[index].isUnknown { messages[index].keep(text, replacing: true) }
        } else {
            messages[index].keep(text, replacing: false)
            let whole = messages[index].kept
            whole.withUnsafeBytes { recognise(index, $0, uploads: &uploads, facts: &facts) }
        }
        if !messages[index].isUnknown { messages[index].kept = [] }
    }

    private mutating func recognise(
        _ index: Int, _ text: UnsafeRawBufferPointer, uploads: inout HermesUploads, facts: inout [DeviceFact]
    ) {
        // First the protocol's own words, as a caption behind them may hold a marker; other words only where there is none.
        if let found = uploads.takeExact(text) {
            confirm(index, found, &facts)
        } else if let sequence = ReplyMarker.find(in: text) {
            messages[index].sequence = sequence
            facts.append(.replyBegan(sequence: sequence, firstShownAt: messages[index].firstShownAt))
        } else if let found = uploads.takeTolerant(text) {
            confirm(index, found, &facts)
        }
    }

    private mutating func joinTurn(
        _ index: Int, _ text: UnsafeRawBufferPointer, at now: Instant, uploads: inout HermesUploads, facts: inout [DeviceFact]
    ) {
        let isKnown = messages[index].isOfTurn || messages[index].isForeign
        if !isKnown {
            if let found = uploads.takeExact(text) ?? uploads.takeTolerant(text) { return confirm(index, found, &facts) }
            messages[index].isOfTurn = turn != nil
            messages[index].isForeign = turn == nil
        }
        guard messages[index].isOfTurn, turn != nil else { return }
        turn?.take(at: now, hasText: !text.isEmpty, isEdit: isKnown)
        if turn?.hasBegun == false {
            turn?.hasBegun = true
            facts.append(.replyBegan(sequence: turn?.sequence ?? 0, firstShownAt: now))
        }
    }

    private mutating func confirm(_ index: Int, _ found: HermesUploads.Confirmation, _ facts: inout [DeviceFact]) {
        messages[index].isConfirmation = true
        messages[index].phase = .ended
        facts.append(.uploadConfirmed(id: found.id, bytes: found.bytes, digest: found.digest))
    }

    // MARK: Ending

    private mutating func finish(_ index: Int, at now: Instant, facts: inout [DeviceFact]) {
        guard messages[index].phase == .open else { return }
        if messages[index].isOfTurn { return endTurn(&facts) }
        end(index, &facts)
        if correlation == .marker { addTrailing(at: now) }
    }

    /// Ends a message, at an instant, or nil: with its last piece, since a quiet time only tells later that it was the last.
    private mutating func end(_ index: Int, _ facts: inout [DeviceFact], at instant: Instant? = nil) {
        let message = messages[index]
        messages[index].phase = .ended
        messages[index].kept = []
        if let sequence = message.sequence {
            facts.append(
                .replyEnded(
                    sequence: sequence, firstShownAt: message.firstShownAt, endedAt: instant ?? message.lastAt, edits: message.edits))
        } else {
            facts.append(.unmatchedReply)
        }
    }

    private mutating func endTurn(_ facts: inout [DeviceFact], at instant: Instant? = nil) {
        guard let ended = turn else { return }
        turn = nil
        for index in messages.indices where messages[index].isOfTurn {
            messages[index].isOfTurn = false
            messages[index].phase = .ended
        }
        let last = ended.lastAt ?? ended.firstShownAt ?? .distantPast
        facts.append(
            .replyEnded(sequence: ended.sequence, firstShownAt: ended.firstShownAt ?? last, endedAt: instant ?? last, edits: ended.edits))
        prune(&facts)
    }

    private mutating func endAll(
        _ facts: inout [DeviceFact], at instant: Instant? = nil, includingTurn: Bool = true, where isDue: (HermesOpenMessage) -> Bool
    ) {
        if includingTurn, turn?.hasText == true, turn?.lastAt != nil { endTurn(&facts, at: instant) }
        for index in messages.indices where messages[index].phase == .open && !messages[index].isOfTurn && isDue(messages[index]) {
            end(index, &facts, at: instant)
        }
        prune(&facts)
    }

    /// Keeps the bounds: ends the oldest open messages, forgets the oldest complete ones.
    private mutating func prune(_ facts: inout [DeviceFact]) {
        var open = 0
        var ended = 0
        for message in messages {
            if message.phase == .ended { ended += 1 } else { open += 1 }
        }
        while open > Self.openLimit, let index = messages.firstIndex(where: { $0.phase != .ended }) {
            if messages[index].isOfTurn || messages[index].phase == .suspended {
                messages[index].phase = .ended
            } else {
                end(index, &facts)
            }
            open -= 1
            ended += 1
        }
        while ended > Self.endedLimit, let index = messages.firstIndex(where: { $0.phase == .ended }) {
            messages.remove(at: index)
            ended -= 1
        }
    }

    // MARK: Trailing pauses

    private mutating func addTrailing(at now: Instant) {
        if trailing.since + Self.trailingTime < now { trailing = (0, 0, now) }
        trailing = (trailing.idles + 1, trailing.stops + 1, now)
    }

    private mutating func takeTrailing(_ pause: Pause, at now: Instant) -> Bool {
        guard now <= trailing.since + Self.trailingTime else { return false }
        switch pause {
        case .avatarIdle where trailing.idles > 0: trailing.idles -= 1
        case .typingStopped where trailing.stops > 0: trailing.stops -= 1
        case .avatarIdle, .typingStopped: return false
        }
        return true
    }
}
