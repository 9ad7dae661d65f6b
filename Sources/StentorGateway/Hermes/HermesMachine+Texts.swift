import StentorBase
import StentorWire

// Texts and audios, and their replies.
extension HermesMachine {
    /// Takes a text: its reply is queued, and what its words ask for is done.
    mutating func takeText(_ index: Int, of device: HermesDevice, in bytes: UnsafeRawBufferPointer, at now: Instant) {
        counts.texts += 1
        device.truth.texts += 1
        noteID(index, of: device, in: bytes)
        var text = spare.take()
        fields.text(.text)?.append(to: &text, in: bytes)
        let signs = text.withUnsafeBytes { TextSigns($0) }
        if let sequence = signs.sequence { device.truth.arrived(sequence) }
        if signs.card == nil, answersClarify(device, text) { return spare.giveBack(text) }
        answer(device, text, signs.sequence, at: now)
        if let card = signs.card { offer(card, to: device, at: now) }
        if let size = signs.photoBytes { sendPhoto(to: device, bytes: min(size, options.fileLimit)) }
    }

    /// Takes an audio: its transcript is answered as a text, or what was heard is described.
    mutating func takeAudio(
        _ index: Int, of device: HermesDevice, in bytes: UnsafeRawBufferPointer, _ decoded: consuming IncomingData?, at now: Instant
    ) {
        counts.audios += 1
        device.truth.audios += 1
        noteID(index, of: device, in: bytes)
        let format = fields.text(.format)
        if format?.equals("wav", in: bytes) != true, format?.equals("ogg", in: bytes) != true {
            violation(index, "audio_format", format?.string(in: bytes) ?? "")
        }
        var data = decoded ?? incomingData(.hash(SHA256Stream(), version: 0), in: bytes)
        guard data.finish() else { return violation(index, "bad_base64", "audio") }
        var text = spare.take()
        fields.text(.text)?.append(to: &text, in: bytes)
        if text.isEmpty {
            let count = data.count
            let id = fields.string(.id, in: bytes) ?? ""
            text.append(contentsOf: "heard \(id): \(count) bytes, sha256 \(data.digest().hex)".utf8)
        }
        let sequence = text.withUnsafeBytes { TextSigns($0).sequence }
        if let sequence { device.truth.arrived(sequence) }
        answer(device, text, sequence, at: now)
    }

    /// Queues the reply to a text, with the faults asked for.
    private mutating func answer(_ device: HermesDevice, _ text: [UInt8], _ sequence: Int?, at now: Instant) {
        if random.chance(options.loseRate) { return note(.lost, sequence, device) }
        let due = now + options.replyDelay(startedAt: startedAt, at: now, &random)
        let isLate = random.chance(options.reorderRate)
        // A reply is never both late and doubled, so that each copy's fate stays plain.
        let isDoubled = random.chance(options.duplicateRate) && !isLate
        device.lane.put(Turn(text: text, due: due, sequence: sequence, copy: isDoubled ? .first : .only, isLate: isLate))
        if isDoubled { device.lane.put(Turn(text: text, due: due, sequence: sequence, copy: .second, isLate: false)) }
    }

    /// Queues the confirmation of an upload; it is never lost, doubled or overtaken.
    mutating func confirm(_ device: HermesDevice, _ text: String, at now: Instant) {
        let due = now + options.replyDelay(startedAt: startedAt, at: now, &random)
        device.lane.put(Turn(text: Array(text.utf8), due: due, sequence: nil, copy: .confirmation, isLate: false))
    }

    mutating func note(_ fate: DeviceTruth.Fate, _ sequence: Int?, _ device: HermesDevice) {
        counts.fates[fate, default: 0] += 1
        device.truth.note(fate, sequence)
    }

    // MARK: Turns

    /// Whether a device's turns wait until it is back.
    func isParked(_ device: HermesDevice) -> Bool {
        options.whileAway == .hold && !isThere(device)
    }

    /// Sends what of a device's turns is due.
    mutating func advance(_ device: HermesDevice, at now: Instant) {
        while !isParked(device) {
            if device.lane.current == nil {
                guard let (turn, isOvertaken) = device.lane.takeNext(at: now) else { return }
                begin(turn, isOvertaken, device, at: now)
            }
            guard var progress = device.lane.current, progress.next <= now else { return }
            step(&progress, device, at: now)
            device.lane.current = progress
            if progress.piece == progress.pieces { end(device, at: now) }
        }
    }

