import StentorBase
import StentorClient
import StentorWire

/// The points of the Hermes dialect; the sections are those of `protocols/hermes.md`.
enum HermesChecks {
    static let all = [CommonChecks.ping, CommonChecks.close(1000)] + greeting + texts + media + prompts + returning

    // MARK: § 2

    private static let greeting = [
        CheckPoint.rule("hello is answered by ready, and nothing comes before it") { (bench) throws(CheckFault) in
            let peer = try await bench.upgraded()
            peer.send(bench.hello("check-\(bench.run)-\(bench.number())"))
            let first = try await peer.until("ready") { _ in true }
            try expect(first.object?["t"] == "ready", "first came \(first.shown)")
            try expect(first.object?.has("avatar_url") != true || first.object?["avatar_url"] != nil, "avatar_url is no text")
            return first.shown
        },
        .custom("a second hello repeats ready") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            device.peer.send(bench.hello(device.id))
            _ = try await device.until("second ready", "ready")
            return "ready again"
        },
        .rule("a wrong token is refused for good: 1008, or 401 or 403 on the upgrade") { (bench) throws(CheckFault) in
            guard !bench.target.token.isEmpty else { throw .open("no token was given") }
            return try await refusal(bench, token: bench.target.token.reveal() + "x")
        },
        .custom("another version than 1 is refused with 1008") { (bench) throws(CheckFault) in
            let peer = try await bench.upgraded()
            peer.send(bench.hello("check-\(bench.run)-\(bench.number())", version: 2))
            return try await closes(peer, with: 1008)
        },
        .custom("a frame before hello is refused with 1008") { (bench) throws(CheckFault) in
            let peer = try await bench.upgraded()
            peer.send(["t": "text", "id": .text(bench.newID()), "text": "too early"])
            return try await closes(peer, with: 1008)
        },
        .custom("who says nothing is closed with 1008") { (bench) throws(CheckFault) in
            let peer = try await bench.upgraded()
            return try await closes(peer, with: 1008, within: bench.target.within + .seconds(1))
        },
    ]

    private static func refusal(_ bench: CheckBench, token: String) async throws(CheckFault) -> String {
        var status: Int?
        let peer: CheckPeer
        do throws(CheckFault) {
            peer = try await bench.upgraded(token: token) { status = $0 }
        } catch {
            guard let status else { throw error }
            try expect(status == 401 || status == 403, "HTTP status \(status)")
            return "HTTP status \(status)"
        }
        peer.send(bench.hello("check-\(bench.run)-\(bench.number())", token: token))
        return try await closes(peer, with: 1008)
    }

    private static func closes(_ peer: CheckPeer, with code: UInt16, within: Duration? = nil) async throws(CheckFault) -> String {
        let end = try await peer.untilEnded(within: within)
        guard case .closedByServer(code, _) = end else { throw .seen(CheckPeer.words(end)) }
        return CheckPeer.words(end)
    }

    // MARK: §§ 1, 4

    private static let texts = [
        CheckPoint.rule("a text is answered by a message that is not empty") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            device.say("hello")
            return CheckText.short(try await device.untilShown("message") { !$0.isEmpty })
        },
        .rule("a turn ends: what began to type or think stops") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            device.say("hello")
            let frames = try await device.turn()
            if let typing = frames.last(where: { $0["t"] == "typing" }) {
                try expect(typing.isTrue("stop"), "typing did not stop")
            }
            if let mood = frames.last(where: { $0["t"] == "avatar" }) {
                try expect(mood["state"] == "idle", "the avatar stays \(mood["state"] ?? "without a state")")
            }
            let isFinal = frames.contains { $0.isTrue("final") }
            return "\(frames.count) frames, \(isFinal ? "the last message final" : "no message final")"
        },
        .rule("an edit carries the whole text so far") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            device.say("a text that is long enough to be answered in more than one piece, if replies come in pieces")
            let edits = try await device.turn().filter { $0["t"] == "message" }
            guard edits.contains(where: { $0.isTrue("edit") }) else { throw .open("no edits came") }
            var texts: [String: String] = [:]
            for frame in edits {
                let (id, text) = (frame["id"] ?? "", frame["text"] ?? "")
                if frame.isTrue("edit"), let before = texts[id] {
                    try expect(text.hasPrefix(before), "\(CheckText.short(text)) after \(CheckText.short(before))")
                }
                texts[id] = text
            }
            return "\(edits.count) messages under \(texts.count) id"
        },
        .rule("each message is a JSON object with a t") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            for number in 0..<10 { device.say("form [#\(number)]") }
            _ = try? await device.untilShown("the last of 10") { CommonChecks.marker(in: $0) == 9 }
            let wrong = (await device.peer.quiet(for: bench.target.quiet)).first { $0.object?["t"] == nil }
            if let wrong { throw .seen(wrong.shown) }
            return "\(device.peer.messages.count) messages"
        },
        .custom("texts are echoed once and in order, markers and all") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            for number in 0..<5 { device.say("[#\(number)] \(CommonChecks.unusual)") }
            _ = try await device.untilShown("the last of 5") { $0.hasPrefix("[#4] \(CommonChecks.unusual)") }
            _ = await device.peer.quiet(for: bench.target.quiet)
            let numbers = device.shownTexts().compactMap { CommonChecks.marker(in: $0.text) }
            try expect(numbers == [0, 1, 2, 3, 4], "got \(numbers.map(String.init).joined(separator: " "))")
            return "5 of 5"
        },
        .rule("what is no frame is survived") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            for raw in ["nonsense", "[1]", "{}", #"{"t":7}"#, #"{"t":"not_in_the_list"}"#] { device.peer.send(raw) }
            device.say("after all that")
            _ = try await device.untilShown("message behind them") { !$0.isEmpty }
            return "5 survived"
        },
    ]

    // MARK: § 5

    private static let media = [
        CheckPoint.custom("an upload of one part is confirmed by size and digest") { (bench) throws(CheckFault) in
            try await upload(bench, bytes: 1000)
        },
        .custom("an upload in two parts is confirmed, the first over 4 MiB on the wire") { (bench) throws(CheckFault) in
            try await upload(bench, bytes: 3 << 20 | 1)
        },
        .custom("an empty upload is confirmed") { (bench) throws(CheckFault) in
            try await upload(bench, bytes: 0)
        },
        .rule("an upload does not end the connection") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            _ = device.upload(content(3 << 20 | 1))
            device.say("behind the photo")
            _ = try await device.untilShown("message behind it") { !$0.isEmpty }
            return "still open"
        },
        .rule("a photo comes whole, as its caption says") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            device.say("send photo 4000000")
            let first: CheckObject
            do throws(CheckFault) {
                first = try await device.until("photo", "media")
            } catch {
                if device.peer.end != nil { throw error }
                throw .open("no photo came when asked for")
            }
            return try await photo(device, first)
        },
    ]

    private static func content(_ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private static func upload(_ bench: CheckBench, bytes: Int) async throws(CheckFault) -> String {
        let device = try await bench.device()
        let content = content(bytes)
        let id = device.upload(content)
        let text = try await device.untilShown("confirmation") { $0.contains(id) }
        try expect(text.contains("\(bytes)") && text.lowercased().contains(SHA256Digest(of: content).hex), CheckText.short(text))
        return "\(bytes) bytes"
    }

    private static func decoded(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { Base64.decode($0) }
    }

    private static func photo(_ device: HermesPeer, _ first: CheckObject) async throws(CheckFault) -> String {
        guard let id = first["id"] else { throw .seen("media without an id") }
        if first["url"] != nil { throw .open("it came as an address") }
        let parts = first.integer("parts") ?? 1
        try expect((1...64).contains(parts), "\(parts) parts")
        var content: [Int: [UInt8]] = [:]
        _ = try await device.peer.until("all of \(parts) parts") { message in
            guard let frame = message.object, frame["t"] == "media", frame["id"] == id else { return false }
            let part = frame.integer("part") ?? 0
            content[part] = frame["data"].flatMap { decoded($0) } ?? content[part]
            return (0..<parts).allSatisfy { content[$0] != nil }
        }
        let whole = (0..<parts).reduce(into: [UInt8]()) { $0 += content[$1] ?? [] }
        let caption = first["caption"] ?? ""
        guard caption.contains("sha256=") else { return "\(whole.count) bytes, nothing to compare with" }
        let digest = SHA256Digest(of: whole).hex
        try expect(caption.contains("bytes=\(whole.count)") && caption.contains(digest), "\(whole.count) bytes, another size or digest")
        return "\(whole.count) bytes in \(parts) parts"
    }

    // MARK: § 7

    private static let returning = [
        CheckPoint.rule("a device that was cut off is let in again") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            device.peer.reset()
            let back = try await bench.device(device.id)
            back.say("back again")
            _ = try await back.untilShown("message") { !$0.isEmpty }
            return "ready again"
        },
        .custom("a second connection of one device closes the first with 4001, or both are served") { (bench) throws(CheckFault) in
            let first = try await bench.device()
            let second = try await bench.device(first.id)
            second.say("from the second")
            _ = try await second.untilShown("message on the second") { !$0.isEmpty }
            if let end = first.peer.end {
                guard case .closedByServer(4001, _) = end else { throw .seen("the first: \(CheckPeer.words(end))") }
                return "closed with 4001"
            }
            try expect(!first.frames("message").isEmpty, "the first stays open and gets nothing")
            return "both served"
        },
        .custom("an open card comes again after a reconnect") { (bench) throws(CheckFault) in
            let device = try await bench.device()
            let card = try await HermesChecks.card("please approve", device)
            device.peer.reset()
            let back = HermesPeer(peer: try await bench.upgraded(), id: device.id, newID: bench.newID)
            back.peer.send(bench.hello(device.id))
            _ = try await back.until("card", "prompt") { $0["id"] == card.id }
            back.answer(card.id, card.options.first ?? "deny")
            _ = try await back.until("prompt_done", "prompt_done")
            return "again, and answered"
        },
    ]
}
