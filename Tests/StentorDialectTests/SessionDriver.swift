import StentorBase
import StentorWire

@testable import StentorDialect

/// The sessions of one loop in a dialect, and what each of them made known. Time is in milliseconds.
final class SessionDriver {
    /// A session, its owner, and all it learned that was not yet looked at.
    final class Device: SessionOwner {
        let session: any DeviceSession
        private var facts: [DeviceFact] = []
        private(set) var settledCount = 0

        init(_ session: any DeviceSession) {
            self.session = session
            session.attach(self)
        }

        func sessionLearned(_ fact: DeviceFact, at now: Instant) { facts.append(fact) }
        func sessionSettled(at now: Instant) { settledCount += 1 }

        /// The facts since the last look.
        func news() -> [DeviceFact] {
            defer { facts = [] }
            return facts
        }

        /// Opens a connection; the greeting goes out at once.
        @discardableResult
        func connect(at milliseconds: Int64 = 0) -> String? {
            session.connectionOpened()
            let greeting = session.greeting().map { String(decoding: $0, as: UTF8.self) }
            session.greetingSent(at: ms(milliseconds), facts: &facts)
            return greeting
        }

        func lose(at milliseconds: Int64) { session.connectionLost(closeCode: nil, at: ms(milliseconds), facts: &facts) }

        func leave(at milliseconds: Int64) -> String? {
            session.farewell(at: ms(milliseconds), facts: &facts).map { String(decoding: $0, as: UTF8.self) }
        }

        func receive(_ message: String, _ kind: MessageKind? = nil, at milliseconds: Int64 = 0) {
            receive(Array(message.utf8), kind, at: milliseconds)
        }

        func receive(_ message: [UInt8], _ kind: MessageKind? = nil, at milliseconds: Int64 = 0) {
            message.withUnsafeBytes {
                session.messageReceived(kind ?? session.messageKind, $0, at: ms(milliseconds), facts: &facts)
            }
        }

        /// Receives a message in pieces of so many bytes.
        func stream(_ message: [UInt8], piece: Int, _ kind: MessageKind? = nil, at milliseconds: Int64 = 0) {
            session.streamBegan(kind ?? session.messageKind)
            var rest = message[...]
            while !rest.isEmpty {
                Array(rest.prefix(piece)).withUnsafeBytes { session.streamReceived($0, at: ms(milliseconds), facts: &facts) }
                rest = rest.dropFirst(piece)
            }
            session.streamEnded(at: ms(milliseconds), facts: &facts)
        }

        /// Makes a text and hands it over; its deadline is 5 s later.
        func send(_ sequence: Int, bytes: Int = 30, at milliseconds: Int64 = 0) -> [UInt8] {
            let message = session.text(sequence: sequence, id: "id", bytes: bytes)
            let text = SentText(sequence: sequence, due: ms(milliseconds), deadline: ms(milliseconds + 5000), phaseTag: 1)
            session.textSent(text, at: ms(milliseconds), facts: &facts)
            return message
        }

        func pass(to milliseconds: Int64) { session.deadlinePassed(at: ms(milliseconds), facts: &facts) }
        func fallSilent(_ isSilent: Bool, at milliseconds: Int64) {
            session.silenceChanged(isSilent: isSilent, at: ms(milliseconds), facts: &facts)
        }
    }

    let factory: any SessionFactory
    let devices: [Device]

    init(_ dialect: Dialect, devices count: Int = 1, _ settings: [String: DialectSettings.Value] = [:]) {
        factory = dialect.makeFactory(SessionSetup(settings: DialectSettings(settings), wallSeconds: { 1_796_000_000.25 }))
        devices = (0..<count).map { [factory] index in
            Device(
                factory.makeSession(
                    DeviceIdentity(index: index, id: "d-\(index)", name: "n", platform: "p", appVersion: "1", token: Secret(""))))
        }
    }

    subscript(index: Int) -> Device { devices[index] }
}

/// What a whole reply of one message at this time is.
func replied(_ sequence: Int, at milliseconds: Int64 = 0) -> DeviceFact {
    .replyEnded(sequence: sequence, firstShownAt: ms(milliseconds), endedAt: ms(milliseconds), edits: 0)
}
