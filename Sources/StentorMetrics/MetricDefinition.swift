/// What stands behind a ``Metric``: one row of a table.
struct MetricDefinition: Sendable {
    let name: String
    let unit: Unit
    let help: String
    let buckets: BucketBounds

    init(_ name: String, _ unit: Unit, _ buckets: BucketBounds, _ help: String) {
        (self.name, self.unit, self.buckets, self.help) = (name, unit, buckets, help)
    }
}

/// Sets of bucket bounds for Prometheus: ten each at most, so that every metric in every phase stays below the cap on series.
enum BucketBounds: Sendable {
    /// Half a millisecond to ten seconds: handshakes, pings, lags.
    case short
    /// Milliseconds to a minute: replies, uploads, prompts.
    case long
    /// A tenth of a second to ten minutes: outages.
    case outage
    /// Rates of transfer.
    case rate
    /// Small numbers of things.
    case small

    var bounds: [UInt64] {
        switch self {
        case .short: Self.microseconds([500, 2_000, 5_000, 10_000, 25_000, 100_000, 250_000, 1_000_000, 3_000_000, 10_000_000])
        case .long: Self.microseconds([5_000, 25_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 15_000_000, 60_000_000])
        case .outage:
            Self.microseconds([
                100_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 15_000_000, 30_000_000, 60_000_000, 300_000_000,
            ])
        case .rate: [4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576].map { $0 * 1024 }
        case .small: [0, 1, 2, 3, 5, 8, 13, 21, 50, 100]
        }
    }

    private static func microseconds(_ values: [UInt64]) -> [UInt64] { values.map { $0 * 1000 } }
}

extension Metric {
    var definition: MetricDefinition {
        switch self {
        case .connect: .init("connect", .seconds, .short, "From the start of a dial to the answer that upgrades the connection.")
        case .connectDNS: .init("connect_dns", .seconds, .short, "From the start of a dial to the first address of the target's name.")
        case .connectTCP: .init("connect_tcp", .seconds, .short, "From the first SYN of a dial to the connected socket.")
        case .connectTLS: .init("connect_tls", .seconds, .short, "From the first byte of the TLS handshake to its end.")
        case .connectUpgrade: .init("connect_upgrade", .seconds, .short, "From the upgrade request to the end of its answer.")
        case .ready: .init("ready", .seconds, .short, "From the greeting handed to the kernel to the answer that makes the device ready.")
        case .usable: .init("usable", .seconds, .short, "From the start of a dial to the answer that makes the device ready.")
        case .replyFirst: .init("reply_first", .seconds, .long, "From the instant a text was due to the first frame of its reply.")
        case .reply: .init("reply", .seconds, .long, "From the instant a text was due to the end of its reply.")
        case .fanout: .init("fanout", .seconds, .long, "From the instant a text was due to its arrival at one of those who were to get it.")
        case .fanoutLast:
            .init("fanout_last", .seconds, .long, "From the instant a text was due to its arrival at the last of all who were to get it.")
        case .replyFirstService:
            .init(
                "reply_first_service", .seconds, .long, "From the last byte of a text handed to the kernel to the first frame of its reply."
            )
        case .replyService:
            .init("reply_service", .seconds, .long, "From the last byte of a text handed to the kernel to the end of its reply.")
        case .sendLag: .init("send_lag", .seconds, .short, "From the instant a text was due to its last byte handed to the kernel.")
        case .dialLag: .init("dial_lag", .seconds, .short, "From the instant a dial was due to its start.")
        case .editGap: .init("edit_gap", .seconds, .long, "From one edit of a streamed reply to the next.")
        case .edits: .init("edits", .count, .small, "Edits of one reply.")
        case .upload: .init("upload", .seconds, .long, "From the first byte of a file written to its last byte handed to the kernel.")
        case .uploadRate: .init("upload_rate", .bytesPerSecond, .rate, "Bytes of a file over the time of its upload.")
        case .confirm: .init("confirm", .seconds, .long, "From the last byte of a file handed to the kernel to its confirmation.")
        case .reassembly: .init("reassembly", .seconds, .long, "From the first part of a received file to its last byte.")
        case .reassemblyRate: .init("reassembly_rate", .bytesPerSecond, .rate, "Bytes of a received file over the time of its reassembly.")
        case .promptAnswer: .init("prompt_answer", .seconds, .long, "From a prompt's answer handed to the kernel to the prompt closed.")
        case .reconnect: .init("reconnect", .seconds, .outage, "From the loss of a ready connection to the device ready again.")
        case .detect: .init("detect", .seconds, .outage, "From the cut of a connection to the device noticing its loss.")
        case .attempts: .init("attempts", .count, .small, "Dials from the loss of a ready connection to the device ready again.")
        case .pingRTT: .init("ping_rtt", .seconds, .short, "From a ping handed to the kernel to its pong.")
        case .loopLag:
            .init("loop_lag", .seconds, .short, "From the deadline of an event loop's timer to its firing: the generator's own delay.")
        }
    }
}
