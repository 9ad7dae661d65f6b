import StentorBase
import StentorLoop
import StentorWire

/// One WebSocket connection of a device: dial, upgrade, messages, close. Loop thread only.
///
///     fresh ──open(…)──▶ dialling ──▶ upgrading ──▶ open ──▶ closing ──▶ ended
///
/// A message of one frame that lies whole in the read buffer is handed over where it lies; one that comes in pieces is put together while it is
/// small, and streamed to the handler past ``assemblyLimitBytes``. Nothing is queued for the handler: it consumes at once or pauses reading.
public final class WebSocketConnection {
    /// Up to this many bytes a message in pieces is put together; a longer one is streamed.
    public static let assemblyLimitBytes = 16 * 1024

    enum State {
        case fresh
        case dialling
        case upgrading
        case open
        case closing
        case ended
    }

    let context: ClientContext
    var handler: (any ConnectionHandler)?
    var state = State.fresh
    var dial: Dial?
    var stream: ByteStream?
    var opening: Opening?
    var machine: WebSocketMachine
    var assembly: [UInt8] = []
    var assemblyKind: MessageKind?
    var isStreaming = false
    var closeTimer: LoopTimer?

    /// How long the parts of the dial took.
    public internal(set) var times = DialTimes()
    /// From the upgrade request to its answer, in nanoseconds; nil before.
    public internal(set) var upgradeNanoseconds: Int64?

    /// Makes a connection that has not dialled.
    ///
    /// - Parameters:
    ///   - handler: Kept until the connection ends.
    ///   - messageLimitBytes: A longer message ends the connection with 1009. Default 16 MiB.
    ///   - closeTimeout: How long a close waits for its answer, and then for the end of the stream, together. Default 5 s.
    public init(
        context: ClientContext, handler: any ConnectionHandler, messageLimitBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5)
    ) {
        self.context = context
        self.handler = handler
        machine = WebSocketMachine(role: .client, messageLimitBytes: messageLimitBytes, closeTimeout: closeTimeout)
    }

    /// Whether messages can be sent.
    public var isOpen: Bool { if case .open = state { true } else { false } }
    /// Bytes sent that the kernel has not taken yet.
    public var backlogBytes: Int { stream?.backlogBytes ?? 0 }

    /// The part of ``backlogBytes`` that lies in memory of this connection, not in shared payloads.
    public var copiedBacklogBytes: Int { stream?.copiedBacklogBytes ?? 0 }
}

extension WebSocketConnection: StreamHandler {
    /// Bytes of the answer to the upgrade, or of frames.
    public func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        switch state {
        case .fresh, .dialling, .upgrading: answerReceived(bytes)
        case .open, .closing: framesReceived(bytes)
        case .ended: break
        }
    }

    /// A mark was reached.
    public func streamWrote(_ mark: UInt64) {
        handler?.sent(mark: mark)
    }

    /// The stream ended without us.
    public func streamEnded(_ streamEnd: StreamEnd) {
        switch state {
        case .fresh, .dialling, .upgrading: opened(DialFailure(.closed, "the peer closed the connection before it answered the upgrade"))
        case .open: end(.lost(streamEnd), linger: false)
        case .closing: end(streamEnd == .endOfStream ? .closed(code: nil) : .lost(streamEnd), linger: false)
        case .ended: finishStream()
        }
    }
}
