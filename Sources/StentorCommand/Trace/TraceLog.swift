import StentorBase
import StentorClient
import StentorLoop
import StentorWire

/// Turns what happens on a device's connections into lines. Loop thread only.
final class TraceLog: ConnectionTap {
    /// How many characters of a payload are shown.
    static let shownCharacters = 160
    /// How many bytes of a payload are looked at for them.
    private static let headBytes = 4096

    private let start: Instant
    private let secrets: [String]
    private let printsJSON: Bool
    private let limit: Int
    private let write: (String) -> Void
    private let full: () -> Void
    private var lines = 0
    private var head: [UInt8] = []
    private var bytes = 0
    private var kind = MessageKind.text

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - secret: Is shown nowhere; empty: there is none.
    ///   - limit: The most lines; ``full`` is called behind the last.
    init(start: Instant, secret: Secret, printsJSON: Bool, limit: Int, write: @escaping (String) -> Void, full: @escaping () -> Void) {
        (self.start, self.printsJSON, self.limit, self.write, self.full) = (start, printsJSON, limit, write, full)
        secrets = secret.isEmpty ? [] : [secret.reveal(), Self.escaped(secret)]
    }

    /// A secret as it stands in JSON.
    private static func escaped(_ secret: Secret) -> String {
        var json = JSONWriter()
        json.string(secret.reveal())
        return String(String(decoding: json.bytes, as: UTF8.self).dropFirst().dropLast())
    }

    func noted(_ event: ConnectionEvent) {
        switch event {
        case .dialling(let host, let port): line("dialling", "\(host) port \(port)")
        case .upgrading: line("upgrading", nil)
        case .opened: line("opened", nil)
        case .failed(let failure): line("failed", "\(failure.cause.rawValue): \(failure.detail)")
        case .sent(let kind, let head, let bytes): message("sent", kind, Array(head.prefix(Self.headBytes)), bytes)
        case .received(let kind, let payload): message("received", kind, Array(payload.prefix(Self.headBytes)), payload.count)
        case .receivedBegin(let kind): (self.kind, head, bytes) = (kind, [], 0)
        case .receivedPiece(let piece):
            head.append(contentsOf: piece.prefix(max(0, Self.headBytes - head.count)))
            bytes += piece.count
        case .receivedEnd: message("received", kind, head, bytes)
        case .ping(let isOurs): line(isOurs ? "sent" : "received", isOurs ? "ping" : "ping, answered")
        case .pong: line("received", "pong")
        case .closeSent(let code): line("sent", "close \(code)")
        case .ended(let end): line("ended", Self.words(end))
        case .cut: line("cut", nil)
        }
    }

    private static func words(_ end: ConnectionEnd) -> String {
        switch end {
        case .closedByServer(let code, let reason):
            "closed by the gateway, \(code.map { "code \($0)" } ?? "no code")\(reason.isEmpty ? "" : ": \(reason)")"
        case .closed(let code): "our close was answered\(code.map { ", code \($0)" } ?? "")"
        case .closeTimedOut: "our close was not answered"
        case .protocolViolation(let failure): "the gateway broke RFC 6455: \(failure.reason)"
        case .lost(.endOfStream): "the stream ended without a close frame"
        case .lost: "the connection broke"
        }
    }

    private func message(_ event: String, _ kind: MessageKind, _ head: [UInt8], _ bytes: Int) {
        line(event, shown(head, isWhole: bytes <= head.count), kind: kind, bytes: bytes)
    }

    private func shown(_ head: [UInt8], isWhole: Bool) -> String {
        var text = String(decoding: head, as: UTF8.self)
        for secret in secrets { text = text.replacing(secret, with: Secret("").description) }
        let isLong = !isWhole || text.count > Self.shownCharacters
        return TerminalText.clean(String(text.prefix(Self.shownCharacters)), limit: Self.shownCharacters) + (isLong ? "…" : "")
    }

    private func line(_ event: String, _ text: String?, kind: MessageKind? = nil, bytes: Int? = nil) {
        guard lines < limit else { return }
        lines += 1
        let seconds = Instant.now().nanoseconds(since: start)
        write(printsJSON ? json(event, text, kind, bytes, seconds) : plain(event, text, kind, bytes, seconds))
        if lines == limit { full() }
    }

    private func plain(_ event: String, _ text: String?, _ kind: MessageKind?, _ bytes: Int?, _ nanoseconds: Int64) -> String {
        let sign = event == "sent" ? "→" : event == "received" ? "←" : "·"
        let size = bytes.map { "\(kind == .binary ? "binary" : "text") \(Quantity.bytesText(Double($0)))" }
        let words = [sign == "·" ? event : nil, size, text.map { TerminalText.clean($0, limit: Self.shownCharacters + 1) }].compactMap(
            \.self)
        return "\(Self.time(nanoseconds)) \(sign) \(words.joined(separator: "  "))\n"
    }

    private static func time(_ nanoseconds: Int64) -> String {
        let micro = max(0, nanoseconds) / 1000
        let fraction = String(micro % 1_000_000 + 1_000_000).dropFirst()
        let whole = "\(micro / 1_000_000).\(fraction)"
        return String(repeating: " ", count: max(0, 12 - whole.count)) + whole
    }

    private func json(_ event: String, _ text: String?, _ kind: MessageKind?, _ bytes: Int?, _ nanoseconds: Int64) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("at_s")
        json.number(Double(nanoseconds) / 1e9)
        json.key("event")
        json.string(event)
        if let kind {
            json.key("kind")
            json.string(kind == .binary ? "binary" : "text")
        }
        if let bytes {
            json.key("bytes")
            json.integer(bytes)
        }
        if let text {
            json.key(bytes == nil ? "detail" : "payload")
            json.string(text)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
