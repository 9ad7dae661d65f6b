import Foundation
import StentorBase
import StentorClient
import StentorWire

/// A Hermes device on one connection of the check.
struct HermesPeer {
    let peer: CheckPeer
    let id: String

    /// The frames since the last ``CheckPeer/forget()`` that are objects with a `t`.
    func frames(_ t: String? = nil) -> [[String: Any]] {
        peer.since.compactMap(\.object).filter { t == nil ? $0["t"] is String : $0["t"] as? String == t }
    }

    /// The first frame of a type that is wanted.
    func until(
        _ what: String, _ t: String, within: Duration? = nil, _ wanted: ([String: Any]) -> Bool = { _ in true }
    ) async throws(CheckFault) -> [String: Any] {
        let message = try await peer.until(what, within: within) { message in
            guard let object = message.object, object["t"] as? String == t else { return false }
            return wanted(object)
        }
        return message.object ?? [:]
    }

    /// Sends a text.
    func say(_ text: String) {
        peer.send(["t": "text", "id": UUID().uuidString.lowercased(), "text": text])
    }

    /// Answers a card.
    func answer(_ card: String, _ option: String?, text: String? = nil) {
        var frame: [String: Any] = ["t": "prompt", "prompt_id": card]
        frame["option_id"] = option
        frame["text"] = text
        peer.send(frame)
    }

    /// Sends a photo in parts.
    ///
    /// - Returns: Its id.
    func upload(_ bytes: [UInt8], partBytes: Int = 3 << 20) -> String {
        let id = UUID().uuidString.lowercased()
        let parts = max(1, (bytes.count + partBytes - 1) / partBytes)
        for part in 0..<parts {
            let range = part * partBytes..<min(bytes.count, (part + 1) * partBytes)
            peer.send([
                "t": "media", "id": id, "kind": "image", "mime": "image/jpeg", "part": part, "parts": parts, "filename": "check.jpg",
                "data": Data(bytes[range]).base64EncodedString(),
            ])
        }
        return id
    }

    /// The text of each message since the last ``CheckPeer/forget()``, by id, as edits and appended parts make it.
    func shownTexts() -> [(id: String, text: String)] {
        var shown: [(id: String, text: String)] = []
        for frame in frames("message") {
            let (id, text) = (frame["id"] as? String ?? "", frame["text"] as? String ?? "")
            if let place = shown.firstIndex(where: { $0.id == id }) {
                shown[place].text = frame["edit"] as? Bool == true ? text : shown[place].text + text
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

    /// A whole turn: everything until the moods and the typing have ended, or it has been quiet.
    func turn(quiet: Duration) async throws(CheckFault) -> [[String: Any]] {
        _ = try await until("message", "message")
        while await peer.quiet(for: quiet).count != peer.since.count {}
        _ = await peer.quiet(for: quiet)
        return frames()
    }
}

/// How connections of the check greet.
extension CheckBench {
    /// The hello of a device.
    func hello(_ id: String, token: String? = nil, version: Int = 1) -> [String: Any] {
        [
            "t": "hello", "v": version, "token": token ?? target.token.reveal(), "user": [String: Any](),
            "device": ["id": id, "name": "Stentor check", "platform": "ios", "app_version": "1.0.0"],
        ]
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
        let device = HermesPeer(peer: try await upgraded(), id: id)
        device.peer.send(hello(id))
        _ = try await device.until("ready", "ready")
        device.peer.forget()
        return device
    }
}
