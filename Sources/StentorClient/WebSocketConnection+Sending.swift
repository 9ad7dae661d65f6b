import StentorBase
import StentorLoop
import StentorWire

/// What goes out: every frame masked with a fresh key (RFC 6455 § 5.3).
extension WebSocketConnection {
    /// Sends a message in one frame, masked with a fresh key. Does nothing unless the connection is open.
    public func send(_ kind: MessageKind, _ payload: UnsafeRawBufferPointer) {
        guard case .open = state else { return }
        context.traffic.messagesSent += 1
        context.tap?.noted(.sent(kind, head: payload, bytes: payload.count))
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
        prefix.withUnsafeBytes { context.tap?.noted(.sent(kind, head: $0, bytes: count)) }
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
        context.tap?.noted(.ping(isOurs: true))
        payload.withUnsafeBytes { writeFrame(.ping, $0) }
    }

    func writeFrame(_ opcode: WebSocketFrames.Opcode, _ payload: UnsafeRawBufferPointer) {
        let key = context.loop.secureRandom.nextUInt32()
        startFrame(opcode, payloadBytes: payload.count, key: key)
        appendMasked(payload, key: key, phase: 0)
        context.traffic.bytesSent += context.frame.count
        stream?.write(context.frame)
    }

    func startFrame(_ opcode: WebSocketFrames.Opcode, payloadBytes: Int, key: UInt32) {
        context.frame.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(byteCount: WebSocketFrames.headerLimitBytes, alignment: 8) { header in
            let count = WebSocketFrames.writeHeader(opcode, payloadBytes: payloadBytes, maskKey: key, into: header)
            context.frame.append(contentsOf: header[..<count])
        }
    }

    func appendMasked(_ bytes: UnsafeRawBufferPointer, key: UInt32, phase: Int) {
        let start = context.frame.count
        context.frame.append(contentsOf: bytes)
        context.frame.withUnsafeMutableBytes { frame in
            let target = UnsafeMutableRawBufferPointer(rebasing: frame[start...])
            WebSocketFrames.mask(UnsafeRawBufferPointer(target), into: target, key: key, phase: phase)
        }
    }
}
