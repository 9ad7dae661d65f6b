import StentorBase
import StentorWire

extension Dialect {
    /// Echo: any message comes back as it was.
    ///
    /// Its specification is the read-me of a chat with a public echo server: connected as soon as the connection is open, at the start and
    /// at will; the server may greet with `Request served by …`; a device leaves with 1000. How devices come back it does not say: here after
    /// 1 s, 2 s, 4 s … up to 30 s.
    public static let echo = Dialect(
        DialectShape(
            name: "echo", options: [DialectShape.Option("binary", .boolean, default: "false")], behaviours: ["text", "ping", "away"],
            textSize: DialectShape.TextSize("0B", "16MiB")),
        reconnectPolicy: ReconnectPolicy(growth: .exponential, base: .seconds(1), cap: .seconds(30)),
        leaveCode: 1000,
        makeFactory: { EchoSessionFactory(isBinary: $0.settings.boolean("binary")) },
        resetsBackoffAtOpen: true,
        agreement: [
            AgreementRule("texts sent", ours: ["messages.sent"], theirs: ["texts", "binary"]),
            AgreementRule(
                "echoes", ours: ["messages.answered", "messages.late", "messages.duplicated", "messages.corrupt"],
                theirs: ["replies.sent"]),
            AgreementRule("texts lost", ours: ["messages.lost"], theirs: ["replies.lost"]),
            AgreementRule("texts duplicated", ours: ["messages.duplicated"], theirs: ["replies.duplicated"]),
            AgreementRule("texts reordered", ours: ["messages.reordered"], theirs: ["replies.reordered"]),
        ]
    )
}

/// Makes the sessions of one loop.
final class EchoSessionFactory: SessionFactory {
    let received = FrameTally(names: ["echo", "greeting", "other"])
    let made = FrameTally(names: ["text"])
    private let isBinary: Bool

    init(isBinary: Bool) { self.isBinary = isBinary }

    func makeSession(_ device: DeviceIdentity) -> any DeviceSession {
        EchoSession(kind: isBinary ? .binary : .text, received: received, made: made)
    }
}

/// The words of one device: what it sent, and whether it comes back the same.
final class EchoSession: DeviceSession {
    /// What a server's greeting begins with.
    private static let greeting = Array("Request served by ".utf8)

    let messageKind: MessageKind
    private let received: FrameTally
    private let made: FrameTally
    private var matcher = EchoMatcher()
    private var isFirst = false
    private var streamedKind = MessageKind.text

    init(kind: MessageKind, received: FrameTally, made: FrameTally) {
        (messageKind, self.received, self.made) = (kind, received, made)
    }

    func connectionOpened() {
        isFirst = true
        matcher.begin()
    }

    /// Nothing goes before the first text.
    func greetingSent(at now: Instant, facts: inout [DeviceFact]) { facts.append(.ready) }

    func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact]) { matcher.connectionLost() }

    func text(sequence: Int, id: String, bytes: Int) -> [UInt8] {
        made.note(0)
        matcher.queued(sequence, bytes: bytes)
        return TextBody.exact(sequence: sequence, bytes: bytes)
    }

    func textSent(_ text: SentText, at now: Instant, facts: inout [DeviceFact]) { matcher.sent(text.sequence, deadline: text.deadline) }

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        streamBegan(kind)
        streamReceived(bytes, at: now, facts: &facts)
        streamEnded(at: now, facts: &facts)
    }

    func streamBegan(_ kind: MessageKind) {
        streamedKind = kind
        matcher.begin()
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) { matcher.append(bytes) }

    func streamEnded(at now: Instant, facts: inout [DeviceFact]) {
        let mayGreet = isFirst
        isFirst = false
        let match = matcher.finish(at: now)
        if mayGreet, streamedKind == .text, isGreeting(match) { return received.note(1) }
        guard streamedKind == messageKind else {
            received.note(2)
            return facts.append(.wrongKind)
        }
        if case .echo = match { received.note(0) } else { received.note(2) }
        switch match {
        case .echo(let sequence): facts.append(.replyEnded(sequence: sequence, firstShownAt: now, endedAt: now, edits: 0))
        case .damaged: facts.append(.corruptReply)
        case .foreign: facts.append(.unmatchedReply)
        }
    }

    /// What is sent comes first: a text that happens to read like a greeting is an echo.
    private func isGreeting(_ match: EchoMatcher.Match) -> Bool {
        if case .echo = match { false } else { matcher.beginning.starts(with: Self.greeting) }
    }
}
