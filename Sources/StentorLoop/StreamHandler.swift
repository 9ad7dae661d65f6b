import StentorBase

/// Why a stream ended without its owner asking for it.
public enum StreamEnd: Equatable, Sendable {
    /// The peer closed its side (FIN, or TLS close_notify).
    case endOfStream
    /// The connection was reset or broke; the value is `errno`.
    case failed(Int32)
    /// TLS broke; a short text without secrets.
    case tls(String)
    /// The loop itself was stopped.
    case loopStopped
}

/// The owner of a stream. All calls come on the loop's thread.
public protocol StreamHandler: AnyObject {
    /// Bytes came; they lie in the loop's shared buffer, may be changed in place, and are gone when this returns.
    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer)
    /// All that was written before ``ByteStream/mark(_:)`` with this value has been handed to the kernel.
    func streamWrote(_ mark: UInt64)
    /// The stream ended by itself: called at most once, the last call of all, and never after the owner closed or reset it.
    func streamEnded(_ end: StreamEnd)
}
