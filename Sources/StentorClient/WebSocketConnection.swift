import StentorBase
import StentorLoop
import StentorWire

/// One WebSocket connection of a device: dial, upgrade, messages, close. Loop thread only.
///
///     open(…) ──▶ upgrading ──▶ open ──▶ closing ──▶ ended
///
/// A message of one frame that lies whole in the read buffer is handed over where it lies; one that comes in pieces is put together while it is
/// small, and streamed to the handler past ``assemblyLimitBytes``. Nothing is queued for the handler: it consumes at once or pauses reading.
public final class WebSocketConnection {
    /// Up to this many bytes a message in pieces is put together; a longer one is streamed.
    public static let assemblyLimitBytes = 16 * 1024

    private enum State {
        case dialling
        case upgrading
        case open
        case closing
        case ended
    }

    private let context: ClientContext
    private var handler: (any ConnectionHandler)?
    private var state = State.dialling
    private var dial: Dial?
    private var stream: ByteStream?
    private var opening: Opening?
    private var machine: WebSocketMachine
    private var assembly: [UInt8] = []
    private var assemblyKind: MessageKind?
    private var isStreaming = false
    private var closeTimer: LoopTimer?

    /// How long the parts of the dial took.
    public private(set) var times = DialTimes()
    /// From the upgrade request to its answer, in nanoseconds; nil before.
    public private(set) var upgradeNanoseconds: Int64?

