import StentorClient
import StentorWire

/// The points of the typed dialect.
enum TypedChecks {
    static let all = [CommonChecks.ping, CommonChecks.close(1001), greeting, form, replies, wrong, order]

    private static func connect(_ bench: CheckBench) async throws(CheckFault) -> CheckPeer {
        let peer = try await bench.connect()
        _ = try await peer.until("first message, without which no device is connected") { _ in true }
        peer.forget()
        return peer
    }

    private static func say(_ peer: CheckPeer, _ content: String) {
        peer.send(["sender": "check", "content": .text(content)], .binary)
    }

    /// The content of a message that is as it must be.
    private static func content(_ message: CheckMessage) -> String? {
        guard message.kind == .binary, let object = message.object, object["sender"] != nil else { return nil }
        return object["content"]
    }

    private static let greeting = CheckPoint.rule("a first message comes unasked") { (bench) throws(CheckFault) in
        let peer = try await bench.connect()
        let first = try await peer.until("first message, without which no device is connected") { _ in true }
        return first.shown
    }

    private static let form = CheckPoint.rule("each message is a binary one of {sender, content}") { (bench) throws(CheckFault) in
        let peer = try await bench.connect()
        _ = try await peer.until("first message") { _ in true }
        for number in 0..<20 { say(peer, "form [#\(number)]") }
        _ = try? await peer.until("the last of 20") { CommonChecks.marker(in: $0.text) == 19 }
        let wrong = (await peer.quiet(for: bench.target.quiet)).first { content($0) == nil }
        if let wrong { throw .seen("\(wrong.kind == .text ? "a text message" : "binary") \(wrong.shown)") }
        return "\(peer.messages.count) messages"
    }

    private static let replies = CheckPoint.rule("a message is answered with its content") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        for text in ["hello", CommonChecks.unusual, "", String(repeating: "long ", count: 2000)] {
            say(peer, text)
            _ = try await peer.until("reply to \(CheckText.short(text))") { content($0) == text }
            peer.forget()
        }
        return "4 of 4"
    }

    private static let wrong = CheckPoint.rule("wrong messages are survived, and get no reply") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        peer.send(#"{"sender":"a","content":"as text"}"#)
        for bytes in ["nonsense", "[1]", #"{"sender":"a"}"#, #"{"sender":1,"content":"b"}"#] { peer.send(Array(bytes.utf8), .binary) }
        peer.send([0xFF, 0xFE], .binary)
        say(peer, "after all that")
        _ = try await peer.until("reply to a right message behind them") { content($0) == "after all that" }
        let other = peer.since.first { content($0) != "after all that" && content($0) != "as text" }
        if let other { throw .seen("got \(other.shown)") }
        return "6 survived"
    }

    private static let order = CheckPoint.rule("twelve messages are answered once, in order") { (bench) throws(CheckFault) in
        let peer = try await connect(bench)
        return try await CommonChecks.inOrder(12, [peer], quiet: bench.target.quiet) {
            say(peer, "text [#\($0)]")
        } number: {
            content($0).flatMap { CommonChecks.marker(in: $0) }
        }
    }
}
