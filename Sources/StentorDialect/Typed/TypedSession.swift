import StentorBase
import StentorWire

extension Dialect {
    /// Typed: `{sender, content}` as JSON in binary messages, both ways.
    ///
    /// Its specification is an article on a handler of typed messages: a device counts as connected only with the first message that it
    /// could read; a text message is an error of the server, which ends nothing; a device leaves with 1001. The article does not say how
    /// devices come back: here after 1 s, 2 s, 4 s … up to 30 s.
    public static let typed = Dialect(
        DialectShape(name: "typed", behaviours: ["text", "ping", "away"]),
        reconnectPolicy: ReconnectPolicy(growth: .exponential, base: .seconds(1), cap: .seconds(30)),
        leaveCode: 1001,
        makeFactory: { _ in TypedSessionFactory() },
        agreement: [
            AgreementRule("texts sent", ours: ["messages.sent"], theirs: ["messages"]),
            AgreementRule(
                "replies", ours: ["messages.answered", "messages.late", "messages.duplicated", "frames.wrong_kind"],
                theirs: ["replies.sent"]),
            AgreementRule("text messages", ours: ["frames.wrong_kind"], theirs: ["text_faults"]),
            AgreementRule("undecodable messages", ours: ["frames.malformed"], theirs: ["undecodable_faults"]),
        ],
        unreadyReason: "nothing was received, and only a first message makes a device connected"
    )
}

/// Makes the sessions of one loop, which share an encoder.
final class TypedSessionFactory: SessionFactory {
    let received = FrameTally(names: ["message"])
    let made = FrameTally(names: ["message"])
    private var writer = JSONWriter(capacity: 512)

    func makeSession(_ device: DeviceIdentity) -> any DeviceSession { TypedSession(device.id, factory: self) }

    /// Makes a message, valid until the next one.
    fileprivate func message(sender: String, content: String) -> [UInt8] {
        made.note(0)
        writer.reset()
        writer.beginObject()
        writer.key("sender")
        writer.string(sender)
        writer.key("content")
        writer.string(content)
        writer.endObject()
        return writer.bytes
    }
}

/// The words of one device: its messages, and the replies with the same marker.
final class TypedSession: DeviceSession {
    private let id: String
    // The factory is the crew's and outlives all its sessions.
    private unowned let factory: TypedSessionFactory
    private var assembly = MessageAssembly()
    private var streamedKind = MessageKind.binary
    private var isConnected = false

    let messageKind = MessageKind.binary

    init(_ id: String, factory: TypedSessionFactory) {
        (self.id, self.factory) = (id, factory)
    }

    func connectionOpened() {
        assembly.begin()
        isConnected = false
    }

    func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact]) {
        assembly.begin()
        isConnected = false
    }

    func text(sequence: Int, id: String, bytes: Int) -> [UInt8] {
        factory.message(sender: self.id, content: TextBody.make(sequence: sequence, bytes: bytes))
    }

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        guard kind == .binary else { return facts.append(.wrongKind) }
        guard let content = Self.content(bytes) else { return facts.append(.malformedFrame) }
        factory.received.note(0)
        let isFirst = !isConnected
        isConnected = true
        if isFirst { facts.append(.ready) }
        if let sequence = content.withUnescaped(in: bytes, { ReplyMarker.find(in: $0) }) {
            facts.append(.replyEnded(sequence: sequence, firstShownAt: now, endedAt: now, edits: 0))
        } else if !isFirst {
            // The first may be a welcome; any other is an answer to nothing.
            facts.append(.unmatchedReply)
        }
    }

    func streamBegan(_ kind: MessageKind) {
        assembly.begin()
        streamedKind = kind
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) { assembly.append(bytes) }

    func streamEnded(at now: Instant, facts: inout [DeviceFact]) {
        guard let whole = assembly.take() else { return facts.append(.malformedFrame) }
        whole.withUnsafeBytes { messageReceived(streamedKind, $0, at: now, facts: &facts) }
    }

    /// The words of a message; nil if it is no JSON object with both fields.
    private static func content(_ bytes: UnsafeRawBufferPointer) -> JSONText? {
        var (sender, content): (JSONText?, JSONText?)
        do throws(JSONFailure) {
            try JSONScanner.readObject(bytes) { key, value in
                if key.equals("sender", in: bytes) { sender = value.text }
                if key.equals("content", in: bytes) { content = value.text }
            }
        } catch {
            return nil
        }
        return sender == nil ? nil : content
    }
}
