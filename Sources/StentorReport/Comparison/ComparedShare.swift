import StentorMetrics

/// A share that is compared: what is counted, of what, and which columns of the timeline tell how it comes in time.
struct ComparedShare: Sendable {
    let name: String
    let better: Direction
    /// Whether there should be none at all: compared exactly.
    let isRare: Bool
    let part: @Sendable (RunMeasurements) -> Int?
    let population: @Sendable (RunMeasurements) -> Int?
    /// Columns whose sums are the part and the rest of the population; empty: the timeline does not tell.
    let partColumns: [String]
    let restColumns: [String]

    private init(
        _ name: String, _ better: Direction, isRare: Bool, part: @escaping @Sendable (RunMeasurements) -> Int?,
        population: @escaping @Sendable (RunMeasurements) -> Int?, _ partColumns: [String], rest: [String]
    ) {
        (self.name, self.better, self.isRare, self.part, self.population) = (name, better, isRare, part, population)
        (self.partColumns, restColumns) = (partColumns, rest)
    }

    private static func share(
        _ name: String, _ better: Direction, _ part: Counter, of others: [Counter], _ columns: [String] = [], rest: [String] = []
    ) -> ComparedShare {
        ComparedShare(
            name, better, isRare: false, part: { $0.counts[part] },
            population: { run in run.counts[part].map { others.reduce($0) { $0 + (run.counts[$1] ?? 0) } } }, columns, rest: rest)
    }

    private static func rare(
        _ counter: Counter, of population: [Counter], _ columns: [String] = [], rest: [String] = []
    ) -> ComparedShare {
        ComparedShare(
            counter.name, .lower, isRare: true, part: { $0.counts[counter] },
            population: { run in
                let known = population.compactMap { run.counts[$0] }
                return known.isEmpty ? nil : known.reduce(0, +)
            }, columns, rest: rest)
    }

    private static let readyRate = ComparedShare(
        Share.readyRate.name, .higher, isRare: false, part: { $0.counts[.ready] },
        population: { run in run.counts[.ready].map { $0 + run.dialsFailed } }, ["ready_per_s"], rest: ["dials_failed"])

    /// All of them, in the order in which they are shown.
    static let all: [ComparedShare] = [
        readyRate,
        share(
            Share.answeredRate.name, .higher, .messagesAnswered, of: [.messagesLate, .messagesLost], ["texts_answered_per_s"],
            rest: ["texts_late_total", "texts_lost_total"]),
        share(
            "messages.not_sent_rate", .lower, .messagesNotSent, of: [.messagesSent], ["texts_not_sent_total"], rest: ["texts_sent_per_s"]),
        share("uploads.confirmed_rate", .higher, .uploadsConfirmed, of: [.uploadsLate, .uploadsCorrupt, .uploadsLost]),
        share(
            "prompts.answered_rate", .higher, .promptsAnswered, of: [.promptsSubstituted, .promptsExpired, .promptsSuperseded]),
        rare(.messagesLost, of: [.messagesSent], ["texts_lost_total"], rest: ["texts_sent_per_s"]),
        rare(.messagesDuplicated, of: [.messagesSent], ["texts_duplicated_total"], rest: ["texts_sent_per_s"]),
        rare(.messagesReordered, of: [.messagesSent], ["texts_reordered_total"], rest: ["texts_sent_per_s"]),
        rare(.messagesUnmatched, of: [.messagesSent]),
        rare(.uploadsLost, of: [.uploadsSent]),
        rare(.mediaCorrupt, of: [.uploadsSent, .downloadsStarted]),
        rare(.downloadsIncomplete, of: [.downloadsStarted]),
        rare(.promptsSubstituted, of: [.promptsReceived]),
        rare(.pongsMissed, of: [.pingsSent], ["pongs_missed_total"]),
        rare(.framesMalformed, of: [.framesReceived], ["frames_malformed_total"], rest: ["frames_received_per_s"]),
        rare(.framesUnknown, of: [.framesReceived], ["frames_unknown_total"], rest: ["frames_received_per_s"]),
        rare(.serverErrors, of: [.framesReceived], ["server_errors_total"], rest: ["frames_received_per_s"]),
    ]

    /// All columns that are needed, without the one that is put together from others.
    static var columns: Set<String> { Set(all.flatMap { $0.partColumns + $0.restColumns }).subtracting(["dials_failed"]) }
}
