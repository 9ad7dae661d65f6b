import StentorBase
import StentorLoop
import StentorWire

/// The end of a connection, by either side.
extension WebSocketConnection {
    /// Sends a close frame; messages of the server still come until its answer, which ends the connection, at most the close timeout later.
    public func close(code: UInt16, reason: String = "") {
        guard case .open = state else { return }
        context.tap?.noted(.closeSent(code))
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

    func abandon(_ close: (ByteStream) -> Void) {
        guard !isEnded else { return }
        if opening != nil {
            dial?.cancel()
            return opened(DialFailure(.cancelled, "the device left"))
        }
        context.tap?.noted(.cut)
        state = .ended
        handler = nil
        cancelTimer()
        if let stream { close(stream) }
    }

    func closeReceived(_ code: UInt16?, _ reason: String, mustReply: Bool) {
        if mustReply {
            WebSocketFrames.closePayload(code: code, reason: "").withUnsafeBytes { writeFrame(.close, $0) }
            machine.closeSent(at: context.loop.now)
            end(.closedByServer(code: code, reason: reason), linger: true)
        } else {
            end(.closed(code: code), linger: true)
        }
    }

    func violated(_ failure: WebSocketFailure) {
        if case .open = state {
            WebSocketFrames.closePayload(code: failure.closeCode, reason: failure.reason).withUnsafeBytes { writeFrame(.close, $0) }
            machine.closeSent(at: context.loop.now)
        }
        end(.protocolViolation(failure), linger: true)
    }

    /// Tells the handler; lingering means that the server is to close the stream first (RFC 6455 § 7.1.1), until the close deadline.
    func end(_ end: ConnectionEnd, linger: Bool) {
        guard !isEnded else { return }
        state = .ended
        context.tap?.noted(.ended(end))
        let handler = handler
        self.handler = nil
        if linger, stream?.isOpen == true { armCloseTimer() } else { finishStream() }
        handler?.connectionEnded(end)
    }

    func armCloseTimer() {
        guard let deadline = machine.closeDeadline else { return }
        let timer = closeTimer ?? LoopTimer { [self] in closeTimerFired() }
        closeTimer = timer
        context.loop.schedule(timer, at: deadline)
    }

    func closeTimerFired() {
        stream?.close()
        if !isEnded { end(.closeTimedOut, linger: false) } else { finishStream() }
    }

    func cancelTimer() {
        if let closeTimer { context.loop.cancel(closeTimer) }
        closeTimer = nil
    }

    func finishStream() {
        cancelTimer()
        stream?.close()
        stream = nil
    }
}
