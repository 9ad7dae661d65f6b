import StentorBase
import StentorClient
import StentorLoop
import StentorWire

/// A message as it came.
struct CheckMessage {
    /// As text or as binary.
    let kind: MessageKind
    /// Its bytes.
    let bytes: [UInt8]

    /// Its text; wrong UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// It as a JSON object; nil if it is none.
    var object: CheckObject? { CheckObject(bytes) }

    /// It in words, short and without control characters.
    var shown: String { CheckText.short(text) }
}

/// Words about what a gateway sent.
enum CheckText {
    /// A text of a gateway, cut to 60 characters, without what could steer a terminal.
    static func short(_ text: String) -> String {
        let head = text.prefix(60).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format ? " " : String(scalar)
        }
        return "'\(head.joined())\(text.count > 60 ? "…" : "")'"
    }
}

/// One connection of the check: notes all that comes, and waits for what is expected. Loop thread only.
final class CheckPeer: ConnectionHandler {
    /// What came so far.
    private(set) var messages: [CheckMessage] = []
    private(set) var pongs: [[UInt8]] = []
    /// How it ended; nil while it is open.
    private(set) var end: ConnectionEnd?

    private let loop: EventLoop
    private let within: Duration
    private let context: ClientContext
    private var connection: WebSocketConnection?
    private var mark = 0
    private var news: LoopPromise<Void>?
    private var partial: [UInt8] = []
    private var partialKind = MessageKind.text

    init(_ context: ClientContext, within: Duration) {
        loop = context.loop
        self.context = context
        self.within = within
    }

    /// Dials and upgrades.
    func open(_ request: WebSocketConnection.Request) async throws(DialFailure) {
        // The connection keeps its handler until it ends.
        let connection = WebSocketConnection(context: context, handler: self)
        self.connection = connection
        try await connection.open(request, index: 0, until: .now() + within)
    }

    // MARK: Sending

    func send(_ text: String, _ kind: MessageKind = .text) {
        connection?.send(kind, Array(text.utf8))
    }

    func send(_ bytes: [UInt8], _ kind: MessageKind) {
        connection?.send(kind, bytes)
    }

    func send(_ object: [String: CheckValue], _ kind: MessageKind = .text) {
        connection?.send(kind, CheckValue.json(object))
    }

    func ping(_ payload: [UInt8]) { connection?.ping(payload) }
    func close(code: UInt16) { connection?.close(code: code) }

    /// Cuts it with a reset.
    func reset() {
        connection?.reset()
        connection = nil
    }

    /// Ends it without waiting.
    func leave() {
        connection?.abandon()
        connection = nil
    }

    // MARK: Waiting

    /// What came from now on counts only.
    func forget() { mark = messages.count }

    /// What came since ``forget()``.
    var since: ArraySlice<CheckMessage> { messages[mark...] }

    /// The first message since ``forget()`` that is wanted.
    ///
    /// - Throws: `.seen` when it does not come in time, or the connection ends before.
    func until(
        _ what: String, within limit: Duration? = nil, _ wanted: (CheckMessage) -> Bool
    ) async throws(CheckFault) -> CheckMessage {
        let deadline = Instant.now() + (limit ?? within)
        var next = mark
        while true {
            while next < messages.count {
                if wanted(messages[next]) { return messages[next] }
                next += 1
            }
            if let end { throw .seen("no \(what); \(Self.words(end))") }
            guard await wait(until: deadline) else { throw .seen("no \(what) in \(Quantity.text(limit ?? within))") }
        }
    }

    /// Waits a while for what must not come, and gives all that came since ``forget()``.
    func quiet(for time: Duration) async -> ArraySlice<CheckMessage> {
        let deadline = Instant.now() + time
        while end == nil, await wait(until: deadline) {}
        return since
    }

    /// How it ended.
    func untilEnded(within limit: Duration? = nil) async throws(CheckFault) -> ConnectionEnd {
        let deadline = Instant.now() + (limit ?? within)
        while true {
            if let end { return end }
            guard await wait(until: deadline) else { throw .seen("still open after \(Quantity.text(limit ?? within))") }
        }
    }

    /// The pong that answers a ping.
    func untilPong() async throws(CheckFault) -> [UInt8] {
        let deadline = Instant.now() + within
        while true {
            if let pong = pongs.first { return pong }
            if let end { throw .seen("no pong; \(Self.words(end))") }
            guard await wait(until: deadline) else { throw .seen("no pong in \(Quantity.text(within))") }
        }
    }

    private func wait(until deadline: Instant) async -> Bool {
        let news = LoopPromise<Void>(loop)
        self.news = news
        return await news.value(until: deadline) != nil
    }

    private func tell() {
        news?.fulfil(())
        news = nil
    }

    /// An end in words.
    static func words(_ end: ConnectionEnd) -> String {
        switch end {
        case .closedByServer(let code, let reason):
            "closed by the gateway with \(code.map { "\($0)" } ?? "no code")\(reason.isEmpty ? "" : " \(CheckText.short(reason))")"
        case .closed(let code): "closed with \(code.map { "\($0)" } ?? "no code")"
        case .closeTimedOut: "our close was not answered"
        case .protocolViolation(let failure): "the gateway broke RFC 6455: \(failure.reason)"
        case .lost(.endOfStream): "the stream ended without a close frame"
        case .lost: "the connection was cut"
        }
    }

    // MARK: ConnectionHandler

    func connectionOpened(_ connection: WebSocketConnection) {}

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer) {
        messages.append(CheckMessage(kind: kind, bytes: Array(bytes)))
        tell()
    }

    func messageBegan(_ kind: MessageKind) { (partial, partialKind) = ([], kind) }
    func messagePieceReceived(_ bytes: UnsafeRawBufferPointer) { partial.append(contentsOf: bytes) }

    func messageEnded() {
        messages.append(CheckMessage(kind: partialKind, bytes: partial))
        partial = []
        tell()
    }

    func pongReceived(_ payload: [UInt8]) {
        pongs.append(payload)
        tell()
    }

    func sent(mark: UInt64) {}

    func connectionEnded(_ end: ConnectionEnd) {
        self.end = end
        tell()
    }
}
