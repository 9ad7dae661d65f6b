import StentorBase
import StentorDialect
import StentorWire

/// A session machine with a clock in milliseconds, for tests.
final class HermesDriver {
    private var machine: HermesSessionMachine

    init(_ configure: (inout HermesSessionMachine.Options) -> Void = { _ in }) {
        var options = HermesSessionMachine.Options()
        configure(&options)
        machine = HermesSessionMachine(options: options)
        machine.connectionOpened()
    }

    /// The deadline in milliseconds.
    var deadline: Int64? { machine.deadline.map { $0.nanoseconds / 1_000_000 } }

    func receive(_ message: String, at milliseconds: Int64 = 0) -> [DeviceFact] {
        receive(Array(message.utf8), at: milliseconds)
    }

    func receive(_ message: [UInt8], at milliseconds: Int64 = 0) -> [DeviceFact] {
        var facts: [DeviceFact] = []
        message.withUnsafeBytes { machine.messageReceived($0, at: ms(milliseconds), facts: &facts) }
        return facts
    }

    /// Receives several messages at the same time.
    func receive(all messages: [String], at milliseconds: Int64 = 0) -> [DeviceFact] {
        messages.flatMap { receive($0, at: milliseconds) }
    }

    /// Streams a message in pieces of so many bytes.
    func stream(_ message: [UInt8], piece: Int, at milliseconds: Int64 = 0) -> [DeviceFact] {
        var facts = streamBegin(message, piece: piece, at: milliseconds)
        machine.streamEnded(at: ms(milliseconds), facts: &facts)
        return facts
    }

    /// Streams a message but not its end.
    func streamBegin(_ message: [UInt8], piece: Int, at milliseconds: Int64 = 0) -> [DeviceFact] {
        var facts: [DeviceFact] = []
        machine.streamBegan()
        var rest = message[...]
        while !rest.isEmpty {
            Array(rest.prefix(piece)).withUnsafeBytes { machine.streamReceived($0, at: ms(milliseconds), facts: &facts) }
            rest = rest.dropFirst(piece)
        }
        return facts
    }

    func pass(to milliseconds: Int64) -> [DeviceFact] {
        var facts: [DeviceFact] = []
        machine.deadlinePassed(at: ms(milliseconds), facts: &facts)
        return facts
    }

    func lose(closeCode: UInt16? = nil, at milliseconds: Int64 = 0) -> [DeviceFact] {
        var facts: [DeviceFact] = []
        machine.connectionLost(closeCode: closeCode, at: ms(milliseconds), facts: &facts)
        return facts
    }

    func reconnect() { machine.connectionOpened() }
    func openTurn(_ sequence: Int) { machine.turnOpened(sequence) }
    func closeTurn() { machine.turnClosed() }
    func beginUpload(_ id: String, bytes: Int? = nil) { machine.uploadBegan(id, bytes: bytes) }
    func endUpload(_ id: String) { machine.uploadEnded(id) }
}

/// An instant by its milliseconds.
func ms(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
}

/// A gap by its milliseconds.
func edited(after milliseconds: Int64) -> DeviceFact {
    .replyEdited(gapNanoseconds: milliseconds * 1_000_000)
}
