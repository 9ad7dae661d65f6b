import StentorBase

/// What every gateway knows of one connection, whatever it speaks: how it is being closed, whether it counts as up, pings and drops.
struct GatewayLine {
    /// Names the connection in reports.
    var label = ""
    /// The codes of the close frames sent and received; 1005 stands for none given.
    private(set) var sentCode: UInt16?
    private(set) var receivedCode: UInt16?
    private(set) var isReceivedFirst = false
    private var isUp = false
    private var isPongDue = false
    private var dropAt = Instant.distantFuture
    private var pingAt = Instant.distantFuture
    /// The earliest instant at which the server was asked to wake it.
    private var armed = Instant.distantFuture

    /// Begins a connection.
    init() {}

    /// Begins an upgraded connection.
    init(label: String, options: GatewayOptions, at now: Instant) {
        self.label = label
        if let every = options.pingEvery { pingAt = now + every }
    }

    /// Whether neither side has sent a close frame.
    var isOpen: Bool { sentCode == nil && receivedCode == nil }
    /// When the next drop or ping is due.
    var need: Instant { min(dropAt, pingAt) }

    // MARK: Up and down

    /// Counts it as up, and starts its drop timer.
    mutating func goUp(_ options: GatewayOptions, _ random: inout SeededRandom, _ tally: inout GatewayTally, at now: Instant) {
        isUp = true
        tally.cameUp()
        if let drop = options.dropAfter { dropAt = now + random.duration(in: drop) }
    }

    /// Counts it as down, once.
    mutating func goDown(_ tally: inout GatewayTally) {
        guard isUp else { return }
        isUp = false
        tally.wentDown()
    }

    /// No drop and no ping any more.
    mutating func quieten() {
        dropAt = .distantFuture
        pingAt = .distantFuture
    }

    // MARK: Closing

    /// Asks for a close frame unless the connection is being closed already.
    ///
    /// - Returns: Whether it was asked for.
    @discardableResult
    mutating func close(_ index: Int, _ code: UInt16, _ reason: String, _ output: inout GatewayOutput) -> Bool {
        guard isOpen else { return false }
        sentCode = code
        quieten()
        output.add(.close(socket: index, code: code, reason: reason))
        return true
    }

    /// Notes the peer's close frame.
    ///
    /// - Returns: Whether it is the first.
    mutating func closeReceived(_ code: UInt16?) -> Bool {
        guard receivedCode == nil else { return false }
        receivedCode = code ?? 1005
        isReceivedFirst = sentCode == nil
        return true
    }

    /// Notes that the server sends a close frame of its own, because the peer broke RFC 6455.
    ///
    /// - Returns: Whether that is the first.
    mutating func failed(_ code: UInt16) -> Bool {
        guard sentCode == nil else { return false }
        sentCode = code
        return true
    }

    /// Counts how it ended.
    func countEnd(_ tally: inout GatewayTally) {
        tally.closed(sent: sentCode, received: receivedCode, receivedFirst: isReceivedFirst)
    }

    // MARK: Time

    /// Drops it on purpose, or pings, as is due.
    mutating func runDue(
        _ index: Int, _ options: GatewayOptions, _ tally: inout GatewayTally, _ output: inout GatewayOutput, at now: Instant
    ) {
        if dropAt <= now {
            tally.dropped += 1
            dropAt = .distantFuture
            if let code = options.closeCode {
                close(index, code, "dropped on purpose", &output)
            } else {
                output.add(.reset(socket: index))
            }
        }
        guard pingAt <= now, let every = options.pingEvery else { return }
        if isPongDue {
            close(index, 1011, "no pong in time", &output)
            return
        }
        isPongDue = true
        pingAt = now + every
        output.add(.ping(socket: index))
    }

    /// Notes that the answer to a ping came.
    mutating func pong() { isPongDue = false }

    /// The server has woken it.
    mutating func woken() { armed = .distantFuture }

    /// Asks to be woken for a need unless an earlier request stands.
    mutating func arm(_ index: Int, _ need: Instant, _ output: inout GatewayOutput) {
        guard need < armed else { return }
        armed = need
        output.add(.wakeSocket(index, need))
    }
}
