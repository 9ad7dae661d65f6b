import StentorBase

extension Dialect {
    /// Rooms: JSON text messages that the server passes on to all members of a room.
    ///
    /// Its specification is an article on chats over WebSocket in Swift: fields, back-off of 2 s · 2ⁿ up to 30 s that any open connection or
    /// message starts anew, 10 s to connect (the profile's default), close code 1001.
    public static let rooms = Dialect(
        DialectShape(
            name: "rooms",
            options: [
                DialectShape.Option("count", .integer(1...1_000_000)),
                DialectShape.Option("members", .integer(1...RoomPlan.membersLimit)),
                DialectShape.Option("own_echo", .boolean, default: "true"),
                DialectShape.Option("history", .boolean, default: "false"),
                DialectShape.Option("settle", .duration, default: "1s"),
            ],
            behaviours: ["text", "ping", "away"],
            check: { settings, devices throws(DialectShape.Misfit) in try RoomPlan.check(settings, devices: devices) }),
        reconnectPolicy: ReconnectPolicy(growth: .exponential, base: .seconds(2), cap: .seconds(30)),
        leaveCode: 1001,
        makeFactory: { RoomsSessionFactory($0) },
        group: { device, settings in RoomPlan(settings).room(ofDevice: device) },
        resetsBackoffAtOpen: true,
        agreement: [
            AgreementRule("joins", ours: ["ready"], theirs: ["joins"]),
            AgreementRule("texts sent", ours: ["messages.sent"], theirs: ["messages"]),
            AgreementRule(
                "deliveries",
                ours: [
                    "deliveries.delivered", "deliveries.late", "deliveries.duplicated", "deliveries.replayed", "deliveries.unexpected",
                ],
                theirs: ["deliveries.sent", "replayed?"]),
            AgreementRule("deliveries duplicated", ours: ["deliveries.duplicated"], theirs: ["deliveries.duplicated"]),
        ]
    )
}

/// Makes the sessions of one loop, and keeps the rooms that they share: all members of a room live on one loop.
final class RoomsSessionFactory: SessionFactory {
    let received = FrameTally(names: RoomsFrameType.names)
    let made = FrameTally(names: RoomsFrameType.names)
    private let setup: SessionSetup
    private let plan: RoomPlan
    private let options: RoomLedger.Options
    private var rooms: [Int: Room] = [:]
    private var encoder = RoomsEncoder()
    private(set) var senders = SenderTable()
    private var slots: [(room: Int, slot: Int)] = []

    init(_ setup: SessionSetup) {
        self.setup = setup
        plan = RoomPlan(setup.settings)
        var options = RoomLedger.Options()
        options.ownEcho = setup.settings.boolean("own_echo")
        options.replaysHistory = setup.settings.boolean("history")
        options.settle = setup.settings.duration("settle") ?? options.settle
        self.options = options
    }

    func makeSession(_ device: DeviceIdentity) -> any DeviceSession {
        let number = plan.room(ofDevice: device.index)
        let room = rooms[number] ?? Room(number: number, options: options)
        rooms[number] = room
        let session = RoomsSession(device.id, in: room, factory: self)
        senders.insert(device.id, slots.count)
        slots.append((number, session.slot))
        return session
    }

    /// Which member of which room has an id; nil: none of this loop.
    func member(_ id: UnsafeRawBufferPointer) -> (room: Int, slot: Int)? {
        senders.find(id).map { slots[$0] }
    }

    /// Makes a message, valid until the next one.
    func message(_ type: RoomsFrameType, room: String, sender: String, text: String? = nil) -> [UInt8] {
        made.note(type.rawValue)
        encoder.write(type, room: room, sender: sender, text: text, at: setup.wallSeconds())
        return encoder.bytes
    }
}

/// A room: its ledger, and the sessions of its members.
final class Room {
    /// Its number, from 0.
    let number: Int
    /// Its name on the wire.
    let name: String
    var ledger: RoomLedger
    // Sessions hold their room, so it must not hold them.
    private var sessions: [Unowned] = []

    private struct Unowned {
        unowned let session: RoomsSession
    }

    init(number: Int, options: RoomLedger.Options) {
        self.number = number
        name = "room-\(number)"
        ledger = RoomLedger(options)
    }

    /// Adds someone who may become a member.
    func add(_ session: RoomsSession) -> Int {
        sessions.append(Unowned(session: session))
        return ledger.addMember()
    }

    /// Whether these bytes are its name.
    func hasName(_ bytes: UnsafeRawBufferPointer) -> Bool { name.utf8.elementsEqual(bytes) }

    /// The session of a slot.
    func session(_ slot: Int) -> RoomsSession { sessions[slot].session }
}
