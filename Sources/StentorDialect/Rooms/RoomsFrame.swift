import StentorWire

/// The types of messages in a room, in both directions.
enum RoomsFrameType: Int, CaseIterable {
    case join, leave, message, unknown

    /// The names on the wire, and `unknown`.
    static let names = ["join", "leave", "message", "unknown"]
}

/// A message of a room: its fields as ranges of the bytes, valid only with them.
struct RoomsFrame {
    let type: RoomsFrameType
    let room: JSONText
    let sender: JSONText
    /// The words; there are some in each `message`.
    let text: JSONText?

    /// Reads a message; nil if it is no JSON object with all fields of its type, each of the right JSON type.
    static func read(_ bytes: UnsafeRawBufferPointer) -> RoomsFrame? {
        var (type, room, sender, text): (JSONText?, JSONText?, JSONText?, JSONText?)
        var hasTime = false
        do throws(JSONFailure) {
            try JSONScanner.readObject(bytes) { key, value in
                if key.equals("type", in: bytes) { type = value.text }
                if key.equals("room", in: bytes) { room = value.text }
                if key.equals("sender", in: bytes) { sender = value.text }
                if key.equals("text", in: bytes) { text = value.text }
                if key.equals("timestamp", in: bytes) { hasTime = isNumber(value) }
            }
        } catch {
            return nil
        }
        guard let name = type, let room, let sender, hasTime else { return nil }
        let kind = Self.type(name, bytes)
        guard kind != .message || text != nil else { return nil }
        return RoomsFrame(type: kind, room: room, sender: sender, text: text)
    }

    private static func type(_ name: JSONText, _ bytes: UnsafeRawBufferPointer) -> RoomsFrameType {
        if name.equals("message", in: bytes) { return .message }
        if name.equals("join", in: bytes) { return .join }
        if name.equals("leave", in: bytes) { return .leave }
        return .unknown
    }

    private static func isNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .integer, .number: true
        case .string, .bool, .null, .object, .array: false
        }
    }
}

/// Writes the messages of a member.
///
/// Each method replaces ``bytes``, whose memory is used again.
struct RoomsEncoder {
    private var writer = JSONWriter(capacity: 512)

    /// What was written last.
    var bytes: [UInt8] { writer.bytes }

    /// Writes a message; the time is in seconds since 1970.
    mutating func write(_ type: RoomsFrameType, room: String, sender: String, text: String? = nil, at seconds: Double) {
        writer.reset()
        writer.beginObject()
        field("type", RoomsFrameType.names[type.rawValue])
        field("room", room)
        field("sender", sender)
        if let text { field("text", text) }
        writer.key("timestamp")
        writer.number(seconds)
        writer.endObject()
    }

    private mutating func field(_ key: StaticString, _ value: String) {
        writer.key(key)
        writer.string(value)
    }
}
