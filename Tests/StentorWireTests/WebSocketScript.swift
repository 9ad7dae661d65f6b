import StentorBase

@testable import StentorWire

/// An action of the machine with the bytes it points at, so that it outlives the buffer.
enum WebSocketEvent: Equatable {
    case message(MessageKind, [UInt8])
    case begin(MessageKind)
    case payload([UInt8])
    case end
    case ping([UInt8])
    case pong([UInt8])
    case close(UInt16?, String, mustReply: Bool)
    case fail(UInt16, String)
}

/// Feeds a machine and writes down what it says.
///
/// A class, as `#expect` cannot look into what is not copyable.
final class WebSocketScript {
    private var machine: WebSocketMachine
    var now = Instant(nanoseconds: 0)
    private(set) var events: [WebSocketEvent] = []

    init(_ role: WebSocketMachine.Role, messageLimitBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5)) {
        machine = WebSocketMachine(role: role, messageLimitBytes: messageLimitBytes, closeTimeout: closeTimeout)
    }

    var isClosing: Bool { machine.isClosing }
    var isClosed: Bool { machine.isClosed }
    var closeDeadline: Instant? { machine.closeDeadline }

    func closeSent() {
        machine.closeSent(at: now)
    }

    /// Hands over one read, from which everything must be consumed.
    func feed(_ bytes: [UInt8]) {
        var copy = bytes
        let found = copy.withUnsafeMutableBytes { buffer in
            var found: [WebSocketEvent] = []
            var offset = 0
            while true {
                let action = machine.next(in: buffer, from: &offset, at: now)
                if action == .needBytes { break }
                found.append(Self.event(action, in: buffer))
            }
            precondition(offset == buffer.count, "WebSocketScript: bytes left over")
            return found
        }
        events += found
    }

    private static func event(_ action: WebSocketMachine.Action, in buffer: UnsafeMutableRawBufferPointer) -> WebSocketEvent {
        switch action {
        case .needBytes: preconditionFailure("WebSocketScript: no event")
        case .message(let kind, let range): .message(kind, Array(buffer[range]))
        case .begin(let kind): .begin(kind)
        case .payload(let range): .payload(Array(buffer[range]))
        case .end: .end
        case .ping(let payload): .ping(payload)
        case .pong(let payload): .pong(payload)
        case .close(let code, let reason, let mustReply): .close(code, reason, mustReply: mustReply)
        case .fail(let failure): .fail(failure.closeCode, failure.reason)
        }
    }

    /// The events of these reads.
    static func events(_ role: WebSocketMachine.Role, messageLimitBytes: Int = 16 << 20, _ reads: [[UInt8]]) -> [WebSocketEvent] {
        let script = WebSocketScript(role, messageLimitBytes: messageLimitBytes)
        for read in reads { script.feed(read) }
        return script.events
    }

    /// The events in the form that no split of the input may change: messages whole, at the place where they end; void ones left out.
    static func merged(_ events: [WebSocketEvent]) -> [WebSocketEvent] {
        var result: [WebSocketEvent] = []
        var open: (kind: MessageKind, bytes: [UInt8])?
        for event in events {
            switch event {
            case .begin(let kind): open = (kind, [])
            case .payload(let bytes): open?.bytes += bytes
            case .end:
                if let whole = open { result.append(.message(whole.kind, whole.bytes)) }
                open = nil
            case .message, .ping, .pong, .close, .fail: result.append(event)
            }
        }
        return result
    }
}
