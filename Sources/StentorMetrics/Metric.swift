/// The distributions of a run.
///
/// Closed: each is defined once, here and in `Docs/metrics.md`.
///
/// Durations are recorded in nanoseconds of the monotonic clock and shown in seconds.
public enum Metric: Int, CaseIterable, Sendable {
    /// Dial to upgrade.
    case connect
    /// Name resolution within `connect`.
    case connectDNS
    /// TCP handshake within `connect`.
    case connectTCP
    /// TLS handshake within `connect`.
    case connectTLS
    /// Upgrade request to its answer within `connect`.
    case connectUpgrade
    /// Greeting sent to greeting answered.
    case ready
    /// Dial to greeting answered.
    case usable
    /// Due to the first frame of the reply.
    case replyFirst
    /// Due to the end of the reply.
    case reply
    /// Text handed to the kernel to the first frame of the reply.
    case replyFirstService
    /// Text handed to the kernel to the end of the reply.
    case replyService
    /// Due to the text handed to the kernel.
    case sendLag
    /// Dial due to dial begun.
    case dialLag
    /// One edit of a reply to the next.
    case editGap
    /// Edits of one reply.
    case edits
    /// First byte of a file written to its last byte handed to the kernel.
    case upload
    /// Bytes of a file over its `upload`.
    case uploadRate
    /// Last byte of a file handed to the kernel to its confirmation.
    case confirm
    /// First part of a received file to its last byte.
    case reassembly
    /// Bytes of a received file over its `reassembly`.
    case reassemblyRate
    /// Answer to a prompt handed to the kernel to the prompt closed.
    case promptAnswer
    /// Connection lost to ready again.
    case reconnect
    /// Connection cut to the loss noticed.
    case detect
    /// Dials from one loss to ready again.
    case attempts
    /// Ping handed to the kernel to its pong.
    case pingRTT
    /// How late the event loop serves its timers.
    case loopLag

    /// The name in gates, reports and documents.
    public var name: String { definition.name }
    /// What it is measured in.
    public var unit: Unit { definition.unit }
    /// From when to when it runs, in one sentence; the help text of its Prometheus histogram.
    public var help: String { definition.help }
    /// The name of its Prometheus histogram.
    public var prometheusName: String {
        unit.suffix.isEmpty || name.hasSuffix("_" + unit.suffix) ? "stentor_\(name)" : "stentor_\(name)_\(unit.suffix)"
    }
    /// The upper bounds of its Prometheus buckets, rising, in the unit that is recorded (nanoseconds for durations); `+Inf` is added.
    public var bounds: [UInt64] { definition.buckets.bounds }
    /// The phases in which its Prometheus histogram exists before it has a sample: `rate()` does not see a first sample without a zero before it.
    var phasesFromStart: Set<Phase> {
        if Self.ratedEverywhere.contains(self) { return Set(Phase.allCases) }
        return Self.ratedInRecovery.contains(self) ? [.steady, .recovery] : [.steady]
    }
    private static let ratedEverywhere: Set<Metric> = [.reply, .usable, .loopLag]
    private static let ratedInRecovery: Set<Metric> = [.reconnect, .detect, .attempts]

    /// The metric of this name, if there is one.
    public init?(name: some StringProtocol) {
        guard let metric = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = metric
    }
}
