import StentorBase

/// Reads the frames of one WebSocket connection, for either side (RFC 6455 §§ 5–8).
///
/// Does no I/O and keeps no data payload.
///
///     header ──▶ payload ──▶ header …        one data frame
///     header ──▶ control ──▶ header          ping, pong
///     header ──▶ control ──▶ ended           close; all later bytes are ignored
///     any    ──▶ ended                       the peer broke a rule
///
/// The driver hands over each read, calls ``next(in:from:at:)`` until it answers `needBytes`, and may then forget the bytes: what is
/// needed later (at most 14 header bytes or 125 control bytes) is held here. Data frames cost no allocation.
public struct WebSocketMachine: ~Copyable {
    /// Which side this is.
    public enum Role: Sendable {
        /// We dialled: the peer's frames must not be masked.
        case client
        /// We accepted: the peer's frames must be masked.
        case server
    }

    /// What the driver does next.
    ///
    /// Ranges count from the start of the buffer given to ``WebSocketMachine/next(in:from:at:)``.
    public enum Action: Equatable, Sendable {
        /// Every byte is consumed: read more.
        case needBytes
        /// A whole message of one frame lies in the buffer; text is valid UTF-8. May be empty.
        case message(MessageKind, Range<Int>)
        /// A message starts that comes in pieces: any number of `payload`, then `end`, with pings, pongs or a close in between.
        case begin(MessageKind)
        /// The next piece of the message, never empty; text is valid so far, though a character may be cut at the end.
        case payload(Range<Int>)
        /// The message is complete.
        case end
        /// A ping: answer with a pong of the same payload unless a close was sent.
        case ping([UInt8])
        /// A pong.
        case pong([UInt8])
        /// The peer closes; nothing else follows. `code` nil: none was given. Send a close frame if `mustReply`, then call ``closeSent(at:)``.
        case close(code: UInt16?, reason: String, mustReply: Bool)
        /// The peer broke a rule; nothing else follows, and a message begun is void. Send a close frame with this code unless one was sent.
        case fail(WebSocketFailure)
    }

    private enum State {
        case header
        case payload
        case control
        case ended
    }

    private let role: Role
    private let messageLimitBytes: Int
    private let closeTimeout: Duration
    private var state = State.header

    private var held = InlineArray<14, UInt8>(repeating: 0)
    private var heldCount = 0
    private var frame = FrameHeader(opcode: .continuation, isFinal: true, payloadBytes: 0, maskKey: 0)
    /// Payload bytes of the current frame that have not come yet.
    private var remaining = 0
    /// The kind of the message that is open; nil between messages.
    private var message: MessageKind?
    /// Sum of the declared lengths of the open message's frames so far.
    private var messageBytes = 0
    private var isAnnounced = false
    private var validator = UTF8Validator()
    private var control: [UInt8] = []

    /// When to give up waiting for the peer and cut the connection: fixed by the first close sent or received, or by a failure; nil before.
    public private(set) var closeDeadline: Instant?
    private var hasSentClose = false
    private var hasReceivedClose = false
    private var hasFailed = false

