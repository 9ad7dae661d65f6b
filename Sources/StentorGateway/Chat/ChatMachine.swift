import StentorBase
import StentorWire

/// A gateway without turns: what comes is answered or passed on at once. The dialect says how; ``ChatCore`` does the rest.
protocol ChatMachine: GatewayMachine {
    /// What the dialect keeps of a connection.
    associatedtype Extra
    /// What such gateways share.
    var core: ChatCore<Extra> { get set }
    /// The close code with which devices leave; another one is a violation. nil: any.
    static var leaveCode: UInt16? { get }

    /// A connection is up.
    mutating func cameUp(_ index: Int, at now: Instant)
    /// A whole message came.
    mutating func heard(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant)
    /// A connection is about to leave the line; called once or more.
    mutating func leaving(_ index: Int, at now: Instant)
    /// A connection is gone.
    mutating func left(_ index: Int)
    /// The dialect's own deadline of a connection has come.
    mutating func deadlineCame(_ index: Int, at now: Instant)
}

extension ChatMachine {
    var output: GatewayOutput {
        _read { yield core.output }
        _modify { yield &core.output }
    }

    mutating func leaving(_ index: Int, at now: Instant) {}
    mutating func left(_ index: Int) {}
    mutating func deadlineCame(_ index: Int, at now: Instant) {}

    mutating func began(origin: String, at now: Instant, wallSeconds: Double) { core.began(at: now) }

    mutating func judgeUpgrade(path: String, query: [QueryItem]) -> UpgradeVerdict {
        path == Self.path ? .accept(tokens: []) : .refuse(status: 404)
    }

    mutating func opened(tokens: [String], at now: Instant) -> Int {
        let index = core.opened(at: now)
        if core.goUp(index, at: now) { cameUp(index, at: now) }
        core.arm(index)
        return index
    }

    // MARK: Messages

    mutating func message(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant) {
        guard core.sockets[index].canSend else { return }
        heard(index, kind, bytes, at: now)
        core.arm(index)
    }

    mutating func messageBegan(_ index: Int, _ kind: MessageKind) {
        if core.sockets[index].canSend { core.sockets[index].long = (kind, []) }
    }

    mutating func messagePiece(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
        core.sockets[index].long?.bytes.append(contentsOf: bytes)
    }

    mutating func messageEnded(_ index: Int, at now: Instant) {
        guard let (kind, bytes) = core.sockets[index].long else { return }
        core.sockets[index].long = nil
        bytes.withUnsafeBytes { message(index, kind, $0, at: now) }
    }

    mutating func pong(_ index: Int) { core.sockets[index].line.pong() }

    // MARK: Ends

    mutating func closeReceived(_ index: Int, code: UInt16?, at now: Instant) {
        let isFirst = core.sockets[index].line.isOpen
        guard core.sockets[index].line.closeReceived(code) else { return }
        if isFirst, let leaveCode = Self.leaveCode, code != leaveCode {
            core.violation(index, "close_not_\(leaveCode)", code.map { "\($0)" } ?? "no code")
        }
        leave(index, at: now)
    }

    mutating func failed(_ index: Int, _ failure: WebSocketFailure, at now: Instant) {
        if core.sockets[index].line.failed(failure.closeCode) {
            core.violation(index, "websocket_\(failure.closeCode)", failure.reason)
        }
        leave(index, at: now)
    }

    mutating func ended(_ index: Int, at now: Instant) {
        leave(index, at: now)
        left(index)
        core.ended(index)
    }

    private mutating func leave(_ index: Int, at now: Instant) {
        leaving(index, at: now)
        core.leave(index)
    }

    mutating func restart(at now: Instant) {
        for index in core.sockets.indices where core.sockets[index].phase == .open || core.sockets[index].phase == .ended {
            switch core.options.restartHow {
            case .close: core.close(index, 1001, "restart")
            case .reset: core.output.add(.reset(socket: index))
            case .silence:
                leaving(index, at: now)
                core.fallSilent(index)
            }
        }
    }

    mutating func restarted() { core.tally.restarts += 1 }

    mutating func stop() {
        for index in core.sockets.indices where core.sockets[index].phase != .free {
            if core.sockets[index].phase == .silent {
                core.output.add(.reset(socket: index))
            } else {
                core.close(index, 1001, "")
            }
        }
    }

    // MARK: Time

    mutating func socketDue(_ index: Int, at now: Instant) {
        core.sockets[index].line.woken()
        if core.sockets[index].deadline <= now {
            core.sockets[index].deadline = .distantFuture
            deadlineCame(index, at: now)
        }
        core.runDue(index, at: now)
        core.advance(index, at: now)
    }
}
