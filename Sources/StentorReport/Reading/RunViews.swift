/// An outage as a run directory tells it.
struct OutageView: Sendable, Equatable {
    /// From 1.
    var number: Int
    var name: String
    var startSeconds: Double
    /// Nil: it was open to the end of what is known.
    var lengthSeconds: Double?
    var devicesLost: Int
    /// Seconds from its start, and the share of devices that were ready again.
    var readyAfter: [(Double, Double)]
    var attempts: Int?
    var peakDialsPerSecond: Int?

    var endSeconds: Double? { lengthSeconds.map { startSeconds + $0 } }

    static func == (left: OutageView, right: OutageView) -> Bool {
        left.number == right.number && left.name == right.name && left.startSeconds == right.startSeconds
            && left.lengthSeconds == right.lengthSeconds && left.devicesLost == right.devicesLost
    }

    /// An outage of `summary.json`.
    init(number: Int, summary: JSONTree) {
        self.number = number
        name = summary["name"]?.string ?? ""
        startSeconds = summary["at_seconds"]?.double ?? 0
        lengthSeconds = summary["closed_after_seconds"]?.double
        devicesLost = summary["devices_lost"]?.int ?? 0
        readyAfter = [("50", 0.5), ("90", 0.9), ("99", 0.99), ("100", 1)].compactMap { key, share in
            summary["ready_after_\(key)_seconds"]?.double.map { ($0, share) }
        }
        attempts = summary["attempts"]?.int
        peakDialsPerSecond = summary["peak_dials_per_second"]?.int
    }

    /// An outage that opened after the last checkpoint: what `outage_opened` of `events.jsonl` says.
    init?(opened event: JSONTree) {
        guard event["event"]?.string == "outage_opened", let number = event["outage"]?.int, let start = event["elapsed_s"]?.double else {
            return nil
        }
        (self.number, startSeconds, name) = (number, start, event["name"]?.string ?? "")
        (devicesLost, readyAfter) = (0, [])
    }

    /// Takes over what `outage_closed` says.
    mutating func close(_ event: JSONTree) {
        guard event["event"]?.string == "outage_closed", event["outage"]?.int == number, lengthSeconds == nil else { return }
        lengthSeconds = event["duration_s"]?.double
        devicesLost = event["devices_lost"]?.int ?? devicesLost
        // A window closes when 99 % are back.
        if let length = lengthSeconds, !readyAfter.contains(where: { $0.1 >= 0.99 }) { readyAfter.append((length, 0.99)) }
    }
}

/// A row of `reconnects.csv`, as far as the report needs it.
struct ReconnectView: Sendable, Equatable {
    /// Nil: outside of any outage.
    var outage: Int?
    /// Nil: censored.
    var readySeconds: Double?

    /// Reads the rows of a file; lines that are none are left out.
    static func rows(_ bytes: [UInt8]) -> [ReconnectView] {
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
        var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"))[...]
        guard let header = lines.popFirst(), let names = CSVCell.split(String(decoding: header, as: UTF8.self)),
            let outage = names.firstIndex(of: "outage"), let ready = names.firstIndex(of: "ready_s")
        else { return [] }
        return lines.compactMap { line in
            guard let cells = CSVCell.split(String(decoding: line, as: UTF8.self)), cells.count == names.count else { return nil }
            return ReconnectView(outage: Int(cells[outage]), readySeconds: Double(cells[ready]))
        }
    }
}