    private mutating func begin(_ turn: Turn, _ isOvertaken: Bool, _ device: HermesDevice, at now: Instant) {
        let isPlain = !options.stream || turn.copy == .confirmation
        let pieces = turn.copy == .confirmation ? 1 : isPlain ? options.plainParts : options.edits + 1
        let scalars = turn.text.reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        device.lane.current = ReplyLane.Progress(
            turn: turn, id: UUIDBits(&random), next: max(turn.due, now), pieces: pieces, scalarsPerPiece: (scalars + pieces - 1) / pieces,
            isOvertaken: isOvertaken)
        if options.moods.hasTyping { push(device, output.bare("typing")) }
        if options.moods.hasAvatar { push(device, output.avatar("thinking")) }
    }

    private mutating func step(_ progress: inout ReplyLane.Progress, _ device: HermesDevice, at now: Instant) {
        if progress.piece == 0 {
            sendBad(device)
            if options.moods.hasAvatar { push(device, output.avatar("speaking")) }
        }
        let isStreamed = options.stream && progress.turn.copy != .confirmation
        let text = progress.turn.text
        let end = text.withUnsafeBytes { Self.end($0, from: progress.shownBytes, scalars: progress.scalarsPerPiece) }
        let start = output.begin("message")
        output.member("id", progress.id)
        text.withUnsafeBytes {
            output.member("text", UnsafeRawBufferPointer(rebasing: $0[(isStreamed ? 0 : progress.shownBytes)..<end]))
        }
        if isStreamed, progress.piece > 0 { output.member("edit", true) }
        progress.piece += 1
        if options.final, progress.piece == progress.pieces { output.member("final", true) }
        progress.isShown = push(device, output.end(start))
        progress.shownBytes = end
        progress.next = now + options.editGap
    }

    private mutating func end(_ device: HermesDevice, at now: Instant) {
        let ended = device.lane.finish(at: now)
        account(ended, device)
        if options.moods.hasAvatar { push(device, output.avatar("idle")) }
        if options.moods.hasTyping {
            let start = output.begin("typing")
            output.member("stop", true)
            push(device, output.end(start))
        }
        spare.giveBack(ended.turn.text)
    }

    /// Counts what became of a turn. A doubled reply is unsent only if neither copy found the device.
    private mutating func account(_ ended: ReplyLane.Progress, _ device: HermesDevice) {
        let sequence = ended.turn.sequence
        if ended.turn.copy == .confirmation {
            counts.confirmed += ended.isShown ? 1 : 0
            return
        }
        if ended.isShown {
            counts.repliesSent += 1
            device.truth.replied += 1
        }
        switch ended.turn.copy {
        case .only:
            if !ended.isShown { note(.unsent, sequence, device) }
            if ended.isShown, ended.isOvertaken { note(.reordered, sequence, device) }
        case .first:
            device.lane.isFirstCopyShown = ended.isShown
        case .second:
            if ended.isShown, device.lane.isFirstCopyShown { note(.duplicated, sequence, device) }
            if !ended.isShown, !device.lane.isFirstCopyShown { note(.unsent, sequence, device) }
        case .confirmation:
            break
        }
    }

    /// Sends, now and then, a frame that a device must survive.
    private mutating func sendBad(_ device: HermesDevice) {
        if random.chance(options.errorRate) {
            counts.onPurpose["error", default: 0] += 1
            push(device, error("busy", "try again", isFatal: false))
        }
        guard random.chance(options.badFrameRate) else { return }
        // In turn, not at random, so that each kind comes as often.
        let bad: [StaticString] = [#"{"t":"not_in_the_list","x":1}"#, #"{"t":"#, "[1,2]", #"{"x":1}"#, #"{"t":7}"#, "nonsense"]
        let choice = counts.badFrames % bad.count
        counts.badFrames += 1
        counts.onPurpose[choice == 0 ? "unknown" : "malformed", default: 0] += 1
        push(device, output.raw(bad[choice]))
    }

    /// Where so many characters of UTF-8 end.
    private static func end(_ text: UnsafeRawBufferPointer, from start: Int, scalars: Int) -> Int {
        var at = start
        var left = scalars
        while at < text.count {
            if text[at] & 0xC0 != 0x80 {
                if left == 0 { break }
                left -= 1
            }
            at += 1
        }
        return at
    }
}

extension Moods {
    /// Whether typing frames surround a reply.
    var hasTyping: Bool { self == .all || self == .typing }
    /// Whether avatar frames do.
    var hasAvatar: Bool { self == .all || self == .avatar }
}

extension GatewayOutput {
    /// Writes a frame that is only its type.
    mutating func bare(_ t: StaticString) -> Range<Int> {
        end(begin(t))
    }

    /// Writes a mood.
    mutating func avatar(_ state: StaticString) -> Range<Int> {
        let start = begin("avatar")
        open("state")
        append("\"")
        append(state)
        append("\"")
        return end(start)
    }

    /// Writes bytes that are perhaps no frame.
    mutating func raw(_ text: StaticString) -> Range<Int> {
        let start = bytes.count
        append(text)
        return start..<bytes.count
    }
}
