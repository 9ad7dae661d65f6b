/// The counts of a run.
///
/// Closed: each is defined once, here and in `Docs/metrics.md`.
public enum Counter: Int, CaseIterable, Sendable {
    /// Texts handed to the kernel.
    case messagesSent
    /// Texts whose reply ended within its deadline.
    case messagesAnswered
    /// Texts whose reply ended after its deadline.
    case messagesLate
    /// Texts without a reply at their deadline; a later reply makes them late.
    case messagesLost
    /// Texts sent whose outcome is open.
    case messagesInDoubt
    /// Replies beyond the first to the same text.
    case messagesDuplicated
    /// Replies that overtook the reply to an earlier text of the device.
    case messagesReordered
    /// Texts that were due and could not be sent.
    case messagesNotSent
    /// Replies that answer no text of the device, or one too old to be remembered.
    case messagesUnmatched
    /// Files of which a first byte was handed to the kernel.
    case uploadsSent
    /// Files confirmed intact within their deadline.
    case uploadsConfirmed
    /// Files confirmed intact after their deadline.
    case uploadsLate
    /// Files confirmed with another size or digest than was sent.
    case uploadsCorrupt
    /// Files without a confirmation at their deadline; a later one makes them late.
    case uploadsLost
    /// Files sent whose outcome is open.
    case uploadsInDoubt
    /// Files that were due and could not be sent.
    case uploadsNotSent
    /// Bytes of files handed to the kernel, before any encoding.
    case uploadsBytes
    /// Files of which a first part, or an address, was received.
    case downloadsStarted
    /// Files received in full and not found corrupt.
    case downloadsComplete
    /// Complete files whose digest was known and matched.
    case downloadsVerified
    /// Files whose encoding, size or digest was wrong.
    case downloadsCorrupt
    /// Files given up: no progress in time, or the connection was lost half-way.
    case downloadsIncomplete
    /// Files being received.
    case downloadsOpen
    /// Bytes of files received, after any decoding.
    case downloadsBytes
    /// Files that came as an address; they are noted, not fetched.
    case downloadsByURL
    /// Corrupt files in both directions.
    case mediaCorrupt
    /// Prompts shown to a device, each once.
    case promptsReceived
    /// Prompts closed with the answer that the device gave.
    case promptsAnswered
    /// Prompts closed with another answer than the device gave.
    case promptsSubstituted
    /// Prompts that the server closed because their time was over.
    case promptsExpired
    /// Prompts closed in time without an answer of the device.
    case promptsSuperseded
    /// Prompts received and not closed.
    case promptsOpen
    /// Prompts that the device left alone on purpose; they end in another count too.
    case promptsIgnored
    /// Dials begun, first ones and retries.
    case dials
    /// Dials that a server put off with `Retry-After` beyond the device's own back-off.
    case dialsDeferred
    /// Dials that reached the upgrade.
    case connects
    /// Connections that became ready.
    case ready
    /// Devices that were ready again after a loss.
    case reconnects
    /// Ready connections that ended, for whatever cause.
    case disconnects
    /// Times that a device went away as the profile's `away` wants.
    case absences
    /// Messages of the dialect sent.
    case framesSent
    /// Messages of the dialect received.
    case framesReceived
    /// Messages received whose type the dialect does not know.
    case framesUnknown
    /// Messages received that break the dialect's form.
    case framesMalformed
    /// Bytes handed to the kernel, with framing, without TLS and TCP.
    case bytesSent
    /// Bytes received, with framing, without TLS and TCP.
    case bytesReceived
    /// Pings sent.
    case pingsSent
    /// Pongs that match a ping.
    case pongsReceived
    /// Pings without a pong in time.
    case pongsMissed
    /// Error messages of the server.
    case serverErrors
    /// Timers that the devices' event loops fired.
    case timersFired
    /// Those of them that fired more than 10 ms after their deadline.
    case timersLate

    /// How a count moves; decides its Prometheus type.
    public enum Kind: Sendable {
        /// Only rises: a Prometheus counter.
        case total
        /// An outcome that later news can take back, such as lost → late. It may fall, and a counter that falls reads as a restart: a gauge.
        case revisable
        /// What is open at this moment: a gauge.
        case level
        /// The sum of other totals, never counted itself: a Prometheus counter.
        case derived
    }

    /// The dotted name in gates, reports and documents.
    public var name: String { definition.name }
    /// How it moves.
    public var kind: Kind { definition.kind }
    /// What is counted, in one sentence; the help text of its Prometheus metric.
    public var help: String { definition.help }
    /// The name of its Prometheus metric.
    public var prometheusName: String {
        let isCounter = kind == .total || kind == .derived
        return "stentor_" + definition.noun + (isCounter ? "_total" : "")
    }
    /// The counts that a derived one is the sum of; empty for all others.
    public var parts: [Counter] {
        self == .mediaCorrupt ? [.uploadsCorrupt, .downloadsCorrupt] : []
    }
    /// What must have been seen before this count says anything: a gate on `messages.lost` has no data when no message was sent.
    ///
    /// Empty: the count says something by itself, also when it is 0.
    public var population: [Counter] { definition.population }

    /// The counter of this name, if there is one.
    public init?(name: some StringProtocol) {
        guard let counter = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = counter
    }
}
