/// The opening of a server's connection: one request, for a WebSocket or an ordinary one (RFC 6455 § 4.2).
///
/// Does no I/O.
///
/// For a further request on the same connection make a new one.
public struct WebSocketServerHandshake: ~Copyable {
    /// What the request asks for.
    ///
    /// `consumed` counts the bytes of the piece handed over last.
    public enum Outcome: Equatable, Sendable {
        /// The head is not complete; the whole piece is consumed.
        case needBytes
        /// A valid upgrade: answer with ``WebSocketServerHandshake/accept(extraHeaders:)``, or with any other response to refuse it.
        case upgrade(HTTPRequestHead, consumed: Int)
        /// An ordinary request; its body, if any, begins at `consumed`.
        case plain(HTTPRequestHead, consumed: Int)
        /// A request to refuse: answer with ``WebSocketServerHandshake/rejection(status:reason:)`` and close.
        case reject(status: Int, reason: String)
    }

    private let plainMethods: [String]
    private var reader = HTTPHeadReader(.request)
    private var key: String?
    private var settled: Outcome?

    /// Makes the reader of one request.
    ///
    /// - Parameter plainMethods: Methods taken without an upgrade; others are refused with 405. Default GET and HEAD.
    public init(plainMethods: [String] = ["GET", "HEAD"]) {
        self.plainMethods = plainMethods
    }

    /// Takes the next bytes of the request.
    ///
    /// Once it has given anything but `needBytes`, it gives the same again.
    public mutating func next(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if let settled { return settled }
        var outcome = Outcome.needBytes
        do throws(HTTPHeadFailure) {
            var offset = 0
            if let head = try reader.feed(bytes, from: &offset) {
                outcome = try judge(HTTPRequestHead(HTTPHead(head)), consumed: offset)
            }
        } catch {
            outcome = .reject(status: error.status, reason: error.reason)
        }
        if outcome != .needBytes { settled = outcome }
        return outcome
    }

    /// The response that opens the WebSocket; callable once `upgrade` was given.
    ///
    /// - Parameter extraHeaders: More fields, for instance the subprotocol chosen; they must pass ``HTTPFields/validate(name:value:)``.
    public func accept(extraHeaders: [(String, String)] = []) -> [UInt8] {
        guard let key else { preconditionFailure("WebSocketServerHandshake: accept without an upgrade") }
        var fields = HTTPFields([
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", WebSocketKey.accept(for: key)),
        ])
        for (name, value) in extraHeaders { fields.append(name, value) }
        return HTTPResponse(status: 101, fields: fields, body: nil).bytes()
    }

    /// The response to a refused request, after which the connection closes.
    ///
    /// 426 names the version spoken here, 405 the methods.
    public func rejection(status: Int, reason: String) -> [UInt8] {
        var fields = HTTPFields([("Connection", status == 426 ? "close, Upgrade" : "close")])
        if status == 426 {
            fields.append("Upgrade", "websocket")
            fields.append("Sec-WebSocket-Version", "13")
        }
        if status == 405 { fields.append("Allow", plainMethods.joined(separator: ", ")) }
        return HTTPResponse(status: status, fields: fields, text: reason + "\n").bytes()
    }

    private mutating func judge(_ head: HTTPRequestHead, consumed: Int) throws(HTTPHeadFailure) -> Outcome {
        let fields = head.fields
        // Upgrade in HTTP/1.0 is ignored (RFC 9110 § 7.8), and so is one to another protocol.
        guard fields.members(of: "Upgrade").contains("websocket"), head.minorVersion >= 1 else {
            guard plainMethods.contains(head.method) else { throw HTTPHeadFailure(status: 405, reason: "method is not allowed here") }
            return .plain(head, consumed: consumed)
        }
        guard head.method == "GET" else { throw HTTPHeadFailure(status: 405, reason: "a WebSocket is opened with GET") }
        guard fields.members(of: "Connection").contains("upgrade") else {
            throw HTTPHeadFailure(status: 400, reason: "Connection does not say upgrade")
        }
        guard fields.only("Sec-WebSocket-Version") == "13" else {
            throw HTTPHeadFailure(status: 426, reason: "only WebSocket version 13 is spoken here")
        }
        guard let key = fields.only("Sec-WebSocket-Key"), WebSocketKey.isValid(key) else {
            throw HTTPHeadFailure(status: 400, reason: "Sec-WebSocket-Key is not base64 of 16 bytes")
        }
        guard fields.first("Host")?.isEmpty == false else { throw HTTPHeadFailure(status: 400, reason: "Host is empty") }
        guard head.body == .bytes(0) else { throw HTTPHeadFailure(status: 400, reason: "an upgrade has no body") }
        self.key = key
        return .upgrade(head, consumed: consumed)
    }
}
