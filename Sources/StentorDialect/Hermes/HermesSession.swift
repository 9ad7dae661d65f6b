import StentorBase
import StentorWire

extension Dialect {
    /// Hermes: JSON text messages over WebSocket; see `protocols/hermes.md`.
    public static let hermes = Dialect(
        DialectShape(name: "hermes", behaviours: ["text", "photo", "prompts", "ping", "away"], hasTurns: true),
        reconnectPolicy: HermesBackoff.policy(),
        leaveCode: 1000,
        makeFactory: { HermesSessionFactory($0.correlation) },
        address: { url, token in token.isEmpty ? url : url.appendingQuery(name: "token", value: token.reveal()) },
        finalCloseCodes: [1008],
        photoPartBytes: HermesEncoder.partBytes
    )
}

/// Makes Hermes sessions that share one encoder.
final class HermesSessionFactory: SessionFactory {
    private let correlation: Correlation
    fileprivate var encoder = HermesEncoder()
    let received = FrameTally(names: HermesFrameType.names)
    let made = FrameTally(names: HermesDeviceFrame.names)

    init(_ correlation: Correlation) {
        self.correlation = correlation
    }

    func makeSession(_ device: DeviceIdentity) -> any DeviceSession {
        var options = HermesSessionMachine.Options()
        options.correlation = correlation
        return HermesSession(device, factory: self, options: options)
    }
}

/// The Hermes words of one device: its machine for what comes, the shared encoder for what goes.
final class HermesSession: DeviceSession {
    private let device: DeviceIdentity
    private let factory: HermesSessionFactory
    private var machine: HermesSessionMachine

    let messageKind = MessageKind.text

    init(_ device: DeviceIdentity, factory: HermesSessionFactory, options: HermesSessionMachine.Options) {
        self.device = device
        self.factory = factory
        machine = HermesSessionMachine(options: options, received: factory.received)
    }

    func connectionOpened() { machine.connectionOpened() }

    func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact]) {
        machine.connectionLost(closeCode: closeCode, at: now, facts: &facts)
    }

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        machine.messageReceived(bytes, at: now, facts: &facts)
    }

    func streamBegan(_ kind: MessageKind) { machine.streamBegan() }

    func streamReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        machine.streamReceived(bytes, at: now, facts: &facts)
    }

    func streamEnded(at now: Instant, facts: inout [DeviceFact]) { machine.streamEnded(at: now, facts: &facts) }

    var deadline: Instant? { machine.deadline }

    func deadlinePassed(at now: Instant, facts: inout [DeviceFact]) { machine.deadlinePassed(at: now, facts: &facts) }

    func greeting() -> [UInt8]? {
        let hermes = HermesDevice(id: device.id, name: device.name, platform: device.platform, appVersion: device.appVersion)
        factory.made.note(HermesDeviceFrame.hello.rawValue)
        factory.encoder.hello(token: device.token, device: hermes)
        return factory.encoder.bytes
    }

    func text(sequence: Int, id: String, bytes: Int) -> [UInt8] {
        factory.made.note(HermesDeviceFrame.text.rawValue)
        factory.encoder.text(id: id, text: TextBody.make(sequence: sequence, bytes: bytes))
        return factory.encoder.bytes
    }

    func photoPart(id: String, part: Int, parts: Int) -> (prefix: [UInt8], suffix: [UInt8]) {
        factory.made.note(HermesDeviceFrame.media.rawValue)
        factory.encoder.beginMedia(HermesUpload(id: id, mime: "image/jpeg", filename: "photo.jpg"), part: part, parts: parts)
        return (factory.encoder.bytes, HermesEncoder.payloadSuffix)
    }

    func uploadBegan(id: String, bytes: Int) { machine.uploadBegan(id, bytes: bytes) }
    func uploadEnded(id: String) { machine.uploadEnded(id) }
    func turnOpened(_ sequence: Int) { machine.turnOpened(sequence) }
    func turnClosed() { machine.turnClosed() }

    func response(to card: PromptCard, choice: PromptAnswer, text: String) -> PromptResponse? {
        HermesPromptPolicy.response(to: card, choice: choice, text: text)
    }

    func promptAnswer(promptID: String, _ response: PromptResponse) -> [UInt8] {
        factory.made.note(HermesDeviceFrame.prompt.rawValue)
        factory.encoder.promptAnswer(promptID: promptID, response)
        return factory.encoder.bytes
    }
}
