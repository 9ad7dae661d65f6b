import StentorBase
import StentorLoop

/// What the connections of one loop share: the loop, the resolver, traffic counts and one buffer to build frames in.
///
/// Confined to the loop's thread.
public final class ClientContext {
    /// The loop.
    public let loop: EventLoop
    /// Looks names up for all loops.
    public let resolver: Resolver
    /// What all connections of this loop sent and received.
    public var traffic = Traffic()
    /// Watches the connections of this loop; nil: nobody does.
    public var tap: (any ConnectionTap)?
    /// Where the next frame is built.
    var frame: [UInt8] = []

    /// Makes the context of a loop; call it anywhere, use it on the loop.
    public init(loop: EventLoop, resolver: Resolver) {
        self.loop = loop
        self.resolver = resolver
    }
}

/// Messages and bytes of WebSocket connections, control frames included in the bytes only; TLS and TCP are not counted.
public struct Traffic: Sendable, Equatable {
    /// Data messages queued to be sent.
    public var messagesSent = 0
    /// Data messages received whole.
    public var messagesReceived = 0
    /// Bytes of frames queued to be sent, headers included.
    public var bytesSent = 0
    /// Bytes received after the upgrade.
    public var bytesReceived = 0

    /// Starts at zero.
    public init() {}
}
