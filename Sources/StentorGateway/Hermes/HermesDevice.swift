import StentorBase

/// The session of one device id; it outlives its sockets.
final class HermesDevice {
    /// The id that the device gave.
    let name: String
    /// Its place in the machine's list.
    let index: Int
    /// Its sockets that are ready, oldest first.
    var sockets: [Int] = []
    /// How often it became ready.
    var connections = 0
    /// When its last socket went; nil before.
    var leftAt: Instant?
    /// What it sent and got.
    var truth = DeviceTruth()
    /// Its replies.
    var lane = ReplyLane()
    /// Files that are not whole yet.
    var uploads: [Upload] = []
    /// Files given up; what else comes of them is ignored.
    var failed = RecentKeys(limit: 64)
    /// The file of which more parts are due, with nothing in between.
    var sending: String?
    /// Cards, oldest first: all open ones, and the last closed ones.
    var cards: [PromptCard] = []
    /// Ids of texts and files.
    var ids = RecentKeys(limit: 128)
    /// When the next unasked card and photo are due.
    var promptAt = Instant.distantFuture
    var photoAt = Instant.distantFuture
    /// The earliest instant at which the driver was asked to wake it.
    var armed = Instant.distantFuture

    /// Begins the session of a device.
    init(name: String, index: Int) {
        self.name = name
        self.index = index
    }

    /// The upload of an id, if one is open.
    func upload(_ name: String) -> Upload? {
        uploads.first { $0.name == name }
    }

    /// When the first open card expires. All cards have the same time, so the oldest is the first.
    var firstExpiry: Instant {
        cards.first { $0.end == nil }?.deadline ?? .distantFuture
    }
}

/// One connection as the machine sees it.
struct HermesSocket {
    /// How far it is.
    enum Phase {
        /// No connection has this place.
        case free
        /// Upgraded; hello is due.
        case greeting
        /// Hello was accepted; ready is delayed on purpose.
        case settling
        /// Ready, also while it is being closed.
        case ready
        /// Nothing it sends counts any more.
        case ended
        /// The gateway plays dead on it.
        case silent
    }

    var phase = Phase.free
    /// Its label is the device's id, once known.
    var line = GatewayLine()
    /// The tokens of its query, until hello is judged.
    var tokens: [String] = []
    var device: HermesDevice?
    /// When hello or ready is due.
    var phaseDeadline = Instant.distantFuture
    /// The message that is coming in pieces.
    var long: LongMessage?

    /// When the next of its deadlines is.
    var need: Instant { min(phaseDeadline, line.need) }
    /// Whether frames can be sent on it.
    var canSend: Bool { (phase == .ready || phase == .greeting) && line.isOpen }
    /// Whether what it sends counts.
    var isHeard: Bool { phase == .greeting || phase == .settling || phase == .ready }
}
