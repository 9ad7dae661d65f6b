import StentorLoop
import StentorWire

/// What comes in.
extension WebSocketConnection {
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

    func framesReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        context.traffic.bytesReceived += bytes.count
        var offset = 0
        while !isEnded {
            switch machine.next(in: bytes, from: &offset, at: context.loop.now) {
            case .needBytes: return
            case .message(let kind, let range):
                context.traffic.messagesReceived += 1
                let message = UnsafeRawBufferPointer(rebasing: bytes[range])
                context.tap?.noted(.received(kind, message))
                handler?.messageReceived(kind, message)
            case .begin(let kind):
                assemblyKind = kind
                context.tap?.noted(.receivedBegin(kind))
            case .payload(let range): pieceReceived(UnsafeRawBufferPointer(rebasing: bytes[range]))
            case .end: messageComplete()
            case .ping(let payload):
                guard case .open = state else { break }
                context.tap?.noted(.ping(isOurs: false))
                payload.withUnsafeBytes { writeFrame(.pong, $0) }
            case .pong(let payload):
                context.tap?.noted(.pong)
                handler?.pongReceived(payload)
            case .close(let code, let reason, let mustReply): closeReceived(code, reason, mustReply: mustReply)
            case .fail(let failure): violated(failure)
            }
        }
    }

    var isEnded: Bool { if case .ended = state { true } else { false } }

    func pieceReceived(_ piece: UnsafeRawBufferPointer) {
        context.tap?.noted(.receivedPiece(piece))
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

    func messageComplete() {
        guard let kind = assemblyKind else { return }
        context.traffic.messagesReceived += 1
        assemblyKind = nil
        context.tap?.noted(.receivedEnd)
        if isStreaming {
            isStreaming = false
            handler?.messageEnded()
        } else {
            let bytes = assembly
            assembly = []
            bytes.withUnsafeBytes { handler?.messageReceived(kind, $0) }
        }
    }
}
