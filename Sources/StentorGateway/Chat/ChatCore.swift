import StentorBase
import StentorWire

/// What the gateways without turns share: connections, and for each an outbox that sends in order, after the reply delay, with the faults asked for.
struct ChatCore<Extra> {
    /// How the gateway behaves.
    let options: GatewayOptions
    /// What is to be done.
    var output: GatewayOutput
    var random: SeededRandom
    var tally = GatewayTally()
    var sockets: [ChatSocket<Extra>] = []
    private let blank: Extra
    private var freeSockets: [Int] = []
    private var startedAt = Instant.distantFuture

    /// Messages sent, second copies included, and what became of the others on purpose.
    private(set) var sentCount = 0
    private(set) var lostCount = 0
    private(set) var duplicatedCount = 0
    private(set) var reorderedCount = 0
    /// Messages sent and lost by the tag of their parcels.
    private(set) var sent: [Int] = []
    private(set) var lost: [Int] = []

    /// Makes a core that nobody has connected to.
    init(_ options: GatewayOptions, blank: Extra) {
        self.options = options
        self.blank = blank
        output = GatewayOutput(escapesSlashes: false)
        random = SeededRandom(seed: options.seed)
    }

    /// The clock of what goes by the time since the start begins.
    mutating func began(at now: Instant) { startedAt = now }

    // MARK: Connections

    /// Takes a connection, and gives its index.
    mutating func opened(at now: Instant) -> Int {
        tally.connected(at: now)
        let index = freeSockets.popLast() ?? sockets.count
        if index == sockets.count { sockets.append(ChatSocket(extra: blank)) }
        sockets[index] = ChatSocket(phase: .open, extra: blank)
        sockets[index].line = GatewayLine(label: "connection \(tally.connections)", options: options, at: now)
        return index
    }

    /// Counts it as up, unless the gateway is full: then it is closed with 1013.
    ///
    /// - Returns: Whether it is up.
    mutating func goUp(_ index: Int, at now: Instant) -> Bool {
        guard options.maxDevices == 0 || tally.up < options.maxDevices else {
            close(index, 1013, "full")
            return false
        }
        sockets[index].line.goUp(options, &random, &tally, at: now)
        return true
    }

    /// Takes it off the line: nothing goes out on it any more, and nothing it sends counts.
    mutating func leave(_ index: Int) {
        if sockets[index].phase == .open { sockets[index].phase = .ended }
        sockets[index].long = nil
        sockets[index].next = nil
        _ = sockets[index].lane.takePending()
        sockets[index].deadline = .distantFuture
        sockets[index].line.quieten()
        sockets[index].line.goDown(&tally)
    }

    /// Closes it unless it is being closed already.
    mutating func close(_ index: Int, _ code: UInt16, _ reason: String) {
        sockets[index].line.close(index, code, reason, &output)
    }

    /// It is gone: its index is free from now on.
    mutating func ended(_ index: Int) {
        guard sockets[index].phase != .free else { preconditionFailure("ChatCore: end of a free socket") }
        sockets[index].line.countEnd(&tally)
        leave(index)
        sockets[index] = ChatSocket(extra: blank)
        freeSockets.append(index)
    }

    /// Plays dead on it.
    mutating func fallSilent(_ index: Int) {
        leave(index)
        sockets[index].phase = .silent
        output.add(.silence(socket: index))
    }

    /// Drops it on purpose, or pings, as is due.
    mutating func runDue(_ index: Int, at now: Instant) {
        sockets[index].line.runDue(index, options, &tally, &output, at: now)
    }

    /// Asks to be woken for it.
    mutating func arm(_ index: Int) {
        sockets[index].line.arm(index, sockets[index].need, &output)
    }

    /// Counts a violation, and reports it unless enough of its kind were.
    mutating func violation(_ index: Int, _ kind: String, _ detail: String = "") {
        if let line = tally.violation(kind, device: sockets[index].line.label, detail: detail) { output.add(.report(line)) }
    }

    // MARK: Outbox

    /// Queues a message, with the faults asked for; see ``Parcel/tag``.
    mutating func post(_ index: Int, _ bytes: [UInt8], _ kind: MessageKind, tag: Int = 0, at now: Instant) {
        grow(to: tag)
        if random.chance(options.loseRate) {
            lostCount += 1
            lost[tag] += 1
            return
        }
        let due = now + options.replyDelay(startedAt: startedAt, at: now, &random)
        let isLate = random.chance(options.reorderRate)
        // A message is never both late and doubled, so that each copy's fate stays plain.
        let isDoubled = random.chance(options.duplicateRate) && !isLate
        sockets[index].lane.put(Parcel(bytes: bytes, kind: kind, due: due, tag: tag, isLate: isLate, isAside: false))
        if isDoubled { sockets[index].lane.put(Parcel(bytes: bytes, kind: kind, due: due, tag: tag, isLate: false, isAside: true)) }
        advance(index, at: now)
    }

    /// Sends a message at once, past the outbox and its faults; it counts nowhere.
    mutating func send(_ index: Int, _ bytes: [UInt8], _ kind: MessageKind) {
        guard sockets[index].canSend else { return }
        output.add(.send(socket: index, output.raw(bytes), kind: kind))
    }

    /// Sends what of the outbox is due.
    mutating func advance(_ index: Int, at now: Instant) {
        while sockets[index].canSend {
            if sockets[index].next == nil {
                guard let (parcel, isOvertaken) = sockets[index].lane.takeNext(at: now) else { break }
                sockets[index].next = (parcel, isOvertaken)
            }
            guard let (parcel, isOvertaken) = sockets[index].next, parcel.due <= now else { break }
            sockets[index].next = nil
            deliver(parcel, isOvertaken, to: index)
            sockets[index].lane.ended(isAside: parcel.isAside, isShown: true, at: now)
        }
        arm(index)
    }

    private mutating func deliver(_ parcel: Parcel, _ isOvertaken: Bool, to index: Int) {
        output.add(.send(socket: index, output.raw(parcel.bytes), kind: parcel.kind))
        sockets[index].sent += 1
        sentCount += 1
        sent[parcel.tag] += 1
        if parcel.isAside { duplicatedCount += 1 }
        if isOvertaken { reorderedCount += 1 }
    }

    private mutating func grow(to tag: Int) {
        while sent.count <= tag {
            sent.append(0)
            lost.append(0)
        }
    }

    /// How many messages of a tag were sent and lost.
    func counts(tag: Int) -> (sent: Int, lost: Int) {
        tag < sent.count ? (sent[tag], lost[tag]) : (0, 0)
    }

    /// Writes what became of the messages.
    func write(_ key: String, to json: inout TotalsWriter) {
        json.object(key) { json in
            json.member("sent", sentCount)
            json.member("lost", lostCount)
            json.member("duplicated", duplicatedCount)
            json.member("reordered", reorderedCount)
        }
    }
}

extension GatewayOptions {
    /// A reply delay drawn from its range, longer the longer the gateway runs if that was asked for.
    func replyDelay(startedAt: Instant, at now: Instant, _ random: inout SeededRandom) -> Duration {
        let delay = random.duration(in: replyDelay)
        guard latencyDrift > 0, now > startedAt else { return delay }
        return delay * (1 + latencyDrift * (now - startedAt).inSeconds)
    }
}

extension GatewayOutput {
    /// Writes bytes as they are.
    mutating func raw(_ text: [UInt8]) -> Range<Int> {
        let start = bytes.count
        append(text)
        return start..<bytes.count
    }
}
