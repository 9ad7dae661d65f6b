import StentorMetrics

/// The rows of `reconnects.csv`.
enum ReconnectRow {
    static let columns = ["device", "outage", "lost_s", "ready_s", "attempts", "cause", "censored", "observed_s"] + stageColumns
    private static let stageColumns = ["detect_s", "backoff_s", "lag_s", "failed_s", "dial_s", "upgrade_s", "hello_s", "greeting_s"]
    static let header = Array((columns.joined(separator: ",") + "\n").utf8)

    /// A device's row.
    ///
    /// - Parameter outages: Those of the run so far; the record belongs to the one that was open when the device lost its connection.
    static func line(_ record: ReconnectRecord, _ outages: [Outage]) -> [UInt8] {
        let cells = [
            CSVCell.text(record.device), number(record, outages).map(String.init) ?? "", CSVCell.number(record.lostSeconds),
            record.isReady ? CSVCell.number(record.endSeconds) : "", "\(record.attempts)", record.cause.rawValue,
            record.isReady ? "false" : "true", CSVCell.number(max(0, record.endSeconds - record.lostSeconds)),
        ]
        return Array(((cells + stages(record.stages)).joined(separator: ",") + "\n").utf8)
    }

    private static func stages(_ stages: ReturnStages) -> [String] {
        let times = [stages.backoff, stages.lag, stages.failed, stages.dial, stages.upgrade, stages.hello, stages.greeting]
        return [stages.detect.map { CSVCell.number($0) } ?? ""] + times.map { CSVCell.number($0) }
    }

    private static func number(_ record: ReconnectRecord, _ outages: [Outage]) -> Int? {
        outages.lastIndex { $0.startSeconds <= record.lostSeconds && record.lostSeconds <= $0.endSeconds ?? .infinity }.map { $0 + 1 }
    }
}

extension OffenderRecord {
    /// The line of `offenders.jsonl`.
    var json: JSONTree {
        .object([
            "device": .text(PrintableText.clean(device)), "item": .text(item.rawValue), "sequence": .integer(sequence),
            "fate": .text(fate.rawValue),
            "due_s": .rounded(dueSeconds), "started_s": .rounded(startedSeconds), "known_s": .rounded(knownSeconds),
            "detail": .filledText(PrintableText.clean(detail)), "timeline": .list(timeline.map(\.json)),
        ])
    }
}

extension DeviceEvent {
    /// An element of a timeline; what there is nothing to say of is left out.
    var json: JSONTree {
        var members: [JSONTree.Member] = [.init(key: "at_s", value: .rounded(seconds)), .init(key: "event", value: .text(kind.rawValue))]
        if !cause.isEmpty { members.append(.init(key: "cause", value: .text(cause))) }
        if let number { members.append(.init(key: "number", value: .integer(number))) }
        return .object(members)
    }
}
