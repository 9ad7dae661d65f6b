import StentorBase
import StentorClient
import StentorLoop
import StentorWire

/// Runs every case of a fuzzing server: echoes what comes until the connection ends, then asks for the report.
enum AutobahnClient {
    static func run(url text: String, agent: String) throws {
        let url = try TargetURL(text, cause: .arguments, place: "URL")
        try EventLoop.runMain(name: "client") { loop in try await runCases(url, agent: agent, loop: loop) }
    }

    private static func runCases(_ url: TargetURL, agent: String, loop: EventLoop) async throws {
        let context = ClientContext(loop: loop, resolver: Resolver())
        let count = try await visit(url, "/getCaseCount", context, echoes: false)
        guard let cases = Int(String(decoding: count, as: UTF8.self)) else {
            throw UserFailure(.target, "the case count is no number", place: "\(url)")
        }
        for number in 1...max(1, cases) {
            _ = try await visit(url, "/runCase?case=\(number)&agent=\(PercentEncoding.encode(agent))", context, echoes: true)
        }
        // The server notes a case when it has seen the end of its connection: one more round trip lets it, for the last case too.
        _ = try await visit(url, "/getCaseCount", context, echoes: false)
        _ = try await visit(url, "/updateReports?agent=\(PercentEncoding.encode(agent))", context, echoes: false)
    }

    private static func visit(_ url: TargetURL, _ path: String, _ context: ClientContext, echoes: Bool) async throws -> [UInt8] {
        let visitor = Visitor(context.loop, echoes: echoes)
        let connection = WebSocketConnection(context: context, handler: visitor, messageLimitBytes: 64 << 20)
        let tls = url.isSecure ? try TLSContext.client(caFile: nil, isInsecure: true) : nil
        let request = WebSocketConnection.Request(
            target: DialTarget(host: url.host, port: url.port, tls: tls), path: path, host: url.hostHeader, headers: [])
        try await connection.open(request, index: 0, until: .now() + .seconds(10))
        _ = await visitor.ended.value(until: .now() + .seconds(120))
        return visitor.last
    }
}

/// Echoes, or keeps the last message.
private final class Visitor: ConnectionHandler {
    let ended: LoopPromise<Void>
    private(set) var last: [UInt8] = []
    private let echoes: Bool
    private var connection: WebSocketConnection?
    private var pieces: [UInt8] = []
    private var kind = MessageKind.text

    init(_ loop: EventLoop, echoes: Bool) {
        ended = LoopPromise(loop)
        self.echoes = echoes
    }

    func connectionOpened(_ connection: WebSocketConnection) { self.connection = connection }

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer) {
        if echoes { connection?.send(kind, bytes) } else { last = Array(bytes) }
    }

    func messageBegan(_ kind: MessageKind) {
        self.kind = kind
        pieces.removeAll(keepingCapacity: true)
    }

    func messagePieceReceived(_ bytes: UnsafeRawBufferPointer) { pieces.append(contentsOf: bytes) }

    func messageEnded() { pieces.withUnsafeBytes { messageReceived(kind, $0) } }

    func pongReceived(_ payload: [UInt8]) {}

    func sent(mark: UInt64) {}

    func connectionEnded(_ end: ConnectionEnd) {
        connection = nil
        ended.fulfil(())
    }
}
