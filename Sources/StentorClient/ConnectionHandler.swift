import StentorBase
import StentorLoop
import StentorWire

/// Why an open WebSocket connection ended.
public enum ConnectionEnd: Equatable, Sendable {
    /// The server sent a close frame; nil: it gave no code.
    case closedByServer(code: UInt16?, reason: String)
    /// We sent a close frame, and the server answered it.
    case closed(code: UInt16?)
    /// We sent a close frame, and no answer came in time.
    case closeTimedOut
    /// The server broke RFC 6455; we closed with this code.
    case protocolViolation(WebSocketFailure)
    /// The stream ended or broke without a close frame.
    case lost(StreamEnd)
}

/// The owner of a WebSocket connection: usually a device.
///
/// All calls come on the loop's thread, one after another. Bytes lie in the loop's shared buffer and are gone when the call returns:
/// what must be kept is copied.
public protocol ConnectionHandler: AnyObject {
    /// The upgrade is done; what is sent in this call goes out before anything else.
    func connectionOpened(_ connection: WebSocketConnection)
    /// A whole message.
    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer)
    /// A message too long to be kept begins; pieces follow, then ``messageEnded()``, unless the connection ends before.
    func messageBegan(_ kind: MessageKind)
    /// The next piece of the message that began.
    func messagePieceReceived(_ bytes: UnsafeRawBufferPointer)
    /// The message that began is whole.
    func messageEnded()
    /// A pong came.
    func pongReceived(_ payload: [UInt8])
    /// All that was sent before ``WebSocketConnection/mark(_:)`` with this value is with the kernel.
    func sent(mark: UInt64)
    /// The connection is over: called exactly once after ``connectionOpened(_:)``, unless it was reset or abandoned by its owner.
    func connectionEnded(_ end: ConnectionEnd)
}
