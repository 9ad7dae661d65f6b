/// How a peer broke RFC 6455 or a limit, and what to tell it in the close frame.
public struct WebSocketFailure: Error, Equatable, Sendable {
    /// The code to close with: 1002 (protocol), 1007 (not UTF-8) or 1009 (too big).
    public let closeCode: UInt16
    /// What was wrong, in fixed words of ours: at most 123 bytes, never text of the peer.
    public let reason: String

    /// Makes a failure; `reason` must fit a close frame (123 bytes).
    public init(closeCode: UInt16, reason: String) {
        self.closeCode = closeCode
        self.reason = reason
    }

    static func violation(_ reason: String) -> WebSocketFailure {
        WebSocketFailure(closeCode: 1002, reason: reason)
    }
    static let textNotUTF8 = WebSocketFailure(closeCode: 1007, reason: "text is not valid UTF-8")
    static let reasonNotUTF8 = WebSocketFailure(closeCode: 1007, reason: "close reason is not valid UTF-8")
    static let tooBig = WebSocketFailure(closeCode: 1009, reason: "message is over the limit")
}
