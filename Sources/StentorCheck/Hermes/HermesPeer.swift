import StentorBase
import StentorClient
import StentorWire

/// A Hermes device on one connection of the check.
struct HermesPeer {
    let peer: CheckPeer
    let id: String
    /// Gives a new id for each text and file.
    let newID: () -> String

    /// The frames since the last ``CheckPeer/forget()`` that are objects with a `t`.
    func frames(_ t: String? = nil) -> [CheckObject] {
        peer.since.compactMap(\.object).filter { t == nil ? $0["t"] != nil : $0["t"] == t }
    }

    /// The first frame of a type that is wanted.
    func until(
        _ what: String, _ t: String, within: Duration? = nil, _ wanted: (CheckObject) -> Bool = { _ in true }
    ) async throws(CheckFault) -> CheckObject {
        let message = try await peer.until(what, within: within) { message in
            guard let object = message.object, object["t"] == t else { return false }
            return wanted(object)
        }
        guard let object = message.object else { preconditionFailure("HermesPeer: an object that was read cannot be read again") }
        return object
    }

    /// Sends a text.
    func say(_ text: String) {
        peer.send(["t": "text", "id": .text(newID()), "text": .text(text)])
    }

    /// Answers a card.
    func answer(_ card: String, _ option: String?, text: String? = nil) {
        var frame: [String: CheckValue] = ["t": "prompt", "prompt_id": .text(card)]
        frame["option_id"] = option.map { .text($0) }
        frame["text"] = text.map { .text($0) }
        peer.send(frame)
    }

    /// Sends a photo in parts.
    ///
    /// - Returns: Its id.
    func upload(_ bytes: [UInt8], partBytes: Int = 3 << 20) -> String {
        let id = newID()
        let parts = max(1, (bytes.count + partBytes - 1) / partBytes)
        for part in 0..<parts {
            let range = part * partBytes..<min(bytes.count, (part + 1) * partBytes)
            peer.send([
                "t": "media", "id": .text(id), "kind": "image", "mime": "image/jpeg", "part": .integer(part), "parts": .integer(parts),
                "filename": "check.jpg", "data": .text(Self.base64(bytes[range])),
            ])
        }
        return id
    }

    /// How many quiet times a turn may take: a gateway that never falls silent is judged by what it sent until then.
    private static let turnLimit = 15

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        bytes.withUnsafeBytes { Base64.encode($0, into: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The text of each message since the last ``CheckPeer/forget()``, by id, as edits and appended parts make it.
    func shownTexts() -> [(id: String, text: String)] {
        var shown: [(id: String, text: String)] = []
        for frame in frames("message") {
            let (id, text) = (frame["id"] ?? "", frame["text"] ?? "")
            if let place = shown.firstIndex(where: { $0.id == id }) {
                shown[place].text = frame.isTrue("edit") ? text : shown[place].text + text
            } else {
                shown.append((id, text))
            }
        }
        return shown
    }

    /// Waits until a message shows a text.
    func untilShown(_ what: String, within: Duration? = nil, _ wanted: (String) -> Bool) async throws(CheckFault) -> String {
        _ = try await peer.until(what, within: within) { _ in shownTexts().contains { wanted($0.text) } }
        return shownTexts().first { wanted($0.text) }?.text ?? ""
    }

    /// A whole turn: everything until nothing has come for the protocol's quiet time (§ 4); edits may be most of a second apart.
    func turn() async throws(CheckFault) -> [CheckObject] {
        _ = try await until("message", "message")
        var count = 0
        for _ in 0..<Self.turnLimit where peer.since.count != count {
            count = peer.since.count
            _ = await peer.quiet(for: .seconds(2))
        }
        return frames()
    }
}

/// How connections of the check greet.
extension CheckBench {
    /// The hello of a device.
    func hello(_ id: String, token: String? = nil, version: Int = 1) -> [String: CheckValue] {
        [
            "t": "hello", "v": .integer(version), "token": .text(token ?? target.token.reveal()), "user": [:],
            "device": ["id": .text(id), "name": "Stentor check", "platform": "ios", "app_version": "1.0.0"],
        ]
    }

    /// A random UUID (RFC 9562 § 5.4), in lower case.
    func newID() -> String {
        var bytes = loop.secureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { Quantity.hex($0) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// A connection that has not said hello, with a token in its query.
    func upgraded(token: String? = nil, refused: ((Int) -> Void)? = nil) async throws(CheckFault) -> CheckPeer {
        let token = token ?? target.token.reveal()
        return try await connect(token.isEmpty ? target.url : target.url.appendingQuery(name: "token", value: token), refused: refused)
    }

    /// A device that is ready.
    ///
    /// - Parameter id: Its id; default: a new one.
    func device(_ id: String? = nil) async throws(CheckFault) -> HermesPeer {
        let id = id ?? "check-\(run)-\(number())"
        let device = HermesPeer(peer: try await upgraded(), id: id, newID: newID)
        device.peer.send(hello(id))
        _ = try await device.until("ready", "ready")
        device.peer.forget()
        return device
    }
}