    /// Makes a connection that has not dialled.
    ///
    /// - Parameters:
    ///   - handler: Kept until the connection ends.
    ///   - messageLimitBytes: A longer message ends the connection with 1009. Default 16 MiB.
    ///   - closeTimeout: How long a close waits for its answer, and then for the end of the stream, together. Default 5 s.
    public init(
        context: ClientContext, handler: any ConnectionHandler, messageLimitBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5)
    ) {
        self.context = context
        self.handler = handler
        machine = WebSocketMachine(role: .client, messageLimitBytes: messageLimitBytes, closeTimeout: closeTimeout)
    }

    /// Whether messages can be sent.
    public var isOpen: Bool { if case .open = state { true } else { false } }
    /// Bytes sent that the kernel has not taken yet.
    public var backlogBytes: Int { stream?.backlogBytes ?? 0 }

    /// The part of ``backlogBytes`` that lies in memory of this connection, not in shared payloads.
    public var copiedBacklogBytes: Int { stream?.copiedBacklogBytes ?? 0 }

    // MARK: - Opening

    /// What a connection asks for.
    public struct Request: Sendable {
        /// Where to dial.
        public let target: DialTarget
        /// Path and query. Holds the token: never printed.
        public let path: String
        /// The `Host` header.
        public let host: String
        /// More headers.
        public let headers: [(String, String)]

        /// Makes a request.
        public init(target: DialTarget, path: String, host: String, headers: [(String, String)]) {
            self.target = target
            self.path = path
            self.host = host
            self.headers = headers
        }
    }

    /// Dials and upgrades. To be called once.
    ///
    /// - Parameters:
    ///   - index: Chooses the source address.
    ///   - deadline: For all of it.
    ///   - upgrading: Called when TCP and TLS are done and the request goes out.
    ///   - completion: Called once, perhaps before this returns; nil after success, right before ``ConnectionHandler/connectionOpened(_:)``.
    ///     Nothing stays open after a failure.
    public func open(
        _ request: Request, index: Int, until deadline: Instant, upgrading: @escaping () -> Void = {},
        completion: @escaping (DialFailure?) -> Void
    ) {
        guard case .dialling = state else { return completion(DialFailure(.cancelled, "the device left")) }
        let dial = Dial(loop: context.loop, resolver: context.resolver, target: request.target, index: index)
        self.dial = dial
        opening = Opening(completion: completion)
        dial.start(until: deadline) { [self] outcome in
            times = dial.times
            self.dial = nil
            switch outcome {
            case .failure(let failure): opened(failure)
            case .success(let stream):
                guard case .dialling = state else {
                    stream.close()
                    return opened(DialFailure(.cancelled, "the device left"))
                }
                upgrading()
                requestUpgrade(request, on: stream, until: deadline)
            }
        }
    }

    /// Dials and upgrades, and waits for it; see ``open(_:index:until:upgrading:completion:)``.
    ///
    /// - Throws: ``DialFailure``.
    public func open(_ request: Request, index: Int, until deadline: Instant) async throws(DialFailure) {
        let promise = LoopPromise<DialFailure?>(context.loop)
        open(request, index: index, until: deadline) { promise.fulfil($0) }
        if let failure = await promise.value(until: .distantFuture) ?? nil { throw failure }
    }

    /// What is needed only until the connection is open.
    private final class Opening {
        let completion: (DialFailure?) -> Void
        var handshake: WebSocketClientHandshake?
        var timer: LoopTimer?
        var began = Instant.distantPast

        init(completion: @escaping (DialFailure?) -> Void) {
            self.completion = completion
        }
    }

    private func requestUpgrade(_ request: Request, on stream: ByteStream, until deadline: Instant) {
        guard let opening else { return stream.close() }
        let nonce = context.loop.secureRandom.bytes(16)
        self.stream = stream
        state = .upgrading
        opening.began = .now()
        let timer = LoopTimer { [self] in opened(DialFailure(.upgradeTimeout, "the upgrade was not answered in time")) }
        opening.timer = timer
        context.loop.schedule(timer, at: deadline)
        do throws(UserFailure) {
            let handshake = try WebSocketClientHandshake(target: request.path, host: request.host, headers: request.headers, nonce: nonce)
            let bytes = handshake.request
            opening.handshake = consume handshake
            do throws(SystemFailure) { try stream.attach(self) } catch { return opened(Self.failure(of: error)) }
            stream.write(bytes)
        } catch {
            opened(DialFailure(.badUpgrade, error.message))
        }
    }

    /// The dial or the upgrade is over; nil: the connection is open.
    private func opened(_ failure: DialFailure?) {
        guard let opening = opening.take() else { return }
        if let timer = opening.timer { context.loop.cancel(timer) }
        opening.timer = nil
        if failure != nil {
            state = .ended
            handler = nil
            stream?.close()
            stream = nil
        } else {
            state = .open
            upgradeNanoseconds = context.loop.now.nanoseconds(since: opening.began)
        }
        opening.completion(failure)
    }

    private static func failure(of error: SystemFailure) -> DialFailure {
        DialFailure(.descriptorsExhausted, error.description)
    }

    private func answerReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let outcome = opening?.handshake?.next(UnsafeRawBufferPointer(bytes)) else { return }
        switch outcome {
        case .needBytes: break
        case .upgraded(let consumed):
            opened(nil)
            handler?.connectionOpened(self)
            framesReceived(UnsafeMutableRawBufferPointer(rebasing: bytes[consumed...]))
        case .refused(let status, let retryAfterSeconds, _):
            let cause: DialCause = status == 401 || status == 403 ? .refusedByServer : .httpStatus
            opened(DialFailure(cause, "HTTP status \(status)", httpStatus: status, retryAfterSeconds: retryAfterSeconds))
        case .failed(let cause, let text): opened(DialFailure(cause, text))
        }
    }

    // MARK: - Sending

    /// Sends a message in one frame, masked with a fresh key. Does nothing unless the connection is open.
    public func send(_ kind: MessageKind, _ payload: UnsafeRawBufferPointer) {
        guard case .open = state else { return }
        context.traffic.messagesSent += 1
        writeFrame(kind == .text ? .text : .binary, payload)
    }

    /// Sends a message in one frame, masked with a fresh key. Does nothing unless the connection is open.
    public func send(_ kind: MessageKind, _ payload: [UInt8]) {
        payload.withUnsafeBytes { send(kind, $0) }
    }

    /// Sends `prefix`, a part of a shared payload and `suffix` as one message in one frame; the payload is masked on its way out, never copied whole.
    ///
    /// - Parameter prefixQueued: Called between prefix and payload: the place for a mark that tells when the message began to go out.
    public func send(
        _ kind: MessageKind, prefix: [UInt8], _ payload: SharedPayload, range: Range<Int>, suffix: [UInt8],
        prefixQueued: () -> Void = {}
    ) {
        guard case .open = state, let stream else { return }
        let key = context.loop.secureRandom.nextUInt32()
        let count = prefix.count + range.count + suffix.count
        context.traffic.messagesSent += 1
        context.traffic.bytesSent += count + WebSocketFrames.headerBytes(payloadBytes: count, isMasked: true)
        startFrame(kind == .text ? .text : .binary, payloadBytes: count, key: key)
        prefix.withUnsafeBytes { appendMasked($0, key: key, phase: 0) }
        stream.write(context.frame)
        prefixQueued()
        let phase = prefix.count
        stream.write(payload, range: range) { source, target, done in
            WebSocketFrames.mask(source, into: target, key: key, phase: phase + done)
        }
        context.frame.removeAll(keepingCapacity: true)
        suffix.withUnsafeBytes { appendMasked($0, key: key, phase: phase + range.count) }
        stream.write(context.frame)
    }

    /// Asks for ``ConnectionHandler/sent(mark:)`` once all that was sent so far is with the kernel.
    public func mark(_ value: UInt64) {
        stream?.mark(value)
    }

    /// Sends a ping; at most 125 bytes.
    public func ping(_ payload: [UInt8]) {
        guard case .open = state else { return }
        payload.withUnsafeBytes { writeFrame(.ping, $0) }
    }

    private func writeFrame(_ opcode: WebSocketFrames.Opcode, _ payload: UnsafeRawBufferPointer) {
        let key = context.loop.secureRandom.nextUInt32()
        startFrame(opcode, payloadBytes: payload.count, key: key)
        appendMasked(payload, key: key, phase: 0)
        context.traffic.bytesSent += context.frame.count
        stream?.write(context.frame)
    }

    private func startFrame(_ opcode: WebSocketFrames.Opcode, payloadBytes: Int, key: UInt32) {
        context.frame.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(byteCount: WebSocketFrames.headerLimitBytes, alignment: 8) { header in
            let count = WebSocketFrames.writeHeader(opcode, payloadBytes: payloadBytes, maskKey: key, into: header)
            context.frame.append(contentsOf: header[..<count])
        }
    }

    private func appendMasked(_ bytes: UnsafeRawBufferPointer, key: UInt32, phase: Int) {
        let start = context.frame.count
        context.frame.append(contentsOf: bytes)
        context.frame.withUnsafeMutableBytes { frame in
            let target = UnsafeMutableRawBufferPointer(rebasing: frame[start...])
            WebSocketFrames.mask(UnsafeRawBufferPointer(target), into: target, key: key, phase: phase)
        }
    }

    // MARK: - Receiving

    /// Stops reading from the socket.
    public func pauseReading() { stream?.pauseReading() }
    /// Reads again.
    public func resumeReading() { stream?.resumeReading() }
    /// Reads no more than so many bytes a second; TCP holds the peer back.
    public func limitReading(bytesPerSecond: Int) { stream?.limitReading(bytesPerSecond: bytesPerSecond) }
    /// Plays dead: nothing is read, written or seen until ``goOn()``, ``reset()`` or ``abandon()``; what is sent meanwhile waits.
    public func hold() { stream?.hold() }
    /// Comes back to life after ``hold()``.
    public func goOn() { stream?.goOn() }

    private func framesReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        context.traffic.bytesReceived += bytes.count
        var offset = 0
        while !isEnded {
            switch machine.next(in: bytes, from: &offset, at: context.loop.now) {
            case .needBytes: return
            case .message(let kind, let range):
                context.traffic.messagesReceived += 1
                handler?.messageReceived(kind, UnsafeRawBufferPointer(rebasing: bytes[range]))
            case .begin(let kind): assemblyKind = kind
            case .payload(let range): pieceReceived(UnsafeRawBufferPointer(rebasing: bytes[range]))
            case .end: messageComplete()
            case .ping(let payload): if case .open = state { payload.withUnsafeBytes { writeFrame(.pong, $0) } }
            case .pong(let payload): handler?.pongReceived(payload)
            case .close(let code, let reason, let mustReply): closeReceived(code, reason, mustReply: mustReply)
            case .fail(let failure): violated(failure)
            }
        }
    }

    private var isEnded: Bool { if case .ended = state { true } else { false } }

    private func pieceReceived(_ piece: UnsafeRawBufferPointer) {
        if isStreaming {
            handler?.messagePieceReceived(piece)
            return
        }
        assembly.append(contentsOf: piece)
        guard assembly.count > Self.assemblyLimitBytes, let kind = assemblyKind else { return }
        isStreaming = true
        handler?.messageBegan(kind)
        let bytes = assembly
        assembly = []
        bytes.withUnsafeBytes { handler?.messagePieceReceived($0) }
    }

    private func messageComplete() {
        guard let kind = assemblyKind else { return }
        context.traffic.messagesReceived += 1
        assemblyKind = nil
        if isStreaming {
            isStreaming = false
            handler?.messageEnded()
        } else {
            let bytes = assembly
            assembly = []
            bytes.withUnsafeBytes { handler?.messageReceived(kind, $0) }
        }
    }

    // MARK: - Closing

    /// Sends a close frame; messages of the server still come until its answer, which ends the connection, at most the close timeout later.
    public func close(code: UInt16, reason: String = "") {
        guard case .open = state else { return }
        WebSocketFrames.closePayload(code: code, reason: reason).withUnsafeBytes { writeFrame(.close, $0) }
        machine.closeSent(at: context.loop.now)
        state = .closing
        armCloseTimer()
    }

    /// Cuts the connection with an RST, whatever is in flight; the handler hears nothing more.
    public func reset() {
        abandon { $0.reset() }
    }

    /// Gives up: a dial under way throws ``DialCause/cancelled``, an open connection is closed without a close frame; the handler hears nothing more.
    public func abandon() {
        abandon { $0.close() }
    }

    private func abandon(_ close: (ByteStream) -> Void) {
        guard !isEnded else { return }
        if opening != nil {
            dial?.cancel()
            return opened(DialFailure(.cancelled, "the device left"))
        }
        state = .ended
        handler = nil
        cancelTimer()
        if let stream { close(stream) }
    }

    private func closeReceived(_ code: UInt16?, _ reason: String, mustReply: Bool) {
        if mustReply {
            WebSocketFrames.closePayload(code: code, reason: "").withUnsafeBytes { writeFrame(.close, $0) }
            machine.closeSent(at: context.loop.now)
            end(.closedByServer(code: code, reason: reason), linger: true)
        } else {
            end(.closed(code: code), linger: true)
        }
    }

    private func violated(_ failure: WebSocketFailure) {
        if case .open = state {
            WebSocketFrames.closePayload(code: failure.closeCode, reason: failure.reason).withUnsafeBytes { writeFrame(.close, $0) }
            machine.closeSent(at: context.loop.now)
        }
        end(.protocolViolation(failure), linger: true)
    }

    /// Tells the handler; lingering means that the server is to close the stream first (RFC 6455 § 7.1.1), until the close deadline.
    private func end(_ end: ConnectionEnd, linger: Bool) {
        guard !isEnded else { return }
        state = .ended
        let handler = handler
        self.handler = nil
        if linger, stream?.isOpen == true { armCloseTimer() } else { finishStream() }
        handler?.connectionEnded(end)
    }

    private func armCloseTimer() {
        guard let deadline = machine.closeDeadline else { return }
        let timer = closeTimer ?? LoopTimer { [self] in closeTimerFired() }
        closeTimer = timer
        context.loop.schedule(timer, at: deadline)
    }

    private func closeTimerFired() {
        stream?.close()
        if !isEnded { end(.closeTimedOut, linger: false) } else { finishStream() }
    }

    private func cancelTimer() {
        if let closeTimer { context.loop.cancel(closeTimer) }
        closeTimer = nil
    }

    private func finishStream() {
        cancelTimer()
        stream?.close()
        stream = nil
    }
}

extension WebSocketConnection: StreamHandler {
    /// Bytes of the answer to the upgrade, or of frames.
    public func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        switch state {
        case .dialling, .upgrading: answerReceived(bytes)
        case .open, .closing: framesReceived(bytes)
        case .ended: break
        }
    }

    /// A mark was reached.
    public func streamWrote(_ mark: UInt64) {
        handler?.sent(mark: mark)
    }

    /// The stream ended without us.
    public func streamEnded(_ streamEnd: StreamEnd) {
        switch state {
        case .dialling, .upgrading: opened(DialFailure(.closed, "the peer closed the connection before it answered the upgrade"))
        case .open: end(.lost(streamEnd), linger: false)
        case .closing: end(streamEnd == .endOfStream ? .closed(code: nil) : .lost(streamEnd), linger: false)
        case .ended: finishStream()
        }
    }
}
