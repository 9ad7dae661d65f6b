import CStentorSystem
import Glibc
import StentorBase

/// A connected TCP socket, with TLS or without, on one loop. Loop thread only.
///
/// Owns its descriptor. Writes are queued and go out when the code that made them has ended (short writes and full sockets are normal: the rest
/// waits for the socket). Reads go into the loop's shared buffer and to the handler, which must consume them at once; a handler that
/// cannot pauses reading, and TCP holds the peer back.
public final class ByteStream: EventSource {
    /// The loop that it belongs to.
    public let loop: EventLoop
    private var descriptor: Int32
    private var tls: TLSSession?
    private var handler: (any StreamHandler)?
    private var output = OutputQueue()
    private var isReadingPaused = false
    private var isWaitingForRoom = false
    private var isInFlushList = false
    private var isFinishing = false
    private var isHeld = false
    private var throttle: ReadThrottle?
    private var handshaken: ((TLSSession.Handshake) -> Void)?

    /// The most bytes that one turn sends or receives on one stream before others have theirs.
    private static let turnBytes = 2 * 1024 * 1024

    /// Takes over a connected, non-blocking descriptor. It is closed by ``close()``, ``reset()``, or when the stream ends.
    init(loop: EventLoop, descriptor: Int32, tls: TLSSession?) {
        self.loop = loop
        self.descriptor = descriptor
        self.tls = tls
    }

    /// Whether the descriptor is still there.
    public var isOpen: Bool { descriptor >= 0 }
    /// Whether TLS protects it.
    public var isSecure: Bool { tls != nil }
    /// Bytes written that the kernel has not taken yet.
    public var backlogBytes: Int { output.pendingBytes }

    /// The part of ``backlogBytes`` that was copied; the rest lies in shared payloads.
    public var copiedBacklogBytes: Int { output.copiedBytes }

    // MARK: - Set-up

    /// Begins reading for a handler, which the stream keeps until it ends.
    public func attach(_ handler: any StreamHandler) throws(SystemFailure) {
        self.handler = handler
        if slot < 0 {
            try loop.register(self, descriptor: descriptor, events: interest)
        }
    }

    /// Does the TLS handshake; `completion` is called once unless the stream is closed before.
    func handshake(_ completion: @escaping (TLSSession.Handshake) -> Void) throws(SystemFailure) {
        handshaken = completion
        try loop.register(self, descriptor: descriptor, events: stentor_epollin())
        continueHandshake()
    }

    private func continueHandshake() {
        guard let tls, let completion = handshaken else { return }
        let result = tls.handshake()
        switch result {
        case .wantsRead: loop.update(self, events: stentor_epollin())
        case .wantsWrite: loop.update(self, events: stentor_epollout())
        case .done, .failed, .closed:
            handshaken = nil
            if result == .done { loop.update(self, events: interest) }
            completion(result)
        }
    }

    // MARK: - Writing

