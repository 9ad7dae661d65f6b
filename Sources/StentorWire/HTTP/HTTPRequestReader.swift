/// Reads one request of a connection on which plain HTTP/1.1 is spoken (RFC 9112).
///
/// Does no I/O. For a further request on the same connection make a new one.
public struct HTTPRequestReader: ~Copyable {
    /// What came of a piece.
    public enum Outcome: Equatable, Sendable {
        /// The head is not complete; the whole piece is consumed.
        case needBytes
        /// A request; its body, if any, begins at `consumed`, counted in the piece handed over last.
        case request(HTTPRequestHead, consumed: Int)
        /// No request: answer with ``HTTPResponse/refusal(status:reason:)`` and close.
        case reject(status: Int, reason: String)
    }

    private var reader = HTTPHeadReader(.request)
    private var settled: Outcome?
    /// Whether a byte of the request has come.
    public private(set) var hasBegun = false

    /// Makes the reader of one request; its head may have 16 KiB and 100 fields.
    public init() {}

    /// Takes the next bytes of the request.
    ///
    /// Once it has given anything but `needBytes`, it gives the same again.
    public mutating func next(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if let settled { return settled }
        if !bytes.isEmpty { hasBegun = true }
        var outcome = Outcome.needBytes
        do throws(HTTPHeadFailure) {
            var offset = 0
            if let head = try reader.feed(bytes, from: &offset) {
                outcome = .request(try HTTPRequestHead(HTTPHead(head)), consumed: offset)
            }
        } catch {
            outcome = .reject(status: error.status, reason: error.reason)
        }
        if outcome != .needBytes { settled = outcome }
        return outcome
    }
}

extension HTTPResponse {
    /// An answer of plain text to a request that is refused, after which the connection closes.
    public static func refusal(status: Int, reason: String) -> HTTPResponse {
        HTTPResponse(status: status, fields: HTTPFields([("Connection", "close")]), text: reason + "\n")
    }
}
