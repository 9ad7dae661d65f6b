import StentorBase
import StentorLoop
import StentorWire

/// A handshake is needed once and is larger than the rest of a connection, so it lives apart.
private final class RequestBox {
    var handshake = WebSocketServerHandshake()
}

/// One connection of the gateway: a request, then perhaps a WebSocket. Does the I/O that the core asks for, and nothing by itself but RFC 6455.
///
///     request ──upgrade──▶ open ──both closes──▶ draining ──end of stream, or too long──▶ over
///     request ──any other request──▶ draining
final class GatewayConnection<Machine: GatewayMachine & ~Copyable>: StreamHandler {
    /// Its place in the core; nil before the upgrade.
    private(set) var index: Int?

    private unowned let gateway: GatewayServer<Machine>
    private let stream: GatewayStream
    private var request: RequestBox?
    private var wire: WebSocketMachine
    private var timer: LoopTimer?
    /// When to cut the connection whatever happens: a request that does not come, a peer that does not end.
    private var cutAt: Instant?
    private var isHoldingBack = false
    private var isSilent = false

    /// The longest wait for the end of a stream after the last byte.
    private static var endPatience: Duration { .seconds(2) }
    private static var responseMark: UInt64 { 1 }
    private static var backlogMark: UInt64 { 2 }

    /// Takes an accepted stream; call ``begin()`` next.
    init(_ gateway: GatewayServer<Machine>, _ stream: ByteStream) {
        self.gateway = gateway
        self.stream = GatewayStream(stream, bytesPerSecond: gateway.options.slowWrites)
        request = RequestBox()
        wire = WebSocketMachine(role: .server, messageLimitBytes: gateway.options.messageLimit, closeTimeout: Self.endPatience)
    }

    /// Begins to read.
    func begin() {
        do throws(SystemFailure) {
            try stream.attach(self)
            cut(at: gateway.loop.now + gateway.requestPatience)
        } catch {
            cut()
        }
    }

