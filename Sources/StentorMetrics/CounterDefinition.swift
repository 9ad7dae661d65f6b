/// What stands behind a ``Counter``: one row of a table.
struct CounterDefinition: Sendable {
    let name: String
    let kind: Counter.Kind
    let population: [Counter]
    let noun: String
    let help: String

    /// A row; `noun` is the Prometheus name without prefix and `_total`, by default the dotted name with underscores.
    init(_ name: String, _ kind: Counter.Kind = .total, of population: [Counter] = [], noun: String? = nil, help: String) {
        (self.name, self.kind, self.population, self.help) = (name, kind, population, help)
        self.noun = noun ?? String(name.map { $0 == "." ? "_" : $0 })
    }
}

extension Counter {
    var definition: CounterDefinition {
        switch self {
        case .messagesSent: .init("messages.sent", help: "Texts handed to the kernel.")
        case .messagesAnswered: .init("messages.answered", of: [.messagesSent], help: "Texts whose reply ended within its deadline.")
        case .messagesLate: .init("messages.late", of: [.messagesSent], help: "Texts whose reply ended after its deadline.")
        case .messagesLost:
            .init(
                "messages.lost", .revisable, of: [.messagesSent],
                help: "Texts without a reply at their deadline; a later reply makes them late.")
        case .messagesInDoubt: .init("messages.in_doubt", .level, of: [.messagesSent], help: "Texts sent whose outcome is open.")
        case .messagesDuplicated: .init("messages.duplicated", of: [.messagesSent], help: "Replies beyond the first to the same text.")
        case .messagesReordered:
            .init("messages.reordered", of: [.messagesSent], help: "Replies that overtook the reply to an earlier text of the device.")
        case .messagesNotSent: .init("messages.not_sent", help: "Texts that were due and could not be sent.")
        case .messagesUnmatched:
            .init("messages.unmatched", help: "Replies that answer no text of the device, or one too old to be remembered.")
        case .uploadsSent: .init("uploads.sent", help: "Files of which a first byte was handed to the kernel.")
        case .uploadsConfirmed: .init("uploads.confirmed", of: [.uploadsSent], help: "Files confirmed intact within their deadline.")
        case .uploadsLate: .init("uploads.late", of: [.uploadsSent], help: "Files confirmed intact after their deadline.")
        case .uploadsCorrupt:
            .init("uploads.corrupt", of: [.uploadsSent], help: "Files confirmed with another size or digest than was sent.")
        case .uploadsLost:
            .init(
                "uploads.lost", .revisable, of: [.uploadsSent],
                help: "Files without a confirmation at their deadline; a later one makes them late.")
        case .uploadsInDoubt: .init("uploads.in_doubt", .level, of: [.uploadsSent], help: "Files sent whose outcome is open.")
        case .uploadsNotSent: .init("uploads.not_sent", help: "Files that were due and could not be sent.")
        case .uploadsBytes:
            .init(
                "uploads.bytes", of: [.uploadsSent], noun: "uploaded_bytes",
                help: "Bytes of files handed to the kernel, before any encoding.")
        case .downloadsStarted: .init("downloads.started", help: "Files of which a first part, or an address, was received.")
        case .downloadsComplete: .init("downloads.complete", of: [.downloadsStarted], help: "Files received in full and not found corrupt.")
        case .downloadsVerified:
            .init("downloads.verified", of: [.downloadsStarted], help: "Complete files whose digest was known and matched.")
        case .downloadsCorrupt: .init("downloads.corrupt", of: [.downloadsStarted], help: "Files whose encoding, size or digest was wrong.")
        case .downloadsIncomplete:
            .init(
                "downloads.incomplete", of: [.downloadsStarted],
                help: "Files given up: no progress in time, or the connection was lost half-way.")
        case .downloadsOpen: .init("downloads.open", .level, of: [.downloadsStarted], help: "Files being received.")
        case .downloadsBytes:
            .init(
                "downloads.bytes", of: [.downloadsStarted], noun: "downloaded_bytes", help: "Bytes of files received, after any decoding.")
        case .downloadsByURL:
            .init("downloads.by_url", of: [.downloadsStarted], help: "Files that came as an address; they are noted, not fetched.")
        case .mediaCorrupt:
            .init("media.corrupt", .derived, of: [.uploadsSent, .downloadsStarted], help: "Corrupt files in both directions.")
        case .promptsReceived: .init("prompts.received", help: "Prompts shown to a device, each once.")
        case .promptsAnswered:
            .init("prompts.answered", of: [.promptsReceived], help: "Prompts closed with the answer that the device gave.")
        case .promptsSubstituted:
            .init("prompts.substituted", of: [.promptsReceived], help: "Prompts closed with another answer than the device gave.")
        case .promptsExpired:
            .init("prompts.expired", of: [.promptsReceived], help: "Prompts that the server closed because their time was over.")
        case .promptsSuperseded:
            .init("prompts.superseded", of: [.promptsReceived], help: "Prompts closed in time without an answer of the device.")
        case .promptsOpen: .init("prompts.open", .level, of: [.promptsReceived], help: "Prompts received and not closed.")
        case .promptsIgnored:
            .init(
                "prompts.ignored", of: [.promptsReceived],
                help: "Prompts that the device left alone on purpose; they end in another count too.")
        case .dials: .init("dials", help: "Dials begun, first ones and retries.")
        case .dialsDeferred:
            .init(
                "dials.deferred", of: [.dials], noun: "deferred_dials",
                help: "Dials that a server put off with Retry-After beyond the device's own back-off.")
        case .connects: .init("connects", of: [.dials], help: "Dials that reached the upgrade.")
        case .ready: .init("ready", of: [.dials], help: "Connections that became ready.")
        case .reconnects: .init("reconnects", of: [.disconnects], help: "Devices that were ready again after a loss.")
        case .disconnects: .init("disconnects", of: [.ready], help: "Ready connections that ended, for whatever cause.")
        case .absences: .init("absences", of: [.ready], help: "Times that a device went away as the profile's away wants.")
        case .framesSent: .init("frames.sent", help: "Messages of the dialect sent.")
        case .framesReceived: .init("frames.received", help: "Messages of the dialect received.")
        case .framesUnknown: .init("frames.unknown", of: [.framesReceived], help: "Messages received whose type the dialect does not know.")
        case .framesMalformed: .init("frames.malformed", of: [.framesReceived], help: "Messages received that break the dialect's form.")
        case .bytesSent: .init("bytes.sent", noun: "sent_bytes", help: "Bytes handed to the kernel, with framing, without TLS and TCP.")
        case .bytesReceived: .init("bytes.received", noun: "received_bytes", help: "Bytes received, with framing, without TLS and TCP.")
        case .pingsSent: .init("pings.sent", help: "Pings sent.")
        case .pongsReceived: .init("pongs.received", of: [.pingsSent], help: "Pongs that match a ping.")
        case .pongsMissed: .init("pongs.missed", of: [.pingsSent], help: "Pings without a pong in time.")
        case .serverErrors: .init("errors.server", of: [.framesReceived], noun: "server_errors", help: "Error messages of the server.")
        case .timersFired: .init("timers.fired", help: "Timers that the devices' event loops fired.")
        case .timersLate:
            .init("timers.late", of: [.timersFired], help: "Timers that fired more than 10 ms after their deadline.")
        }
    }
}
