import StentorBase

/// How a simulated gateway behaves: what the protocol leaves open, and the faults that it commits on purpose.
///
/// The defaults are those that `Docs/gateway.md` lists. Every field can be set by name through ``GatewayOption``.
public struct GatewayOptions: Sendable {
    /// Makes the defaults.
    public init() {}

    // MARK: Life

    /// The address to listen on, a name or a numeric address.
    ///
    /// Default `127.0.0.1`.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    ///
    /// Default 0.
    public var port: UInt16 = 0
    /// How long whoever runs the gateway should let it live; nil is until a signal.
    ///
    /// Default nil.
    public var life: Duration?
    /// Seeds every random choice.
    ///
    /// Default 1.
    public var seed: UInt64 = 1
    /// The PEM file with the certificate chain; nil listens without TLS.
    ///
    /// Default nil.
    public var tlsCertificate: String?
    /// The PEM file with the private key of ``tlsCertificate``.
    ///
    /// Default nil.
    public var tlsKey: String?

    // MARK: Connecting

    /// The shared token; nil takes any token that query and hello agree on.
    ///
    /// Default nil.
    public var token: Secret?
    /// Tokens that serve one device id each.
    ///
    /// Default none.
    public var bind: [BoundToken] = []
    /// How a bad token is refused.
    ///
    /// Default close code 1008.
    public var refuse = Refusal.close1008
    /// Whether every token is bad.
    ///
    /// Default false.
    public var refuseAll = false
    /// Query items, decoded, that every upgrade must carry.
    ///
    /// Default none.
    public var expectQuery: [QueryItem] = []
    /// The longest wait for the first frame of a connection.
    ///
    /// Default 10 s.
    public var helloTimeout = Duration.seconds(10)
    /// The wait between hello and ready.
    ///
    /// Default 0.
    public var readyDelay = Duration.zero...Duration.zero
    /// The `avatar_url` of ready; nil leaves it out.
    ///
    /// Default nil.
    public var avatarURL: String?
    /// Whether two frames of unknown type follow every ready.
    ///
    /// Default false.
    public var extraFrames = false
    /// What a second socket of one device id does to the first.
    ///
    /// Default close.
    public var secondSocket = SecondSocket.close
    /// Ready devices at once, more are closed with 1013; 0 is no limit.
    ///
    /// Default 0.
    public var maxDevices = 0
    /// The gap between WebSocket pings; no pong within it closes with 1011.
    ///
    /// nil sends none. Default nil.
    public var pingEvery: Duration?
    /// The longest message taken, in bytes; a longer one closes with 1009.
    ///
    /// Default 8 MiB.
    public var messageLimit = 8 << 20

    // MARK: Replies

    /// The time from the receipt of a text to its reply.
    ///
    /// Default 0.
    public var replyDelay = Duration.zero...Duration.zero
    /// Whether a reply comes as a message and edits that carry the whole text so far.
    ///
    /// Default true.
    public var stream = true
    /// Edits per streamed reply.
    ///
    /// Default 3.
    public var edits = 3
    /// The time between the pieces of a reply.
    ///
    /// Default 100 ms.
    public var editGap = Duration.milliseconds(100)
    /// Without streaming: messages that are appended under one id.
    ///
    /// Default 1.
    public var plainParts = 1
    /// Whether the last piece of a reply says `final`.
    ///
    /// Default true.
    public var final = true
    /// Which mood frames surround a reply.
    ///
    /// Default all.
    public var moods = Moods.all
    /// What becomes of a reply that is due while its device has no socket.
    ///
    /// Default drop.
    public var whileAway = WhileAway.drop
    /// Whether frames go out in binary messages (Hermes), or come as such without a violation (echo).
    ///
    /// Default false.
    public var binary = false
    /// Whether `/` is written as `\/`.
    ///
    /// Default false.
    public var escapeSlashes = false

    // MARK: Faults

