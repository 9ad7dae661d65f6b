import Glibc
import StentorBase
import StentorLoop
import StentorWire

/// Sends every message back in the buffer that it came in: as little work as a WebSocket server can do.
enum EchoServer {
    static func run(address: String) throws {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
            throw UserFailure(.arguments, "'\(address)' is no address", place: "echo-server")
        }
        let host = String(address[..<colon])
        try EventLoop.runMain(name: "echo") { loop in
            let stopped = LoopPromise<Void>(loop)
            let signals = try SignalSource(loop: loop, signals: [SIGTERM, SIGINT]) { _ in stopped.fulfil(()) }
            let listener = try Listener(loop: loop, host: host, port: port) { stream in try? stream.attach(EchoPeer(stream)) }
            StandardStream.output.write("listening on ws://\(host):\(listener.port)/\n")
            _ = await stopped.value(until: .distantFuture)
            listener.close()
            signals.close()
        }
    }
}

private final class EchoPeer: StreamHandler {
    private let stream: ByteStream
    private var handshake: WebSocketServerHandshake? = WebSocketServerHandshake(plainMethods: [])
    private var machine = WebSocketMachine(role: .server)
    private var pieces: [UInt8] = []
    private var kind = MessageKind.text

    init(_ stream: ByteStream) { self.stream = stream }

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        guard handshake != nil else { return framesReceived(bytes) }
        guard case .upgrade(_, let consumed)? = handshake?.next(UnsafeRawBufferPointer(bytes)) else { return }
        if let answer = handshake?.accept() { stream.write(answer) }
        handshake = nil
        framesReceived(UnsafeMutableRawBufferPointer(rebasing: bytes[consumed...]))
    }

    private func framesReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while true {
            switch machine.next(in: bytes, from: &offset, at: stream.loop.now) {
            case .needBytes: return
            case .message(let kind, let range): echo(kind, UnsafeRawBufferPointer(rebasing: bytes[range]))
            case .begin(let kind):
                self.kind = kind
                pieces.removeAll(keepingCapacity: true)
            case .payload(let range): pieces.append(contentsOf: bytes[range])
            case .end: pieces.withUnsafeBytes { echo(kind, $0) }
            case .ping, .pong: break
            case .close, .fail: return stream.close()
            }
        }
    }

    private func echo(_ kind: MessageKind, _ payload: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: WebSocketFrames.headerLimitBytes, alignment: 8) { header in
            let count = WebSocketFrames.writeHeader(
                kind == .text ? .text : .binary, payloadBytes: payload.count, maskKey: nil, into: header)
            stream.write(UnsafeRawBufferPointer(rebasing: header[..<count]))
        }
        stream.write(payload)
    }

    func streamWrote(_ mark: UInt64) {}
    func streamEnded(_ end: StreamEnd) {}
}
