import StentorBase
import StentorClient
import StentorLoop
import StentorWire

/// Lets a test wait for what both ends of a connection noted.
final class Watch {
    private let loop: EventLoop
    private var condition: (() -> Bool)?
    private var promise: LoopPromise<Bool>?

    init(_ loop: EventLoop) { self.loop = loop }

    /// Waits until the condition holds; false after ten seconds.
    @discardableResult func until(_ condition: @escaping () -> Bool) async -> Bool {
        if condition() { return true }
        let promise = LoopPromise<Bool>(loop)
        self.condition = condition
        self.promise = promise
        return await promise.value(until: .now() + .seconds(10)) ?? false
    }

    /// To be called after each change.
    func look() {
        if let condition, condition() { promise?.fulfil(true) }
    }
}

/// A server that says exactly what its script says, byte by byte, and notes what it hears.
final class ScriptedServer: StreamHandler {
    private let loop: EventLoop
    private let watch: Watch
    private var listener: Listener?
    private var answer: ((ScriptedServer) -> Void)?
    private(set) var stream: ByteStream?
    /// The upgrade request without its empty line; empty until it is complete.
    private(set) var request = ""
    /// What came behind the request.
    private(set) var input: [UInt8] = []
    /// How the client ended the stream.
    private(set) var end: StreamEnd?
    /// What is done with each frame that comes.
    var frameReceived: ((ScriptedServer, ClientFrame) -> Void)?
    private var framesSeen = 0

    /// - Parameter answer: Called when the upgrade request is complete.
    init(_ loop: EventLoop, _ watch: Watch, answer: @escaping (ScriptedServer) -> Void) throws {
        self.loop = loop
        self.watch = watch
        self.answer = answer
        listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { [unowned self] stream in
            self.stream = stream
            try? stream.attach(self)
        }
    }

    var port: UInt16 { listener?.port ?? 0 }

    func stopListening() { listener?.close() }

    /// The answer that RFC 6455 § 4.2.2 asks for, with more lines if there are any.
    func switching(_ lines: String = "", accept: String? = nil) -> [UInt8] {
        let prefix = "sec-websocket-key: "
        let key = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix(prefix) }?.dropFirst(prefix.count) ?? ""
        let digest = Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8).withUnsafeBytes { SHA1Digest.of($0) }
        var text: [UInt8] = []
        digest.withUnsafeBytes { Base64.encode($0, into: &text) }
        let proof = accept ?? String(decoding: text, as: UTF8.self)
        let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(proof)\r\n"
        return Array((head + lines + "\r\n").utf8)
    }

    func say(_ bytes: [UInt8]) { stream?.write(bytes) }
    func say(_ text: String) { say(Array(text.utf8)) }

    /// Says the pieces one after another, each in a segment of its own as far as that can be had: in a turn of the loop of its own.
    func say(pieces: [[UInt8]]) {
        guard let first = pieces.first else { return }
        say(first)
        let rest = Array(pieces.dropFirst())
        let timer = LoopTimer { [self] in say(pieces: rest) }
        if !rest.isEmpty { loop.schedule(timer, at: loop.now + .milliseconds(1)) }
    }

    /// The frames that came whole.
    var frames: [ClientFrame] { ClientFrame.read(input).frames }

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        input.append(contentsOf: bytes)
        if request.isEmpty, let head = headBytes() {
            request = String(decoding: input[..<(head - 4)], as: UTF8.self)
            input.removeFirst(head)
            answer?(self)
        }
        if let frameReceived {
            let frames = frames
            for frame in frames.dropFirst(framesSeen) { frameReceived(self, frame) }
            framesSeen = frames.count
        }
        watch.look()
    }
    private func headBytes() -> Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard input.count >= 4 else { return nil }
        return (4...input.count).first { input[($0 - 4)..<$0].elementsEqual(end) }
    }
    func streamWrote(_ mark: UInt64) {}
    func streamEnded(_ end: StreamEnd) {
        self.end = end
        watch.look()
    }
}

/// A frame of a client, taken apart after RFC 6455 § 5.2.
struct ClientFrame: Equatable {
    let first: UInt8
    let key: [UInt8]
    let payload: [UInt8]

    var text: String { String(decoding: payload, as: UTF8.self) }

    /// The whole frames at the start of bytes, and how many bytes they take; a frame without a mask ends the reading.
    static func read(_ bytes: [UInt8]) -> (frames: [ClientFrame], consumed: Int) {
        var frames: [ClientFrame] = []
        var offset = 0
        while bytes.count - offset >= 2, bytes[offset + 1] & 0x80 != 0 {
            var count = Int(bytes[offset + 1] & 0x7F)
            var start = offset + 2
            let lengthBytes = count == 126 ? 2 : count == 127 ? 8 : 0
            guard bytes.count >= start + lengthBytes + 4 else { break }
            if lengthBytes > 0 { count = bytes[start..<(start + lengthBytes)].reduce(0) { $0 << 8 | Int($1) } }
            start += lengthBytes
            let key = Array(bytes[start..<(start + 4)])
            start += 4
            guard bytes.count >= start + count else { break }
            let payload = (0..<count).map { bytes[start + $0] ^ key[$0 & 3] }
            frames.append(ClientFrame(first: bytes[offset], key: key, payload: payload))
            offset = start + count
        }
        return (frames, offset)
    }
}

