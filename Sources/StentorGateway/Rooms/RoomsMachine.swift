import StentorBase
import StentorWire

/// The rooms gateway without its sockets: `join`, `leave` and `message` as JSON in text messages, passed on as they came to the members of a room.
struct RoomsMachine: ChatMachine {
    static let path = "/chat"
    static let leaveCode: UInt16? = nil

    var core: ChatCore<RoomsMember>
    private var rooms: [Room] = []
    private var numbers: [String: Int] = [:]
    private var senders: [String: SenderTruth] = [:]
    private var joins = 0
    private var leaves = 0
    private var messages = 0
    private var replayed = 0
    private var startedAt = Instant.distantPast
    private var startSeconds = 0.0

    init(_ options: GatewayOptions) {
        core = ChatCore(options, blank: RoomsMember())
    }

    mutating func began(origin: String, at now: Instant, wallSeconds: Double) {
        core.began(at: now)
        startedAt = now
        startSeconds = wallSeconds
    }

    /// Unix time in seconds; a step of the clock since the start does not show.
    func wallSeconds(at now: Instant) -> Double { startSeconds + (now - startedAt).inSeconds }

    /// The number of a room that somebody has joined.
    func number(ofRoom name: String) -> Int? { numbers[name] }

    mutating func cameUp(_ index: Int, at now: Instant) {}

    // MARK: Messages

    mutating func heard(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant) {
        if kind == .binary { core.violation(index, "binary_message", "\(bytes.count) bytes") }
        guard let message = read(index, bytes), judge(index, message, at: now) else { return }
        core.sockets[index].extra.sender = message.sender
        let raw = Array(bytes)
        switch message.type {
        case "join": join(index, message, raw, kind, at: now)
        case "leave": leave(index, message, raw, kind, at: now)
        default: say(index, message, raw, kind, bytes, at: now)
        }
    }

    private mutating func join(_ index: Int, _ message: RoomMessage, _ raw: [UInt8], _ kind: MessageKind, at now: Instant) {
        let number = numbers[message.room] ?? open(message.room)
        joins += 1
        senders[message.sender, default: SenderTruth()].joins += 1
        rooms[number].joins += 1
        rooms[number].join(index)
        core.sockets[index].extra.joined.append(number)
        for (bytes, kind) in rooms[number].history {
            replayed += 1
            core.send(index, bytes, kind)
        }
        if core.options.announce { fanOut(number, from: index, raw, kind, at: now) }
    }

    private mutating func open(_ name: String) -> Int {
        numbers[name] = rooms.count
        rooms.append(Room(name))
        return rooms.count - 1
    }

    private mutating func leave(_ index: Int, _ message: RoomMessage, _ raw: [UInt8], _ kind: MessageKind, at now: Instant) {
        guard let number = numbers[message.room] else { return }
        leaves += 1
        senders[message.sender, default: SenderTruth()].leaves += 1
        rooms[number].leaves += 1
        if core.options.announce { fanOut(number, from: index, raw, kind, at: now) }
        rooms[number].leave(index)
        core.sockets[index].extra.joined.removeAll { $0 == number }
    }

    private mutating func say(
        _ index: Int, _ message: RoomMessage, _ raw: [UInt8], _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant
    ) {
        guard let number = numbers[message.room] else { return }
        messages += 1
        rooms[number].messages += 1
        senders[message.sender, default: SenderTruth()]
            .heard(message.text?.withUnescaped(in: bytes) { TextSigns.firstSequence(in: $0) })
        rooms[number].remember(raw, kind, limit: core.options.history)
        fanOut(number, from: index, raw, kind, at: now)
    }

    /// Passes a message on to each member, to its sender only if that is asked for.
    private mutating func fanOut(_ number: Int, from sender: Int?, _ raw: [UInt8], _ kind: MessageKind, at now: Instant) {
        for member in rooms[number].members where member != sender || core.options.ownEcho {
            core.post(member, raw, kind, tag: number, at: now)
        }
    }

    // MARK: Ends

    mutating func leaving(_ index: Int, at now: Instant) {
        let member = core.sockets[index].extra
        core.sockets[index].extra.joined = []
        for number in member.joined {
            rooms[number].leave(index)
            guard core.options.announce, core.options.leaveOnClose, let sender = member.sender else { continue }
            fanOut(number, from: nil, leaveMessage(rooms[number].name, sender, at: now), .text, at: now)
        }
    }

    mutating func left(_ index: Int) {
        guard let sender = core.sockets[index].extra.sender else { return }
        senders[sender, default: SenderTruth()].got += core.sockets[index].sent
    }

    private func leaveMessage(_ room: String, _ sender: String, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("type")
        json.string("leave")
        json.key("room")
        json.string(room)
        json.key("sender")
        json.string(sender)
        json.key("timestamp")
        json.number(wallSeconds(at: now))
        json.endObject()
        return json.bytes
    }

    // MARK: Totals

    func totals() -> String {
        var json = TotalsWriter()
        json.object { json in
            json.member("joins", joins)
            json.member("leaves", leaves)
            json.member("messages", messages)
            json.member("rooms", rooms.count)
            core.write("deliveries", to: &json)
            json.nonzero("replayed", replayed)
            json.object("per_room") { json in
                for (number, room) in rooms.enumerated().sorted(by: { $0.element.name < $1.element.name }) {
                    json.object(room.name) { json in
                        let counts = core.counts(tag: number)
                        json.member("join", room.joins)
                        json.member("leave", room.leaves)
                        json.member("message", room.messages)
                        json.member("deliveries", counts.sent)
                        json.member("lost", counts.lost)
                    }
                }
            }
            json.object("per_sender") { json in
                for (name, sender) in senders.sorted(by: { $0.key < $1.key }) {
                    json.object(name) { json in
                        json.member("joins", sender.joins)
                        json.member("leaves", sender.leaves)
                        json.member("messages", sender.messages)
                        json.member("got", sender.got)
                        sender.writeMarks(to: &json)
                    }
                }
            }
            core.tally.write(to: &json)
        }
        return json.text
    }
}
