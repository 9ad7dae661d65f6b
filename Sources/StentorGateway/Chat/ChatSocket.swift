import StentorBase
import StentorWire

/// One message on its way to one connection.
struct Parcel: LaneItem {
    /// What is sent.
    var bytes: [UInt8]
    /// As text or as binary.
    let kind: MessageKind
    /// When it is meant to go out.
    let due: Instant
    /// What it is counted under beside the totals, in the dialect's own numbering; see ``ChatCore/sent``.
    let tag: Int
    let isLate: Bool
    /// Whether it is a second copy, which overtakes nothing.
    let isAside: Bool

    mutating func release() { bytes = [] }
}

/// One connection of a gateway without turns. `Extra` is what the dialect keeps of it.
struct ChatSocket<Extra> {
    /// How far it is.
    enum Phase {
        /// No connection has this place.
        case free
        /// Upgraded.
        case open
        /// Nothing it sends counts any more.
        case ended
        /// The gateway plays dead on it.
        case silent
    }

    var phase = Phase.free
    /// Its label is what the device calls itself, once known.
    var line = GatewayLine()
    /// When the dialect's own deadline is.
    var deadline = Instant.distantFuture
    /// What waits to be sent.
    var lane = ReorderLane<Parcel>()
    /// What goes out next, once it is due.
    var next: (parcel: Parcel, isOvertaken: Bool)?
    /// Messages sent on it, second copies included.
    var sent = 0
    /// The message that is coming in pieces.
    var long: (kind: MessageKind, bytes: [UInt8])?
    var extra: Extra

    /// When something is to be done.
    var need: Instant {
        var need = min(deadline, line.need)
        if let next { need = min(need, next.parcel.due) } else if let lane = lane.need { need = min(need, lane) }
        return need
    }

    /// Whether messages can be sent on it.
    var canSend: Bool { phase == .open && line.isOpen }
}
