import StentorBase
import StentorLoop

/// A connection's stream, with what is sent on it slowed down if that was asked for. Loop thread only.
struct GatewayStream {
    private let stream: ByteStream
    private let pacer: WritePacer?

    /// Wraps an accepted stream.
    ///
    /// - Parameter bytesPerSecond: The most that is sent; nil is no limit.
    init(_ stream: ByteStream, bytesPerSecond: Int?) {
        self.stream = stream
        pacer = bytesPerSecond.map { WritePacer(stream, bytesPerSecond: $0) }
    }

    var isOpen: Bool { stream.isOpen }
    /// Bytes written that have not gone out.
    var backlogBytes: Int { stream.backlogBytes + (pacer?.heldBytes ?? 0) }

    func attach(_ handler: any StreamHandler) throws(SystemFailure) { try stream.attach(handler) }
    func pauseReading() { stream.pauseReading() }
    func resumeReading() { stream.resumeReading() }

    func write(_ bytes: UnsafeRawBufferPointer) {
        if let pacer { pacer.write(bytes) } else { stream.write(bytes) }
    }

    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0) }
    }

    func write(_ payload: SharedPayload, range: Range<Int>) {
        guard let pacer else { return stream.write(payload, range: range) }
        payload.withUnsafeBytes { pacer.write(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    func mark(_ value: UInt64) {
        if let pacer { pacer.mark(value) } else { stream.mark(value) }
    }

    func finish() {
        if let pacer { pacer.finish() } else { stream.finish() }
    }

    func close() { stream.close() }
    func reset() { stream.reset() }

    /// Forgets what was not sent; call it when the stream has ended.
    func ended() { pacer?.stop() }
}

/// Passes bytes on to a stream at a steady rate. Loop thread only.
///
/// Everything written is copied and kept until its turn, also payloads that connections otherwise share.
private final class WritePacer {
    private let stream: ByteStream
    private let bytesPerSecond: Int
    private var timer: LoopTimer?
    private var held: [UInt8] = []
    private var sent = 0
    private var lastAt = Instant.distantPast
    /// Marks with the number of bytes in `held` that come before them.
    private var marks: [(position: Int, value: UInt64)] = []
    private var isFinishing = false

    private static let step = Duration.milliseconds(50)

    init(_ stream: ByteStream, bytesPerSecond: Int) {
        self.stream = stream
        self.bytesPerSecond = bytesPerSecond
    }

    var heldBytes: Int { held.count - sent }

    func write(_ bytes: UnsafeRawBufferPointer) {
        guard stream.isOpen, !isFinishing else { return }
        if held.isEmpty {
            lastAt = stream.loop.now
            schedule()
        }
        held.append(contentsOf: bytes)
    }

    func mark(_ value: UInt64) {
        if held.isEmpty { stream.mark(value) } else { marks.append((held.count, value)) }
    }

    func finish() {
        isFinishing = true
        if held.isEmpty { stream.finish() }
    }

    func stop() {
        if let timer { stream.loop.cancel(timer) }
        (timer, held, sent, marks) = (nil, [], 0, [])
    }

    private func schedule() {
        let timer = timer ?? LoopTimer { [unowned self] in timeCame() }
        self.timer = timer
        stream.loop.schedule(timer, at: stream.loop.now + Self.step)
    }

    private func timeCame() {
        guard stream.isOpen else { return stop() }
        let now = stream.loop.now
        let count = min(heldBytes, Int(Double(bytesPerSecond) * (now - lastAt).inSeconds))
        if count > 0 { lastAt = now }
        held.withUnsafeBytes { stream.write(UnsafeRawBufferPointer(rebasing: $0[sent..<(sent + count)])) }
        sent += count
        while let mark = marks.first, mark.position <= sent {
            stream.mark(mark.value)
            marks.removeFirst()
        }
        guard heldBytes == 0 else {
            dropSentBytes()
            return schedule()
        }
        (held, sent) = ([], 0)
        if isFinishing { stream.finish() }
    }

    /// Gives the memory of sent bytes back now and then: moving the rest at every step would cost more than sending it.
    private func dropSentBytes() {
        guard sent >= 1 << 16, sent * 2 >= held.count else { return }
        held.removeFirst(sent)
        for index in marks.indices { marks[index].position -= sent }
        sent = 0
    }
}
