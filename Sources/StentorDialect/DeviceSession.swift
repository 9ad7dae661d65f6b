import StentorBase
import StentorWire

/// What the fleet needs of a dialect: the words of one device, in terms that all dialects share.
///
/// One session lives as long as its device and survives reconnects. Pure: bytes and times in, facts and messages out. It is called on the
/// thread of the device's loop only; messages returned are valid until the next call on a session of the same ``SessionFactory``.
///
/// What a dialect does not have, it need not implement: see the extension.
public protocol DeviceSession: AnyObject {
    /// How messages travel: as text or as binary.
    var messageKind: MessageKind { get }
    /// Names whom to tell of what another session of the factory made known about this device; he is not retained.
    func attach(_ owner: any SessionOwner)

    // MARK: Events

    /// A connection is open; the greeting goes out next.
    func connectionOpened()
    /// The greeting is with the kernel; without a greeting, all that was to go before it.
    func greetingSent(at now: Instant, facts: inout [DeviceFact])
    /// The connection is gone; the code is the server's close code, if it sent one.
    func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact])
    /// The socket plays dead from now on, or no longer: nothing is read and nothing written meanwhile.
    func silenceChanged(isSilent: Bool, at now: Instant, facts: inout [DeviceFact])
    /// A whole message came.
    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact])
    /// A message begins that comes in pieces.
    func streamBegan(_ kind: MessageKind)
    /// A piece of it came.
    func streamReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact])
    /// It is complete.
    func streamEnded(at now: Instant, facts: inout [DeviceFact])
    /// When ``deadlinePassed(at:facts:)`` is due; nil: nothing is awaited.
    var deadline: Instant? { get }
    /// Ends what is overdue.
    func deadlinePassed(at now: Instant, facts: inout [DeviceFact])

    // MARK: Messages

    /// The first message of a connection; nil when the dialect greets in silence.
    func greeting() -> [UInt8]?
    /// A text of this size, with the words of ``TextBody``.
    func text(sequence: Int, id: String, bytes: Int) -> [UInt8]
    /// A text is with the kernel.
    func textSent(_ text: SentText, at now: Instant, facts: inout [DeviceFact])
    /// Whether something that others have sent is still to come; a device that leaves waits for it.
    var isExpecting: Bool { get }
    /// The last message before the device closes its connection; nil when the dialect leaves in silence.
    func farewell(at now: Instant, facts: inout [DeviceFact]) -> [UInt8]?
    /// What goes out before the base64 of a part of a photo, and after it.
    func photoPart(id: String, part: Int, parts: Int) -> (prefix: [UInt8], suffix: [UInt8])
    /// An upload begins or is over: messages that speak of it are its confirmation.
    func uploadBegan(id: String, bytes: Int)
    /// See ``uploadBegan(id:bytes:)``.
    func uploadEnded(id: String)
    /// The text of this sequence waits for its reply alone, or no longer: for ``Correlation/turn``.
    func turnOpened(_ sequence: Int)
    /// See ``turnOpened(_:)``.
    func turnClosed()
    /// What to answer to a card; nil: nothing.
    func response(to card: PromptCard, choice: PromptAnswer, text: String) -> PromptResponse?
    /// The message that carries an answer.
    func promptAnswer(promptID: String, _ response: PromptResponse) -> [UInt8]
}

extension DeviceSession {
    /// Tells nobody.
    public func attach(_ owner: any SessionOwner) {}
    /// Waits for an answer.
    public func greetingSent(at now: Instant, facts: inout [DeviceFact]) {}
    /// Makes no difference.
    public func silenceChanged(isSilent: Bool, at now: Instant, facts: inout [DeviceFact]) {}
    /// Awaits nothing.
    public var deadline: Instant? { nil }
    /// Awaits nothing.
    public func deadlinePassed(at now: Instant, facts: inout [DeviceFact]) {}
    /// Greets in silence.
    public func greeting() -> [UInt8]? { nil }
    /// Makes no difference.
    public func textSent(_ text: SentText, at now: Instant, facts: inout [DeviceFact]) {}
    /// Expects nothing.
    public var isExpecting: Bool { false }
    /// Leaves in silence.
    public func farewell(at now: Instant, facts: inout [DeviceFact]) -> [UInt8]? { nil }

    /// Has no photos: a profile cannot ask for any.
    public func photoPart(id: String, part: Int, parts: Int) -> (prefix: [UInt8], suffix: [UInt8]) {
        preconditionFailure("DeviceSession: a photo in a dialect without photos")
    }
    /// Has no photos.
    public func uploadBegan(id: String, bytes: Int) {}
    /// Has no photos.
    public func uploadEnded(id: String) {}
    /// Has no turns.
    public func turnOpened(_ sequence: Int) {}
    /// Has no turns.
    public func turnClosed() {}
    /// Has no cards.
    public func response(to card: PromptCard, choice: PromptAnswer, text: String) -> PromptResponse? { nil }
    /// Has no cards.
    public func promptAnswer(promptID: String, _ response: PromptResponse) -> [UInt8] {
        preconditionFailure("DeviceSession: a card in a dialect without cards")
    }
}

/// A text that was handed to the kernel.
public struct SentText: Equatable, Sendable {
    /// Its number, rising with the texts of a device.
    public let sequence: Int
    /// When it was due.
    public let due: Instant
    /// When its outcome must be there.
    public let deadline: Instant
    /// What comes back with facts about it, for whoever reads them.
    public let phaseTag: UInt8

    /// Makes a text.
    public init(sequence: Int, due: Instant, deadline: Instant, phaseTag: UInt8) {
        (self.sequence, self.due, self.deadline, self.phaseTag) = (sequence, due, deadline, phaseTag)
    }
}

/// Whoever acts for a session: hears of what other devices of the same loop have made known about it.
public protocol SessionOwner: AnyObject {
    /// A fact, as if one of the session's own events had brought it.
    func sessionLearned(_ fact: DeviceFact, at now: Instant)
    /// ``DeviceSession/isExpecting`` has become false.
    func sessionSettled(at now: Instant)
}

/// Makes the sessions of one loop, which share what need not be there per device.
public protocol SessionFactory: AnyObject {
    /// Messages received, by type.
    var received: FrameTally { get }
    /// Messages made to be sent, by type.
    var made: FrameTally { get }
    /// The session of a device.
    func makeSession(_ device: DeviceIdentity) -> any DeviceSession
}

/// Who a device is to the server.
public struct DeviceIdentity: Sendable {
    /// The device's number, from 0.
    public let index: Int
    /// The stable id.
    public let id: String
    /// A name for people.
    public let name: String
    /// For instance `ios`.
    public let platform: String
    /// For instance `1.4.0`.
    public let appVersion: String
    /// The token; empty: none.
    public let token: Secret

    /// Makes an identity.
    public init(index: Int, id: String, name: String, platform: String, appVersion: String, token: Secret) {
        self.index = index
        self.id = id
        self.name = name
        self.platform = platform
        self.appVersion = appVersion
        self.token = token
    }
}
