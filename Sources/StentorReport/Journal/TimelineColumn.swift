import StentorBase
import StentorMetrics

/// One column of `timeline.csv`.
struct TimelineColumn: Sendable {
    /// Its name in the header.
    let name: String
    /// What its cells are, in one sentence, with the unit.
    let help: String
    private let value: @Sendable (JournalSecond) -> String

    init(_ name: String, _ help: String, text value: @escaping @Sendable (JournalSecond) -> String) {
        (self.name, self.help, self.value) = (name, help, value)
    }

    init(_ name: String, _ help: String, _ value: @escaping @Sendable (JournalSecond) -> Double?) {
        self.init(name, help, text: { CSVCell.number(value($0)) })
    }

    /// A column of latencies, in seconds to the microsecond.
    private init(latency name: String, _ help: String, _ value: @escaping @Sendable (JournalSecond) -> Double?) {
        self.init(name, help, text: { CSVCell.number(value($0), decimals: 6) })
    }

    /// The cell of a row.
    func cell(_ second: JournalSecond) -> String { value(second) }

    /// All columns, in their order.
    static let all: [TimelineColumn] = time + states + rates + latencies + errors + causes + generator

    /// The header and its line end.
    static let header = Array((all.map(\.name).joined(separator: ",") + "\n").utf8)

    /// A row and its line end.
    static func row(_ second: JournalSecond) -> [UInt8] {
        Array((all.map { $0.cell(second) }.joined(separator: ",") + "\n").utf8)
    }
}

extension TimelineColumn {
    private static let time: [TimelineColumn] = [
        .init("elapsed_s", "End of the row's time, seconds since the start of the run.") { $0.endSeconds },
        // To the microsecond, so that a rate times it is the count again.
        .init(latency: "interval_s", "Length of the row's time in seconds: about 1, or 10 for rows older than an hour.") {
            $0.lengthSeconds
        },
        .init("phase", "Phase at the end of the row.", text: { $0.snapshot.phase.name }),
        .init("outage", "Number of the outage that is open at the end of the row, from 1; empty: none.") { second in
            second.outages.last.flatMap { $0.endSeconds == nil ? Double(second.outages.count) : nil }
        },
    ]

    private static let states = DeviceState.allCases.map { state in
        TimelineColumn("devices_\(state.name)", "Devices in the state `\(state.name)` at the end of the row.") {
            Double($0.snapshot.devices(in: state))
        }
    }

    private static let rates: [TimelineColumn] = [
        rate("dials", .dials), rate("connects", .connects), rate("ready", .ready), rate("losses", .disconnects),
        rate("reconnects", .reconnects), rate("texts_sent", .messagesSent), rate("texts_answered", .messagesAnswered),
        rate("deliveries", .deliveriesDelivered),
        rate("uploads_confirmed", .uploadsConfirmed), rate("upload_bytes", .uploadsBytes), rate("downloads_complete", .downloadsComplete),
        rate("download_bytes", .downloadsBytes), rate("prompts_received", .promptsReceived), rate("prompts_answered", .promptsAnswered),
        rate("frames_sent", .framesSent), rate("frames_received", .framesReceived), rate("bytes_sent", .bytesSent),
        rate("bytes_received", .bytesReceived),
    ]

    private static func rate(_ name: String, _ counter: Counter) -> TimelineColumn {
        TimelineColumn("\(name)_per_s", "`\(counter.name)` per second within the row.") { second in
            second.lengthSeconds > 0 ? Double(second.delta.count(counter)) / second.lengthSeconds : nil
        }
    }

    private static let latencies = latency("reply", .reply) + latency("usable", .usable)