    /// Makes the machine of a connection whose handshake is done.
    ///
    /// - Parameters:
    ///   - messageLimitBytes: Longest message taken, over all its fragments; a longer one fails with 1009 as soon as it is declared. Default 16 MiB.
    ///   - closeTimeout: From the first close to ``closeDeadline``. Default 5 s.
    public init(role: Role, messageLimitBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5)) {
        precondition(messageLimitBytes >= 0, "WebSocketMachine: negative message limit")
        self.role = role
        self.messageLimitBytes = messageLimitBytes
        self.closeTimeout = closeTimeout
    }

    /// Whether a close was sent or received, or the peer broke a rule: no data may be sent any more.
    public var isClosing: Bool { hasSentClose || hasReceivedClose || hasFailed }

    /// Whether nothing is left to exchange: our close is sent, and the peer's has come or is no longer awaited.
    ///
    /// The server then ends the TCP connection at once; the client waits for that until ``closeDeadline`` (RFC 6455 § 7.1.1).
    public var isClosed: Bool { hasSentClose && (hasReceivedClose || hasFailed) }

    /// Notes that we sent a close frame: after it no data may be sent.
    ///
    /// Messages of the peer still come until its close.
    public mutating func closeSent(at now: Instant) {
        hasSentClose = true
        startClosing(at: now)
    }

    /// Looks at `bytes[offset...]`, gives the next thing to do, and moves `offset` past what it consumed.
    ///
    /// In the server role payloads are unmasked in place, so the bytes must not be handed over twice.
    ///
    /// - Returns: `needBytes` once all of `bytes` is consumed; after a close or a failure always.
    public mutating func next(in bytes: UnsafeMutableRawBufferPointer, from offset: inout Int, at now: Instant) -> Action {
        precondition(offset >= 0 && offset <= bytes.count, "WebSocketMachine: offset outside of the buffer")
        while true {
            switch state {
            case .header:
                switch readHeader(in: UnsafeRawBufferPointer(bytes), from: &offset) {
                case .incomplete: return .needBytes
                case .broken(let failure): return fail(failure, at: now)
                case .complete(let header, _):
                    if let failure = admit(header) { return fail(failure, at: now) }
                }
            case .payload:
                if let action = readPayload(in: bytes, from: &offset, at: now) { return action }
            case .control:
                return readControl(in: UnsafeRawBufferPointer(bytes), from: &offset, at: now)
            case .ended:
                offset = bytes.count
                return .needBytes
            }
        }
    }

    // MARK: Headers

    private mutating func readHeader(in bytes: UnsafeRawBufferPointer, from offset: inout Int) -> FrameHeader.Reading {
        if heldCount == 0 {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            let reading = FrameHeader.read(rest, expectsMask: role == .server)
            switch reading {
            case .complete(_, let headerBytes): offset += headerBytes
            case .broken: break
            case .incomplete:
                for byte in rest { hold(byte) }
                offset = bytes.count
            }
            return reading
        }
        while offset < bytes.count {
            hold(bytes[offset])
            offset += 1
            let reading = withUnsafeBytes(of: &held) {
                FrameHeader.read(UnsafeRawBufferPointer(rebasing: $0[..<heldCount]), expectsMask: role == .server)
            }
            if case .incomplete = reading { continue }
            heldCount = 0
            return reading
        }
        return .incomplete
    }

    private mutating func hold(_ byte: UInt8) {
        held[heldCount] = byte
        heldCount += 1
    }

    /// Checks a header against the message around it, and starts its frame.
    private mutating func admit(_ header: FrameHeader) -> WebSocketFailure? {
        frame = header
        remaining = header.payloadBytes
        if header.opcode.isControl {
            state = .control
            control.reserveCapacity(remaining)
            return nil
        }
        if header.opcode == .continuation {
            guard message != nil else { return .violation("continuation without a message") }
        } else {
            guard message == nil else { return .violation("new message inside a fragmented one") }
            message = header.opcode == .text ? .text : .binary
            messageBytes = 0
            isAnnounced = false
            validator = UTF8Validator()
        }
        guard header.payloadBytes <= messageLimitBytes - messageBytes else { return .tooBig }
        messageBytes += header.payloadBytes
        state = .payload
        return nil
    }

    // MARK: Data

    /// The next action of a data frame; nil when the frame is done and its message goes on.
    private mutating func readPayload(
        in bytes: UnsafeMutableRawBufferPointer, from offset: inout Int, at now: Instant
    ) -> Action? {
        guard let kind = message else { preconditionFailure("WebSocketMachine: payload without a message") }
        let available = min(remaining, bytes.count - offset)
        let isWhole = available == remaining
        if !isAnnounced, !(isWhole && frame.isFinal) {
            // Many peers write header and payload apart: a header alone does not yet make the message one that comes in pieces.
            if available == 0, !isWhole { return .needBytes }
            isAnnounced = true
            return .begin(kind)
        }
        if available > 0 || !isAnnounced {
            let range = offset..<(offset + available)
            offset += available
            guard take(range, of: bytes, kind), isAnnounced || endsWell(kind) else { return fail(.textNotUTF8, at: now) }
            if isAnnounced { return .payload(range) }
            finishMessage()
            return .message(kind, range)
        }
        guard isWhole else { return .needBytes }
        state = .header
        guard frame.isFinal else { return nil }
        guard endsWell(kind) else { return fail(.textNotUTF8, at: now) }
        finishMessage()
        return .end
    }

    /// Unmasks and checks a piece of payload; false when it cannot be text.
    private mutating func take(_ range: Range<Int>, of bytes: UnsafeMutableRawBufferPointer, _ kind: MessageKind) -> Bool {
        let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
        if role == .server {
            let phase = frame.payloadBytes - remaining
            WebSocketFrames.mask(UnsafeRawBufferPointer(piece), into: piece, key: frame.maskKey, phase: phase)
        }
        remaining -= range.count
        return kind == .binary || validator.feed(UnsafeRawBufferPointer(piece))
    }

    private func endsWell(_ kind: MessageKind) -> Bool {
        kind == .binary || validator.finish()
    }

    private mutating func finishMessage() {
        message = nil
        state = .header
    }

    // MARK: Control frames and the end

    private mutating func readControl(in bytes: UnsafeRawBufferPointer, from offset: inout Int, at now: Instant) -> Action {
        let available = min(remaining, bytes.count - offset)
        control.append(contentsOf: bytes[offset..<(offset + available)])
        offset += available
        remaining -= available
        guard remaining == 0 else { return .needBytes }
        var payload: [UInt8] = []
        swap(&payload, &control)
        let key = frame.maskKey
        payload.withUnsafeMutableBytes { WebSocketFrames.mask(UnsafeRawBufferPointer($0), into: $0, key: key, phase: 0) }
        state = .header
        switch frame.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        case .close: return receiveClose(payload, at: now)
        case .continuation, .text, .binary: preconditionFailure("WebSocketMachine: data frame in control")
        }
    }

    private mutating func receiveClose(_ payload: [UInt8], at now: Instant) -> Action {
        switch WebSocketCloseCode.read(payload) {
        case .failure(let failure): return fail(failure, at: now)
        case .success(let (code, reason)):
            hasReceivedClose = true
            state = .ended
            startClosing(at: now)
            return .close(code: code, reason: reason, mustReply: !hasSentClose)
        }
    }

    private mutating func fail(_ failure: WebSocketFailure, at now: Instant) -> Action {
        hasFailed = true
        state = .ended
        message = nil
        startClosing(at: now)
        return .fail(failure)
    }

    private mutating func startClosing(at now: Instant) {
        if closeDeadline == nil { closeDeadline = now + closeTimeout }
    }
}