/// A frame of a server, written byte by byte after RFC 6455 § 5.2: unmasked, length in as few bytes as it takes.
func serverFrame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    switch payload.count {
    case ...125: [first, UInt8(payload.count)] + payload
    case ...65_535: [first, 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    default: [first, 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) } + payload
    }
}

/// What a client's handler heard, in order.
enum Heard: Equatable {
    case opened
    case text(String)
    case binary([UInt8])
    case began(MessageKind)
    /// All pieces up to the end of the message, put together.
    case streamed([UInt8])
    case pong([UInt8])
    case mark(UInt64)
    case ended(ConnectionEnd)
}

// Long payloads would bury what a failed test has to say.
extension Heard: CustomDebugStringConvertible {
    var debugDescription: String {
        switch self {
        case .opened: "opened"
        case .text(let text): "text(\(text.prefix(40)))"
        case .binary(let bytes): "binary(\(bytes.count) bytes)"
        case .began(let kind): "began(\(kind))"
        case .streamed(let bytes): "streamed(\(bytes.count) bytes)"
        case .pong(let bytes): "pong(\(bytes))"
        case .mark(let value): "mark(\(value))"
        case .ended(let end): "ended(\(end))"
        }
    }
}

/// Notes what a connection tells its owner.
final class Listening: ConnectionHandler {
    private let watch: Watch
    private(set) var heard: [Heard] = []
    /// Sizes of the pieces of streamed messages.
    private(set) var pieces: [Int] = []
    private var stream: [UInt8] = []
    /// What is done when the connection opens.
    var onOpen: ((WebSocketConnection) -> Void)?
    /// What is done after each thing heard.
    var onHeard: ((Heard) -> Void)?

    init(_ watch: Watch) { self.watch = watch }

    var end: ConnectionEnd? {
        guard case .ended(let end) = heard.last else { return nil }
        return end
    }

    private func note(_ what: Heard) {
        heard.append(what)
        onHeard?(what)
        watch.look()
    }

    func connectionOpened(_ connection: WebSocketConnection) {
        note(.opened)
        onOpen?(connection)
    }
    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer) {
        note(kind == .text ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Array(bytes)))
    }
    func messageBegan(_ kind: MessageKind) { note(.began(kind)) }
    func messagePieceReceived(_ bytes: UnsafeRawBufferPointer) {
        pieces.append(bytes.count)
        stream.append(contentsOf: bytes)
    }
    func messageEnded() {
        let whole = stream
        stream = []
        note(.streamed(whole))
    }
    func pongReceived(_ payload: [UInt8]) { note(.pong(payload)) }
    func sent(mark: UInt64) { note(.mark(mark)) }
    func connectionEnded(_ end: ConnectionEnd) { note(.ended(end)) }
}

/// A client and a scripted server on one loop.
final class Exchange {
    let loop: EventLoop
    let watch: Watch
    let context: ClientContext
    let server: ScriptedServer
    let client: Listening
    let connection: WebSocketConnection

    /// - Parameter answer: What the server does with the upgrade request; default: it accepts it.
    init(
        _ loop: EventLoop, messageLimitBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(60),
        answer: @escaping (ScriptedServer) -> Void = { $0.say($0.switching()) }
    ) throws {
        self.loop = loop
        watch = Watch(loop)
        context = ClientContext(loop: loop, resolver: Resolver())
        server = try ScriptedServer(loop, watch, answer: answer)
        client = Listening(watch)
        connection = WebSocketConnection(
            context: context, handler: client, messageLimitBytes: messageLimitBytes, closeTimeout: closeTimeout)
    }

    /// What it asks for.
    var request: WebSocketConnection.Request {
        WebSocketConnection.Request(
            target: DialTarget(host: "127.0.0.1", port: server.port), path: "/ws?token=a%2Bb", host: "gw.test:8787",
            headers: [("X-Run", "seven")])
    }

    /// Dials and upgrades; nil when that worked.
    func open(within limit: Duration = .seconds(10)) async -> DialFailure? {
        do throws(DialFailure) {
            try await connection.open(request, index: 0, until: .now() + limit)
            return nil
        } catch { return error }
    }

    /// Waits until the server has so many frames; gives them all.
    func frames(_ count: Int) async -> [ClientFrame] {
        await watch.until { [server] in server.frames.count >= count }
        return server.frames
    }

    /// Waits until the client's connection has ended; gives all that it heard.
    func heardToTheEnd() async -> [Heard] {
        await watch.until { [client] in client.end != nil }
        return client.heard
    }

    /// Waits until the client has heard so many things; gives them all.
    func heard(_ count: Int) async -> [Heard] {
        await watch.until { [client] in client.heard.count >= count }
        return client.heard
    }
}
