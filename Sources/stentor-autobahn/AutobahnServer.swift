import Glibc
import StentorBase
import StentorLoop
import StentorWire

/// Echoes every message with its own type until SIGTERM or SIGINT.
enum AutobahnServer {
    static func run(address: String) throws {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
            throw UserFailure(
                .arguments, "'\(address)' is no address", place: "server", hint: "write HOST:PORT, for instance 127.0.0.1:9001")
        }
        let host = String(address[..<colon])
        SignalSource.block([SIGTERM, SIGINT])
        try EventLoop.runMain(name: "server") { loop in try await serve(host: host, port: port, loop: loop) }
    }

    private static func serve(host: String, port: UInt16, loop: EventLoop) async throws {
        let stopped = LoopPromise<Void>(loop)
        let signals = try SignalSource(loop: loop, signals: [SIGTERM, SIGINT]) { _ in stopped.fulfil(()) }
        let listener = try Listener(loop: loop, host: host, port: port) { stream in
            try? stream.attach(Echo(stream))
        }
        StandardStream.output.write("listening on ws://\(host):\(listener.port)/\n")
        _ = await stopped.value(until: .distantFuture)
        listener.close()
        signals.close()
    }
}

/// The server's end of one connection.
private final class Echo: StreamHandler {
    private let stream: ByteStream
    private var handshake: WebSocketServerHandshake? = WebSocketServerHandshake(plainMethods: [])
    private var machine = WebSocketMachine(role: .server, messageLimitBytes: 64 << 20)
    private var kind = MessageKind.text
    private var pieces: [UInt8] = []
    private var closeTimer: LoopTimer?

    init(_ stream: ByteStream) { self.stream = stream }

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        guard handshake != nil else { return framesReceived(bytes) }
        switch handshake?.next(UnsafeRawBufferPointer(bytes)) {
        case .upgrade(_, let consumed):
            if let answer = handshake?.accept() { stream.write(answer) }
            handshake = nil
            framesReceived(UnsafeMutableRawBufferPointer(rebasing: bytes[consumed...]))
        case .reject(let status, let reason):
            if let answer = handshake?.rejection(status: status, reason: reason) { stream.write(answer) }
            stream.finish()
        case .plain: stream.finish()
        case .needBytes, nil: break
        }
    }

    private func framesReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while true {
            switch machine.next(in: bytes, from: &offset, at: stream.loop.now) {
            case .needBytes: return
            case .message(let kind, let range): send(kind == .text ? .text : .binary, Array(bytes[range]))
            case .begin(let kind):
                self.kind = kind
                pieces.removeAll(keepingCapacity: true)
            case .payload(let range): pieces.append(contentsOf: bytes[range])
            case .end: send(kind == .text ? .text : .binary, pieces)
            case .ping(let payload): send(.pong, payload)
            case .pong: break
            case .close(let code, _, let mustReply):
                if mustReply { send(.close, WebSocketFrames.closePayload(code: code, reason: "")) }
                end()
            case .fail(let failure):
                send(.close, WebSocketFrames.closePayload(code: failure.closeCode, reason: failure.reason))
                end()
            }
        }
    }

    private func send(_ opcode: WebSocketFrames.Opcode, _ payload: [UInt8]) {
        stream.write(WebSocketFrames.frame(opcode, payload: payload, maskKey: nil))
    }

    /// The server ends TCP first; a client that does not follow is cut at the deadline.
    private func end() {
        machine.closeSent(at: stream.loop.now)
        stream.finish()
        let timer = LoopTimer { [stream] in stream.close() }
        closeTimer = timer
        if let deadline = machine.closeDeadline { stream.loop.schedule(timer, at: deadline) }
    }

    func streamWrote(_ mark: UInt64) {}

    func streamEnded(_ end: StreamEnd) {
        if let closeTimer { stream.loop.cancel(closeTimer) }
    }
}
