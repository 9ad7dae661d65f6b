import StentorBase
import StentorWire

/// What the fleet needs of a dialect: the words of one device, in terms that all dialects share.
///
/// One session lives as long as its device and survives reconnects. Pure: bytes and times in, facts and messages out. It is called on the
/// thread of the device's loop only; messages returned are valid until the next call on a session of the same ``SessionFactory``.
public protocol DeviceSession: AnyObject {
    /// How messages travel: as text or as binary.
    var messageKind: MessageKind { get }

    // MARK: Events

    /// A connection is open; the greeting goes out next.
    func connectionOpened()
    /// The connection is gone; the code is the server's close code, if it sent one.
    func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact])
    /// A whole message came.
    func messageReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact])
    /// A message begins that comes in pieces.
    func streamBegan()
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
    /// A text; `body` holds the marker of its sequence already.
    func text(sequence: Int, id: String, body: String) -> [UInt8]
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
    public init(id: String, name: String, platform: String, appVersion: String, token: Secret) {
        self.id = id
        self.name = name
        self.platform = platform
        self.appVersion = appVersion
        self.token = token
    }
}

/// What a dialect is to the rest of the program: one row of the table.
public struct Dialect: Sendable {
    /// The name in profiles and on the command line.
    public let name: String
    /// The address that a device with this token opens.
    public let address: @Sendable (TargetURL, Secret) -> TargetURL
    /// Makes the factory of one loop.
    public let makeFactory: @Sendable (Correlation) -> any SessionFactory
    /// How devices come back unless the profile says otherwise.
    public let reconnectPolicy: ReconnectPolicy
    /// Close codes after which a device never comes back.
    public let finalCloseCodes: Set<UInt16>
    /// The close code of a device that leaves.
    public let leaveCode: UInt16
    /// Raw bytes in a part of a photo.
    public let photoPartBytes: Int

    /// All dialects that this version speaks.
    public static let all: [Dialect] = [.hermes]

    /// The dialect of a name, if there is one.
    public static func named(_ name: String) -> Dialect? {
        all.first { $0.name == name }
    }
}
