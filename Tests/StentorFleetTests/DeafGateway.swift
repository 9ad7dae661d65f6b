import StentorBase
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire
import TestSupport
import Testing

@testable import StentorFleet

/// A Hermes server that says `ready` to whoever upgrades, notes the opcodes of what comes behind, and never says another word.
final class DeafGateway: StreamHandler {
    private var listener: Listener?
    private var stream: ByteStream?
    private var input: [UInt8] = []
    private var isUpgraded = false
    private let loop: EventLoop
    /// Called with the opcode of each frame that came whole.
    var frameReceived: (UInt8) -> Void = { _ in }

    init(_ loop: EventLoop) throws {
        self.loop = loop
        listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { [unowned self] stream in
            self.stream = stream
            try? stream.attach(self)
        }
    }

    var url: String { "ws://127.0.0.1:\(listener?.port ?? 0)/ws" }

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        input.append(contentsOf: bytes)
        if !isUpgraded { upgrade() }
        while isUpgraded, let (opcode, count) = firstFrame() {
            input.removeFirst(count)
            frameReceived(opcode)
        }
    }

    private func upgrade() {
        var handshake = WebSocketServerHandshake()
        guard case .upgrade(_, let consumed) = input.withUnsafeBytes({ handshake.next($0) }) else { return }
        isUpgraded = true
        input.removeFirst(consumed)
        let ready = Array("{\"t\":\"ready\"}".utf8)
        stream?.write(handshake.accept() + [0x81, UInt8(ready.count)] + ready)
    }

    private func firstFrame() -> (opcode: UInt8, count: Int)? {
        guard input.count >= 2 else { return nil }
        let short = Int(input[1] & 0x7F)
        guard short < 126 || input.count >= 4 else { return nil }
        let count = short < 126 ? 6 + short : 8 + Int(input[2]) << 8 + Int(input[3])
        return input.count >= count ? (input[0] & 15, count) : nil
    }

    func streamWrote(_ mark: UInt64) {}
    func streamEnded(_ end: StreamEnd) {}
}
