import StentorBase
import StentorWire

// Messages as devices send them: their form and their sense.
extension RoomsMachine {
    private static let fields: [ChatField] = [.type, .room, .sender, .text, .timestamp]

    /// Reads a message; nil when it is none, which is counted. A member too many is counted and otherwise ignored.
    mutating func read(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> RoomMessage? {
        var values: [ChatField: JSONValue] = [:]
        var extra: [String] = []
        guard ChatField.read(bytes, known: Self.fields, into: &values, extra: &extra) else {
            core.violation(index, "malformed", "\(bytes.count) bytes")
            return nil
        }
        if let sender = values[.sender]?.text { core.sockets[index].line.label = sender.string(in: bytes) }
        if values[.text] == .null { values[.text] = nil }
        for key in extra { core.violation(index, "field_extra", key) }
        let type = values[.type]?.text?.string(in: bytes)
        let wrong = Self.fields.compactMap { field -> (kind: String, field: String)? in
            guard let value = values[field] else {
                return field == .text && type != "message" ? nil : ("field_missing", field.rawValue)
            }
            return Self.accepts(value, as: field) ? nil : ("field_type", field.rawValue)
        }
        for (kind, field) in wrong { core.violation(index, kind, field) }
        guard wrong.isEmpty, let type, let room = values[.room]?.text, let sender = values[.sender]?.text else { return nil }
        return RoomMessage(
            type: type, room: room.string(in: bytes), sender: sender.string(in: bytes), text: values[.text]?.text,
            timestamp: values[.timestamp].flatMap(Self.seconds) ?? 0)
    }

    private static func accepts(_ value: JSONValue, as field: ChatField) -> Bool {
        field == .timestamp ? seconds(value) != nil : value.text != nil
    }

    private static func seconds(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let seconds): Double(seconds)
        case .number(let seconds): seconds
        case .string, .bool, .null, .object, .array: nil
        }
    }

    /// Whether a message makes sense on its connection; what does not is counted.
    mutating func judge(_ index: Int, _ message: RoomMessage, at now: Instant) -> Bool {
        let member = core.sockets[index].extra
        let isIn = number(ofRoom: message.room).map { member.joined.contains($0) } ?? false
        let wrong: String? =
            if message.room.allSatisfy(\.isWhitespace) || message.sender.allSatisfy(\.isWhitespace) {
                "blank_name"
            } else if let sender = member.sender, sender != message.sender {
                "sender_changed"
            } else if !["join", "leave", "message"].contains(message.type) {
                "unknown_type"
            } else if message.type == "join", isIn {
                "joined_twice"
            } else if message.type != "join", !isIn {
                "not_joined"
            } else {
                nil
            }
        if let wrong {
            core.violation(index, wrong, message.room)
            return false
        }
        // Told, but delivered.
        if abs(message.timestamp - wallSeconds(at: now)) > core.options.clockSkew.inSeconds {
            core.violation(index, "timestamp", "\(message.timestamp)")
        }
        return true
    }
}
