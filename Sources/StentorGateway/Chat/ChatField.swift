import StentorWire

/// The members of chat messages.
enum ChatField: String {
    case type, room, sender, text, timestamp, content

    private var key: StaticString {
        switch self {
        case .type: "type"
        case .room: "room"
        case .sender: "sender"
        case .text: "text"
        case .timestamp: "timestamp"
        case .content: "content"
        }
    }

    /// Reads an object; false when it is none. The last of duplicate keys counts.
    ///
    /// - Parameters:
    ///   - known: The members that the dialect has.
    ///   - values: Gets their values; ranges lie in `bytes`.
    ///   - extra: Gets the keys of other members.
    static func read(
        _ bytes: UnsafeRawBufferPointer, known: [ChatField], into values: inout [ChatField: JSONValue], extra: inout [String]
    ) -> Bool {
        do throws(JSONFailure) {
            try JSONScanner.readObject(bytes) { key, value in
                if let field = known.first(where: { key.equals($0.key, in: bytes) }) {
                    values[field] = value
                } else {
                    extra.append(key.string(in: bytes))
                }
            }
            return true
        } catch {
            return false
        }
    }
}