    /// The share of replies that are never sent, 0...1.
    ///
    /// Default 0.
    public var loseRate = 0.0
    /// The share of replies that are sent twice, 0...1.
    ///
    /// Default 0.
    public var duplicateRate = 0.0
    /// The share of replies that the next one overtakes, 0...1.
    ///
    /// Default 0.
    public var reorderRate = 0.0
    /// The share of replies preceded by an unknown or malformed frame, 0...1.
    ///
    /// Default 0.
    public var badFrameRate = 0.0
    /// The share of replies preceded by a non-fatal error, 0...1.
    ///
    /// Default 0.
    public var errorRate = 0.0
    /// How long after ready each connection is cut; nil never.
    ///
    /// Default nil.
    public var dropAfter: ClosedRange<Duration>?
    /// The close code of such a cut; nil resets the connection instead.
    ///
    /// Default nil.
    public var closeCode: UInt16?
    /// When, after the start, the gateway restarts once; nil never.
    ///
    /// Default nil.
    public var restartAfter: Duration?
    /// What a restart does to the connections.
    ///
    /// Default close, with 1001.
    public var restartHow = RestartStyle.close
    /// How long a restart refuses connections.
    ///
    /// Default 2 s.
    public var down = Duration.seconds(2)

    // MARK: Faults of a soak

    /// Memory taken and never given back, in bytes per second; nil leaks nothing.
    ///
    /// Default nil.
    public var leakPerSecond: Double?
    /// How much longer the reply delay is for each second since the start, as a share of the delay.
    ///
    /// Linear. Default 0.
    public var latencyDrift = 0.0
    /// The most bytes that each connection is sent in a second, 20 or more; nil is no limit.
    ///
    /// Default nil.
    public var slowWrites: Int?

    // MARK: Prompts

    /// The gap between cards offered unasked to each device; nil offers none.
    ///
    /// Default nil.
    public var promptEvery: Duration?
    /// The cards that are offered unasked, each as often.
    ///
    /// Default all.
    public var promptKinds = PromptOffer.allCases
    /// How long a card stays open.
    ///
    /// Default 300 s.
    public var promptExpiry = Duration.seconds(300)
    /// What a device gets after a reconnect about cards that are open or were closed meanwhile.
    ///
    /// Default card.
    public var promptResend = PromptResend.card
    /// Whether a text is taken as the answer to an open clarify card.
    ///
    /// Default false.
    public var textAnswersClarify = false

    // MARK: Files

    /// The gap between photos sent unasked to each device; nil sends none.
    ///
    /// Default nil.
    public var sendPhotoEvery: Duration?
    /// The size of such a photo in bytes.
    ///
    /// Default 1 MiB.
    public var photoBytes = (1 << 20)...(1 << 20)
    /// What is wrong with every photo.
    ///
    /// Default none.
    public var photoFault = PhotoFault.none
    /// Whether a photo travels in the frame or as an address to download it from.
    ///
    /// Default data.
    public var photoBy = PhotoTransport.data
    /// The largest upload taken, in bytes.
    ///
    /// Default 64 MiB.
    public var fileLimit = 64 << 20
    /// How long an upload may rest before it is given up.
    ///
    /// Default 60 s.
    public var assemblyTimeout = Duration.seconds(60)
    /// Whether half an upload survives a reconnect.
    ///
    /// Default false.
    public var uploadResume = false

    // MARK: Rooms

    /// Whether a sender gets its own messages too.
    ///
    /// Default true.
    public var ownEcho = true
    /// Whether `join` and `leave` are passed on to the members as well.
    ///
    /// Default false.
    public var announce = false
    /// Whether, with ``announce``, a lost connection is told as a `leave`.
    ///
    /// Default false.
    public var leaveOnClose = false
    /// How far a timestamp may be from the gateway's clock before it is a violation.
    ///
    /// Default 1 h.
    public var clockSkew = Duration.seconds(3600)
    /// How many of a room's latest messages one who joins gets.
    ///
    /// Default 0.
    public var history = 0

    // MARK: Typed

    /// Whether the gateway speaks first; without that no device gets connected.
    ///
    /// Default true.
    public var greet = true
    /// From the upgrade to that first message.
    ///
    /// Default 0.
    public var greetDelay = Duration.zero...Duration.zero
    /// The share of replies that go out as text messages, 0...1.
    ///
    /// Default 0.
    public var textFaultRate = 0.0
    /// The share of replies that come behind a binary message which is no JSON, 0...1.
    ///
    /// Default 0.
    public var undecodableRate = 0.0

    // MARK: Echo

    /// Whether `Request served by HOST` comes first.
    ///
    /// Default false.
    public var greeting = false
}
