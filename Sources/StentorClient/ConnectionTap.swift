import StentorBase
import StentorLoop
import StentorWire

/// Something that happened on a connection, for whoever watches it. Bytes are gone when the call returns.
public enum ConnectionEvent {
    /// A dial began.
    case dialling(host: String, port: UInt16)
    /// TCP and TLS are done, and the upgrade was asked for.
    case upgrading
    /// The upgrade is done.
    case opened
    /// The dial or the upgrade failed.
    case failed(DialFailure)
    /// A message was queued to be sent: its first bytes, and how many it has.
    case sent(MessageKind, head: UnsafeRawBufferPointer, bytes: Int)
    /// A whole message came.
    case received(MessageKind, UnsafeRawBufferPointer)
    /// A message begins that comes in pieces.
    case receivedBegin(MessageKind)
    /// A piece of it.
    case receivedPiece(UnsafeRawBufferPointer)
    /// It is whole.
    case receivedEnd
    /// A ping was sent, or came and was answered.
    case ping(isOurs: Bool)
    /// A pong came.
    case pong
    /// A close frame was sent.
    case closeSent(UInt16)
    /// The connection ended.
    case ended(ConnectionEnd)
    /// Its owner cut it off: a reset, or a close without a close frame.
    case cut
}

/// Watches the connections of one loop. Called on the loop's thread, in the order of events.
public protocol ConnectionTap: AnyObject {
    /// Something happened.
    func noted(_ event: ConnectionEvent)
}