    /// Queues a copy of the bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) {
        guard isOpen, !isFinishing else { return }
        output.append(bytes, spare: loop.takeBuffer)
        flushSoon()
    }

    /// Queues a copy of the bytes.
    public func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Queues a part of a shared payload by reference, changed on its way out if there is a transform.
    public func write(_ payload: SharedPayload, range: Range<Int>, transform: PayloadTransform? = nil) {
        guard isOpen, !isFinishing else { return }
        output.append(payload, range: range, transform: transform)
        flushSoon()
    }

    /// Asks for ``StreamHandler/streamWrote(_:)`` once all written so far is with the kernel.
    public func mark(_ value: UInt64) {
        guard isOpen else { return }
        output.mark(value)
        flushSoon()
    }

    private func flushSoon() {
        guard !isInFlushList, !isWaitingForRoom else { return }
        isInFlushList = true
        loop.flushSoon(self)
    }

    func flush() {
        isInFlushList = false
        guard isOpen, !isHeld, handshaken == nil else { return }
        var sent = 0
        while output.pendingBytes > 0, sent < Self.turnBytes {
            let result = sendNext()
            if result < 0 { return }
            if result == 0 { break }
            sent += result
            reportMarks()
            guard isOpen else { return }
        }
        reportMarks()
        guard isOpen else { return }
        if let buffer = output.takeEmptyBuffer() { loop.giveBack(buffer) }
        setWaitingForRoom(output.pendingBytes > 0)
        if isFinishing, output.pendingBytes == 0 { finishNow() }
    }

    /// Bytes sent; 0 when the socket is full; -1 when the stream has ended.
    private func sendNext() -> Int {
        var end: StreamEnd?
        let taken = output.withNext(scratch: loop.scratch) { bytes in
            // SAFETY: withNext never offers an empty buffer.
            guard let base = bytes.baseAddress else { return 0 }
            if let tls {
                switch tls.write(bytes) {
                case .done(let count): return count
                case .wouldBlock: return 0
                case .ended: end = .endOfStream
                case .failed(let text): end = .tls(text)
                }
                return 0
            }
            while true {
                let count = stentor_send(descriptor, base, bytes.count)
                if count >= 0 { return count }
                let code = stentor_errno()
                if code == EINTR { continue }
                if code != EAGAIN, code != EWOULDBLOCK { end = .failed(code) }
                return 0
            }
        }
        guard let end else { return taken }
        finishWith(end)
        return -1
    }

    private func reportMarks() {
        guard output.hasMarks else { return }
        while isOpen, let mark = output.takeReachedMark() { handler?.streamWrote(mark) }
    }

    private func setWaitingForRoom(_ isWaiting: Bool) {
        guard isWaiting != isWaitingForRoom else { return }
        isWaitingForRoom = isWaiting
        if slot >= 0 { loop.update(self, events: interest) }
    }

    // MARK: - Reading

    /// Stops reading; what arrives stays in the kernel, and TCP slows the peer down.
    public func pauseReading() {
        guard !isReadingPaused else { return }
        isReadingPaused = true
        if slot >= 0 { loop.update(self, events: interest) }
    }

    /// Reads again.
    public func resumeReading() {
        guard isReadingPaused else { return }
        isReadingPaused = false
        guard slot >= 0 else { return }
        loop.update(self, events: interest)
        // Records that OpenSSL has decrypted already are invisible to epoll.
        if tls != nil { loop.runSoon { [self] in read() } }
    }

    /// Reads no more than so many bytes a second from now on: a tenth of them at once, then a pause of a tenth of a second.
    public func limitReading(bytesPerSecond: Int) {
        throttle = ReadThrottle(bytesPerSecond: bytesPerSecond)
    }

    private func throttled(by count: Int) {
        guard let throttle, throttle.take(count) else { return }
        pauseReading()
        let timer =
            throttle.timer
            ?? LoopTimer { [unowned self] in
                self.throttle?.refill()
                resumeReading()
            }
        throttle.timer = timer
        loop.schedule(timer, at: loop.now + ReadThrottle.period)
    }

    // MARK: - Silence

    /// Goes silent: nothing is read or written any more, and whatever the peer does stays unseen. Neither FIN nor RST goes out.
    ///
    /// What is written meanwhile waits; ``goOn()`` ends it, and so does ``close()`` or ``reset()``.
    public func hold() {
        guard isOpen, !isHeld else { return }
        isHeld = true
        loop.deregister(self)
    }

    /// Ends the silence of ``hold()``: what arrived is read, what waits is sent, and an end of the peer is told.
    public func goOn() {
        guard isOpen, isHeld else { return }
        isHeld = false
        do throws(SystemFailure) {
            try loop.register(self, descriptor: descriptor, events: interest)
            flushSoon()
            if tls != nil { loop.runSoon { [self] in read() } }
        } catch {
            finishWith(.failed(error.code))
        }
    }

    private var interest: UInt32 {
        (isReadingPaused ? 0 : stentor_epollin()) | (isWaitingForRoom ? stentor_epollout() : 0)
    }

    override func ready(_ events: UInt32) {
        if handshaken != nil { return continueHandshake() }
        if isWaitingForRoom, events & stentor_epollout() != 0 {
            flush()
            guard isOpen else { return }
        }
        let broken = events & (stentor_epollerr() | stentor_epollhup()) != 0
        if !isReadingPaused, broken || events & stentor_epollin() != 0 {
            read()
        } else if broken {
            finishWith(.failed(stentor_socket_error(descriptor)))
        }
        if tls != nil, isOpen, output.pendingBytes > 0 { flush() }
    }

    private func read() {
        var received = 0
        while isOpen, !isReadingPaused, !isHeld {
            guard received < Self.turnBytes else {
                if tls != nil { loop.runSoon { [self] in read() } }
                return
            }
            let room = min(throttle?.left ?? .max, loop.readBuffer.count)
            let count = tls == nil ? receivePlain(room) : receiveSecure(room)
            if count <= 0 { return }
            received += count
            throttled(by: count)
            handler?.streamReceived(UnsafeMutableRawBufferPointer(rebasing: loop.readBuffer[..<count]))
            if tls == nil, count < room { return }
        }
    }

    /// Bytes now in the shared buffer; 0 when there is nothing, or the stream has ended.
    private func receivePlain(_ room: Int) -> Int {
        while true {
            let count = stentor_recv(descriptor, loop.readBuffer.baseAddress!, room)  // SAFETY: allocated by the loop
            if count > 0 { return count }
            if count == 0 {
                finishWith(.endOfStream)
                return 0
            }
            let code = stentor_errno()
            if code == EINTR { continue }
            if code != EAGAIN, code != EWOULDBLOCK { finishWith(.failed(code)) }
            return 0
        }
    }

    private func receiveSecure(_ room: Int) -> Int {
        guard let tls else { return 0 }
        switch tls.read(into: UnsafeMutableRawBufferPointer(rebasing: loop.readBuffer[..<room])) {
        case .done(let count): return count
        case .wouldBlock: return 0
        case .ended: finishWith(.endOfStream)
        case .failed(let text): finishWith(.tls(text))
        }
        return 0
    }

    // MARK: - Ending

    /// Sends what is queued, then closes the writing side; reading goes on until the peer closes too.
    public func finish() {
        guard isOpen, !isFinishing else { return }
        isFinishing = true
        flushSoon()
        if output.pendingBytes == 0, !isInFlushList { finishNow() }
    }

    private func finishNow() {
        tls?.shutdown()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes at once; what was not sent is dropped. The handler hears nothing more.
    public func close() {
        guard isOpen else { return }
        tls?.shutdown()
        release()
    }

    /// Closes at once with an RST. The handler hears nothing more.
    public func reset() {
        guard isOpen else { return }
        _ = stentor_set_abortive_close(descriptor)
        release()
    }

    private func finishWith(_ end: StreamEnd) {
        let handler = handler
        let handshaken = handshaken
        release()
        if let handshaken { handshaken(.closed) } else { handler?.streamEnded(end) }
    }

    private func release() {
        loop.deregister(self)
        if let timer = throttle?.timer { loop.cancel(timer) }
        throttle = nil
        tls = nil
        _ = Glibc.close(descriptor)
        descriptor = -1
        handler = nil
        handshaken = nil
        output = OutputQueue()
        isWaitingForRoom = false
    }

    override func loopEnded() {
        finishWith(.loopStopped)
    }

    deinit {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }
}
