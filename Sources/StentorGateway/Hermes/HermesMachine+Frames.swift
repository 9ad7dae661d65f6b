import StentorBase
import StentorWire

/// What a device may send.
enum HermesFrameType {
    case hello, text, audio, media, prompt

    init?(_ t: JSONText, in bytes: UnsafeRawBufferPointer) {
        if t.equals("text", in: bytes) {
            self = .text
        } else if t.equals("media", in: bytes) {
            self = .media
        } else if t.equals("prompt", in: bytes) {
            self = .prompt
        } else if t.equals("audio", in: bytes) {
            self = .audio
        } else if t.equals("hello", in: bytes) {
            self = .hello
        } else {
            return nil
        }
    }

    /// The name on the wire.
    var name: String {
        switch self {
        case .hello: "hello"
        case .text: "text"
        case .audio: "audio"
        case .media: "media"
        case .prompt: "prompt"
        }
    }

    /// What its members must be.
    var rules: [HermesRule] {
        switch self {
        case .hello: HermesRule.hello
        case .text: HermesRule.text
        case .audio: HermesRule.audio
        case .media: HermesRule.media
        case .prompt: HermesRule.prompt
        }
    }
}

// Messages as they come, whole or in pieces.
extension HermesMachine {
    /// Takes a whole message.
    mutating func message(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant) {
        guard sockets[index].isHeard else { return }
        take(index, bytes, nil, isBinary: kind == .binary, at: now)
        arm(socket: index)
    }

    /// Begins a message that comes in pieces.
    mutating func messageBegan(_ index: Int, _ kind: MessageKind) {
        guard sockets[index].isHeard else { return }
        sockets[index].long = LongMessage(isBinary: kind == .binary, headLimit: options.messageLimit)
    }

    /// Takes a piece.
    mutating func messagePiece(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        guard let message = sockets[index].long else { return }
        let device = sockets[index].device
        message.take(bytes, &scratch) { Self.plan(head: $0, device) }
    }

    /// Ends a message that came in pieces.
    mutating func messageEnded(_ index: Int, at now: Instant) {
        guard let message = sockets[index].long else { return }
        sockets[index].long = nil
        let head = message.finish()
        head.withUnsafeBytes { take(index, $0, message.data, isBinary: message.isBinary, at: now) }
        arm(socket: index)
    }

    /// Says where the data of a message goes, from what stands before it. Without a known place it is kept.
    private static func plan(head: UnsafeRawBufferPointer, _ device: HermesDevice?) -> IncomingData {
        var fields = HermesFields()
        guard fields.read(head), let t = fields.text(.t), let type = HermesFrameType(t, in: head) else { return IncomingData(.memory([])) }
        if type == .audio { return IncomingData(.hash(SHA256Stream(), version: 0)) }
        guard type == .media else { return IncomingData(.nowhere) }
        guard let name = fields.string(.id, in: head), let part = fields.integer(.part) else { return IncomingData(.memory([])) }
        if let upload = device?.upload(name) { return IncomingData(upload.sink(for: part)) }
        return IncomingData(part == 0 ? .hash(SHA256Stream(), version: 0) : .memory([]))
    }

    /// Takes a message: `data` is what came of its `data` member if that was decoded on the way.
    private mutating func take(
        _ index: Int, _ bytes: UnsafeRawBufferPointer, _ data: consuming IncomingData?, isBinary: Bool, at now: Instant
    ) {
        if isBinary { violation(index, "binary_message") }
        guard fields.read(bytes), let t = fields.text(.t) else {
            // The text itself is not shown: it may hold a token.
            return violation(index, "malformed", "\(bytes.count) bytes")
        }
        let type = HermesFrameType(t, in: bytes)
        guard sockets[index].phase != .greeting else { return greet(index, type, in: bytes, at: now) }
        guard let device = sockets[index].device else { preconditionFailure("HermesMachine: a frame without a device") }
        guard let type else { return violation(index, "unknown_t", t.string(in: bytes)) }
        guard sockets[index].phase == .ready || type == .hello else { return violation(index, "before_ready", type.name) }
        if let sending = device.sending, type != .media || fields.string(.id, in: bytes) != sending {
            violation(index, "not_back_to_back", type.name)
            device.sending = nil
        }
        if type == .hello { return helloAgain(index, of: device, in: bytes) }
        for wrong in fields.check(type.rules, in: bytes) { violation(index, wrong.kind, type.name + "." + wrong.field) }
        switch type {
        case .hello: break
        case .text: takeText(index, of: device, in: bytes, at: now)
        case .audio: takeAudio(index, of: device, in: bytes, data, at: now)
        case .media: takePart(index, of: device, in: bytes, data, at: now)
        case .prompt: takeAnswer(index, of: device, in: bytes, at: now)
        }
        settle(device, at: now)
    }

    /// Decodes the `data` of the frame being read, unless that was done on the way.
    mutating func incomingData(_ sink: @autoclosure () -> Upload.Sink, in bytes: UnsafeRawBufferPointer) -> IncomingData {
        var data = IncomingData(sink())
        fields.text(.data)?.unescapedRuns(in: bytes) { run in
            data.take(run, &scratch)
            return true
        }
        return data
    }

    /// Notes the id of a new text or file: it must be a UUID not used before.
    mutating func noteID(_ index: Int, of device: HermesDevice, in bytes: UnsafeRawBufferPointer) {
        let id = fields.text(.id)
        if let id, !id.isEscaped {
            return noteID(index, of: device, UnsafeRawBufferPointer(rebasing: bytes[id.range]))
        }
        var unescaped: [UInt8] = []
        id?.append(to: &unescaped, in: bytes)
        unescaped.withUnsafeBytes { noteID(index, of: device, $0) }
    }

    private mutating func noteID(_ index: Int, of device: HermesDevice, _ id: UnsafeRawBufferPointer) {
        if !UUIDBits.isUUID(id) { violation(index, "id_not_uuid", String(decoding: id, as: UTF8.self)) }
        if !device.ids.insert(id) { violation(index, "id_reused", String(decoding: id, as: UTF8.self)) }
    }
}