    private static func latency(_ name: String, _ metric: Metric) -> [TimelineColumn] {
        let shown: @Sendable (UInt64) -> Double = { metric.unit.shown(Double($0)) }
        return [
            .init("\(name)_count", "Samples of `\(metric.name)` within the row, phases together.") {
                Double($0.delta.histogram(metric).count)
            },
            .init(latency: "\(name)_p50_s", "Their median in seconds; empty with too few.") {
                $0.delta.histogram(metric).percentile(.p50).map(shown)
            },
            .init(latency: "\(name)_p99_s", "Their 99th percentile in seconds; empty with too few.") {
                $0.delta.histogram(metric).percentile(.p99).map(shown)
            },
            .init(latency: "\(name)_max_s", "Their maximum in seconds.") { $0.delta.histogram(metric).max.map(shown) },
        ]
    }

    private static let errors: [TimelineColumn] =
        [
            (Counter.messagesLost, "texts_lost"), (.messagesLate, "texts_late"), (.messagesDuplicated, "texts_duplicated"),
            (.messagesReordered, "texts_reordered"), (.messagesNotSent, "texts_not_sent"), (.messagesInDoubt, "texts_in_doubt"),
            (.messagesCorrupt, "texts_corrupt"), (.deliveriesLost, "deliveries_lost"), (.deliveriesDuplicated, "deliveries_duplicated"),
            (.deliveriesInDoubt, "deliveries_in_doubt"), (.framesWrongKind, "frames_wrong_kind"),
            (.uploadsLost, "uploads_lost"), (.mediaCorrupt, "media_corrupt"), (.downloadsIncomplete, "downloads_incomplete"),
            (.framesMalformed, "frames_malformed"), (.framesUnknown, "frames_unknown"), (.pongsMissed, "pongs_missed"),
            (.serverErrors, "server_errors"),
        ].map { counter, name in
            TimelineColumn("\(name)_total", "`\(counter.name)` since the start of the run.") { Double($0.snapshot.count(counter)) }
        }

    private static let causes: [TimelineColumn] =
        DialCause.allCases.map { cause in
            TimelineColumn("dial_\(cause.rawValue)_total", "Dials failed by the cause `\(cause.rawValue)` since the start of the run.") {
                labelled($0, .dialFailures, cause.rawValue)
            }
        }
        + LossCause.allCases.map { cause in
            TimelineColumn("loss_\(cause.rawValue)_total", "Connections lost by the cause `\(cause.rawValue)` since the start of the run.")
            {
                labelled($0, .losses, cause.rawValue)
            }
        }

    private static func labelled(_ second: JournalSecond, _ family: LabelFamily, _ label: String) -> Double {
        Double(second.snapshot.labels(family).first { $0.label == label }?.count ?? 0)
    }

    private static let generator: [TimelineColumn] = [
        .init("cpu_busiest_loop", "CPU of the busiest event loop over the last second, 0 to 1.") {
            $0.snapshot.generator.cpuShareByLoop.max()
        },
        .init("cpu_loops", "CPU of all event loops together over the last second, in cores.") { second in
            let shares = second.snapshot.generator.cpuShareByLoop
            return shares.isEmpty ? nil : shares.reduce(0, +)
        },
        .init(latency: "loop_lag_p99_s", "99th percentile of `loop_lag` within the row in seconds; empty with too few samples.") {
            $0.delta.histogram(.loopLag).percentile(.p99).map { Double($0) / 1e9 }
        },
        .init(latency: "loop_lag_max_s", "Maximum of `loop_lag` within the row in seconds.") {
            $0.delta.histogram(.loopLag).max.map { Double($0) / 1e9 }
        },
        .init("late_timers_per_s", "`timers.late` per second within the row.") { second in
            second.lengthSeconds > 0 ? Double(second.delta.count(.timersLate)) / second.lengthSeconds : nil
        },
        .init("resident_bytes", "Resident memory of the generator at the end of the row.") {
            $0.snapshot.generator.residentBytes.map(Double.init)
        },
        .init("open_descriptors", "File descriptors open; counted every ten seconds.") {
            $0.snapshot.generator.openDescriptors.map(Double.init)
        },
        .init(
            "ports_left",
            "Local ports left for dials to the target; counted every ten seconds, or more seldom where that is dear; empty when not known."
        ) {
            $0.snapshot.generator.portsLeft.map(Double.init)
        },
    ]
}
