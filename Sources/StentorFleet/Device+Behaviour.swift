import StentorBase
import StentorDialect
import StentorLoop
import StentorMetrics
import StentorProfile

/// What a mark in the output says when it is reached.
enum OutputMark: UInt64 {
    case hello = 0
    case text
    case photoReached
    case photoBegan
    case photoEnded
    case prompt
    case ping
    /// Behind the part of a photo after which it is cut off.
    case photoCut

    func value(_ number: Int) -> UInt64 { UInt64(number) << 3 | rawValue }
}

extension Device {
    /// Starts the open processes, once for each stay, when the device is first ready.
    func startBehaviours(at now: Instant) {
        if textSchedule == nil, let text = behaviour.text {
            textSchedule = DueSchedule(every: text.every, spacing: text.spacing)
            textSchedule?.start(at: now, random: &random)
        }
        if photoSchedule == nil, let photo = behaviour.photo {
            photoSchedule = DueSchedule(every: photo.every, spacing: photo.spacing)
            photoSchedule?.start(at: now, random: &random)
        }
    }

    /// Starts pinging, for each connection.
    func startPings(at now: Instant) {
        guard let ping = behaviour.ping else { return }
        if pings == nil { pings = PingSchedule(every: ping.every, within: ping.pongWithin) }
        pings?.start(at: now, random: &random)
    }

    /// Does all that is due.
    func runBehaviours(at now: Instant) {
        while let due = textSchedule?.take(at: now, random: &random) { textDue(due) }
        while let due = photoSchedule?.take(at: now, random: &random) { photoDue(due, at: now) }
        // Behind our close frame nothing can be sent, and no pong is owed.
        guard state == .ready, let connection, connection.isOpen else { return }
        guard !isSuspended else { return }
        while canBegin, let answer = prompts.takeDue(at: now) {
            connection.send(session.messageKind, session.promptAnswer(promptID: answer.id, answer.response))
            connection.mark(OutputMark.prompt.value(answer.mark))
        }
        if pings?.isOverdue(at: now) == true {
            shard.count(.pongsMissed)
            return noticedSilence(at: now)
        }
        if let number = pings?.take(at: now) {
            shard.count(.pingsSent)
            connection.ping(PingSchedule.payload(number))
            connection.mark(OutputMark.ping.value(Int(number)))
        }
    }

    // MARK: - Texts

    /// What a device keeps for a target that does not read; texts due beyond it cannot be sent.
    static let backlogLimitBytes = 1 << 20

    private func textDue(_ due: Instant) {
        guard let text = behaviour.text, due <= crew.loadEnd else { return }
        let size = random.integer(in: text.bodyBytes)
        let id = random.uuid()
        let isTurnOpen = text.correlation == .turn && texts.waitingCount > 0
        guard state == .ready, farewell == nil, canBegin, !isTurnOpen, let connection,
            connection.copiedBacklogBytes < Self.backlogLimitBytes
        else {
            return shard.count(.messagesNotSent)
        }
        let sequence = texts.nextSequence()
        if text.correlation == .turn { session.turnOpened(sequence) }
        texts.queued(sequence, due: due, deadline: due + text.replyWithin, phase: crew.phase)
        connection.send(session.messageKind, session.text(sequence: sequence, id: id, body: TextBody.make(sequence: sequence, bytes: size)))
        connection.mark(OutputMark.text.value(sequence))
        disarm(.afterSend, at: OutputMark.text.value(sequence))
    }

    // MARK: - Photos

    private func photoDue(_ due: Instant, at now: Instant) {
        guard let behaviour = behaviour.photo, let library = crew.plan.photos, due <= crew.loadEnd else { return }
        let photo = library.photos[random.integer(in: 0...(library.photos.count - 1))]
        let id = random.uuid()
        guard state == .ready, farewell == nil, canBegin, let connection else { return shard.count(.uploadsNotSent) }
        let number = uploads.queued(id, photo, due: due, at: now, deadline: due + behaviour.replyWithin, phase: crew.phase)
        session.uploadBegan(id: id, bytes: photo.bytes)
        connection.mark(OutputMark.photoReached.value(number))
        let isCut = photo.parts.count > 1 && isArmed(.midUpload)
        let end = isCut ? cutPart(ofPhoto: number, parts: photo.parts.count) : photo.parts.count
        for (index, part) in photo.parts[..<end].enumerated() {
            let (prefix, suffix) = session.photoPart(id: id, part: index, parts: photo.parts.count)
            connection.send(session.messageKind, prefix: prefix, library.encoded, range: part.range, suffix: part.tail + suffix) {
                if index == 0 { connection.mark(OutputMark.photoBegan.value(number)) }
            }
        }
        connection.mark((isCut ? OutputMark.photoCut : .photoEnded).value(number))
        if isCut { disarm(.midUpload, at: OutputMark.photoCut.value(number)) }
    }

    // MARK: - What was sent

    func reached(_ mark: UInt64) {
        guard let kind = OutputMark(rawValue: mark & 7) else { preconditionFailure("Device: unknown mark") }
        let number = Int(mark >> 3)
        let now = Instant.now()
        switch kind {
        case .hello:
            helloSent = now
            wayBack?.saidHello(at: loop.now)
        case .text: texts.sent(number, at: now, shard)
        case .photoReached: uploads.reached(number, at: now)
        case .photoBegan: uploads.began(number, shard)
        case .photoEnded: uploads.ended(number, at: now, shard)
        case .prompt: prompts.sent(number, at: now)
        case .ping: pings?.sent(UInt64(number), at: now)
        case .photoCut: break
        }
        cutIfDue(at: mark)
        // The deadline of what was just sent counts from now on.
        if kind == .text || kind == .photoBegan { rearm() }
        if kind == .text { noteOffences(at: now) }
        if farewell != nil { closeIfIdle(at: now) }
    }

    // MARK: - Prompts

    /// What the device does with a card, from its own random stream.
    func decide(_ card: PromptCard) -> (PromptResponse, Duration)? {
        guard let prompts = behaviour.prompts else { return nil }
        let draw = random.unit()
        let think = random.duration(in: prompts.think)
        let shares = prompts.answers
        let choice: PromptAnswer =
            draw < shares.approve
            ? .approve : draw < shares.approve + shares.deny ? .deny : draw < shares.approve + shares.deny + shares.other ? .other : .ignore
        return session.response(to: card, choice: choice, text: "an answer in own words").map { ($0, think) }
    }
}

/// The words of texts.
enum TextBody {
    // Neutral words: nothing that a simulated gateway takes for a request.
    private static let words = Array(
        "the quick brown fox jumps over the lazy dog while a quiet river runs along the old stone bridge and two boats wait for rain ".utf8)

    /// A text of so many bytes (at least the marker's) that begins with its marker.
    static func make(sequence: Int, bytes: Int) -> String {
        let marker = ReplyMarker.text(sequence) + " "
        let head = marker.utf8.count
        return String(unsafeUninitializedCapacity: max(bytes, head)) { buffer in
            for (index, byte) in marker.utf8.enumerated() { buffer[index] = byte }
            guard bytes > head else { return head }
            for index in head..<bytes { buffer[index] = words[(index - head + sequence) % words.count] }
            return bytes
        }
    }
}