    // MARK: StreamHandler

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        if let request {
            guard let consumed = answer(request, UnsafeRawBufferPointer(bytes)) else { return }
            offset = consumed
        }
        guard let index else { return }
        readFrames(bytes, from: offset, index)
    }

    func streamWrote(_ mark: UInt64) {
        if mark == Self.responseMark { return cut(at: gateway.loop.now + Self.endPatience) }
        guard isHoldingBack else { return }
        isHoldingBack = false
        if !isSilent { stream.resumeReading() }
    }

    func streamEnded(_ end: StreamEnd) {
        over()
    }

    // MARK: The request

    /// Answers a request once its head is complete; gives how much of the piece that took if frames follow.
    private func answer(_ request: RequestBox, _ bytes: UnsafeRawBufferPointer) -> Int? {
        switch request.handshake.next(bytes) {
        case .needBytes:
            return nil
        case .upgrade(let head, let consumed):
            defer { gateway.perform() }
            switch gateway.core.judgeUpgrade(path: head.path, query: QueryString.items(of: head.target)) {
            case .accept(let tokens):
                stream.write(request.handshake.accept())
                self.request = nil
                cancelCut()
                index = gateway.opened(self, tokens: tokens)
                return consumed
            case .refuse(let status):
                respond(request.handshake.rejection(status: status, reason: status == 404 ? "not here" : "no"))
                return nil
            }
        case .plain(let head, _):
            guard let (photo, shared) = gateway.download(head.path) else {
                respond(request.handshake.rejection(status: 404, reason: "not here"))
                return nil
            }
            send(photo, shared, omitsBody: head.method == "HEAD")
        case .reject(let status, let reason):
            respond(request.handshake.rejection(status: status, reason: reason))
        }
        return nil
    }

    private func respond(_ response: [UInt8]) {
        request = nil
        cancelCut()
        stream.write(response)
        stream.mark(Self.responseMark)
        stream.finish()
    }

    private func send(_ photo: PhotoSource.Photo, _ shared: SharedPayload, omitsBody: Bool) {
        let fields = HTTPFields([("Content-Type", "image/jpeg"), ("Content-Length", String(photo.length)), ("Connection", "close")])
        stream.write(HTTPResponse(status: 200, fields: fields, body: nil).bytes())
        guard !omitsBody else { return respond([]) }
        var left = photo.sharedBytes
        while left > 0 {
            let count = min(left, shared.count)
            stream.write(shared, range: 0..<count)
            left -= count
        }
        respond((photo.sharedBytes..<photo.length).map(photo.tailByte))
    }

    // MARK: Frames

    private func readFrames(_ bytes: UnsafeMutableRawBufferPointer, from start: Int, _ index: Int) {
        var offset = start
        let now = gateway.loop.now
        while stream.isOpen, !isSilent {
            switch wire.next(in: bytes, from: &offset, at: now) {
            case .needBytes:
                return
            case .message(let kind, let range):
                gateway.core.message(index, kind, UnsafeRawBufferPointer(rebasing: bytes[range]), at: now)
            case .begin(let kind):
                gateway.core.messageBegan(index, kind)
            case .payload(let range):
                gateway.core.messagePiece(index, UnsafeRawBufferPointer(rebasing: bytes[range]))
            case .end:
                gateway.core.messageEnded(index, at: now)
            case .ping(let payload):
                if !wire.isClosing { write(.pong, payload) }
            case .pong:
                gateway.core.pong(index)
            case .close(let code, _, let mustReply):
                gateway.core.closeReceived(index, code: code, at: now)
                if mustReply { sendClose(code, "") }
                finish()
            case .fail(let failure):
                gateway.core.failed(index, failure, at: now)
                sendClose(failure.closeCode, failure.reason)
                finish()
            }
            gateway.perform()
        }
    }

    /// Ends our side; the peer's end is awaited, so that it can read our close frame before the connection is gone.
    private func finish() {
        stream.finish()
        if let deadline = wire.closeDeadline { cut(at: deadline) }
    }

    // MARK: Commands of the core

    /// Sends a message of one frame.
    func send(_ payload: UnsafeRawBufferPointer, _ kind: MessageKind?) {
        writeHeader(payload.count, kind)
        stream.write(payload)
        holdBackIfNeeded()
    }

    /// Sends a message of three pieces, the middle one by reference.
    func send(_ head: UnsafeRawBufferPointer, _ shared: SharedPayload, _ range: Range<Int>, _ tail: UnsafeRawBufferPointer) {
        writeHeader(head.count + range.count + tail.count)
        stream.write(head)
        if !range.isEmpty { stream.write(shared, range: range) }
        stream.write(tail)
        holdBackIfNeeded()
    }

    /// Sends a ping.
    func ping() {
        if !wire.isClosing { write(.ping, [UInt8]("stentor".utf8)) }
    }

    /// Sends a close frame and gives the peer some time to answer it.
    func close(_ code: UInt16, _ reason: String) {
        sendClose(code, reason)
        if let deadline = wire.closeDeadline { cut(at: deadline) }
    }

    /// Cuts the connection with an RST.
    func reset() {
        guard stream.isOpen else { return }
        stream.reset()
        over()
    }

    /// Closes the connection at once.
    func cut() {
        guard stream.isOpen else { return }
        stream.close()
        over()
    }

    /// Plays dead.
    func fallSilent() {
        isSilent = true
        stream.pauseReading()
        if let timer { gateway.loop.cancel(timer) }
    }

    /// Wakes the core for this connection at an instant or earlier.
    func wake(at deadline: Instant) {
        let timer = self.timer ?? LoopTimer { [unowned self] in timeCame() }
        self.timer = timer
        if let scheduled = timer.deadline, scheduled <= deadline { return }
        gateway.loop.schedule(timer, at: deadline)
    }

    // MARK: Private

    private func cut(at deadline: Instant) {
        cutAt = deadline
        wake(at: deadline)
    }

    private func cancelCut() {
        cutAt = nil
        if let timer { gateway.loop.cancel(timer) }
    }

    private func timeCame() {
        let now = gateway.loop.now
        if let cutAt, cutAt <= now { return cut() }
        if let index {
            gateway.core.socketDue(index, at: now)
            gateway.perform()
        }
        if let cutAt, stream.isOpen { wake(at: cutAt) }
    }

    private func over() {
        if let timer { gateway.loop.cancel(timer) }
        timer = nil
        stream.ended()
        gateway.ended(self)
    }

    private func sendClose(_ code: UInt16?, _ reason: String) {
        write(.close, WebSocketFrames.closePayload(code: code, reason: reason))
        wire.closeSent(at: gateway.loop.now)
    }

    private func write(_ opcode: WebSocketFrames.Opcode, _ payload: [UInt8]) {
        stream.write(WebSocketFrames.frame(opcode, payload: payload, maskKey: nil))
    }

    private func writeHeader(_ payloadBytes: Int, _ kind: MessageKind? = nil) {
        withUnsafeTemporaryAllocation(byteCount: WebSocketFrames.headerLimitBytes, alignment: 8) { header in
            let isBinary = kind.map { $0 == .binary } ?? gateway.options.binary
            let opcode: WebSocketFrames.Opcode = isBinary ? .binary : .text
            let count = WebSocketFrames.writeHeader(opcode, payloadBytes: payloadBytes, maskKey: nil, into: header)
            stream.write(UnsafeRawBufferPointer(rebasing: header[..<count]))
        }
    }

    private func holdBackIfNeeded() {
        guard !isHoldingBack, stream.backlogBytes > gateway.backlogLimitBytes else { return }
        isHoldingBack = true
        stream.pauseReading()
        stream.mark(Self.backlogMark)
    }
}
