import StentorWire

/// One room of the rooms gateway.
struct Room {
    /// Its name on the wire.
    let name: String
    /// The sockets of its members, in the order of their joins.
    private(set) var members: [Int] = []
    var joins = 0
    var leaves = 0
    var messages = 0
    /// Its latest messages, as they came.
    private(set) var history: [(bytes: [UInt8], kind: MessageKind)] = []

    /// Makes a room that nobody has joined.
    init(_ name: String) {
        self.name = name
    }

    /// Takes a member in.
    mutating func join(_ socket: Int) { members.append(socket) }

    /// Lets a member go.
    mutating func leave(_ socket: Int) {
        members.removeAll { $0 == socket }
    }

    /// Keeps a message for those that join later, so many at most.
    mutating func remember(_ bytes: [UInt8], _ kind: MessageKind, limit: Int) {
        guard limit > 0 else { return }
        history.append((bytes, kind))
        if history.count > limit { history.removeFirst(history.count - limit) }
    }
}

/// What the rooms gateway keeps of a connection.
struct RoomsMember {
    /// What it calls itself; nil before its first message that makes sense.
    var sender: String?
    /// The rooms that it is in.
    var joined: [Int] = []
}

/// A chat message that is as it must be.
struct RoomMessage {
    /// What is asked for.
    let type: String
    let room: String
    let sender: String
    /// The text as it lies in the message; nil without one.
    let text: JSONText?
    /// Unix time in seconds.
    let timestamp: Double
}
