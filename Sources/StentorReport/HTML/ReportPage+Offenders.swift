import StentorBase
import StentorMetrics

extension ReportPage {
    /// The first items that did not arrive as they should, each with its timeline.
    var offenders: String {
        guard !files.offenders.isEmpty else { return "" }
        let rows = files.offenders.map { line in
            [
                HTMLText.name(line["device"]?.string ?? ""), HTMLText.clean(line["item"]?.string ?? ""),
                line["sequence"]?.int.map { "\($0)" } ?? "–", HTMLText.clean(line["fate"]?.string ?? ""),
                Self.start(line).map { HTMLText.clean(Quantity.fixed($0, decimals: 3)) } ?? "–", Self.story(line),
            ]
        }
        return HTMLText.table(
            offendersTitle, head: ["device", "item", "number", "fate", "from second", "what happened, seconds after that"],
            texts: [0, 1, 3, 5], rows: rows, class: "stories")
    }

    private var offendersTitle: String {
        let dropped = summary["offenders"]?["dropped"]?.int ?? 0
        let beyond = dropped > 0 ? "; \(HTMLText.count(dropped)) more were only counted" : ""
        return "What did not arrive as it should (\(files.offenders.count) of \(HTMLText.count(files.offenderCount))\(beyond))"
    }

    /// What the times of an item's events count from: its due time, or else the first that is known of it.
    private static func start(_ line: JSONTree) -> Double? {
        (line["due_s"] ?? .null).double ?? (line["started_s"] ?? .null).double ?? line["known_s"]?.double
    }

    private static func story(_ line: JSONTree) -> String {
        let detail = line["detail"]?.string.map { "<p>\(HTMLText.clean($0))</p>" } ?? ""
        let events = (line["timeline"]?.elements ?? []).prefix(OffenderRecord.eventLimit)
        guard let start = start(line), !events.isEmpty else { return detail }
        return "<ol class=\"story\">\(events.map { "<li>\(step($0, since: start))</li>" }.joined())</ol>\(detail)"
    }

    private static func step(_ event: JSONTree, since start: Double) -> String {
        let time = event["at_s"]?.double.map { Quantity.fixed(abs($0 - start), decimals: 3) } ?? "?"
        let sign = (event["at_s"]?.double ?? start) < start ? "−" : "+"
        let name = event["event"]?.string ?? ""
        let number = event["number"]?.int
        let cause = event["cause"]?.string
        let words =
            switch DeviceEvent.Kind(rawValue: name) {
            case .otherReplied: "reply to #\(number.map { "\($0)" } ?? "?")"
            case .dialled: number.map { "dial \($0)" } ?? "dial"
            case .heard: "last message of the server"
            case .leftOut: "(earlier ones are not kept)"
            case .dialFailed, .lost, .due, .begun, .sent, .firstPart, .replyBegan, .replied, .confirmed, .deadline, .ready, .silenced,
                .suspended, .resumed, nil:
                name.replacing("_", with: " ") + Self.bracketed([cause, number.map { "\($0)" }].compactMap(\.self))
            }
        return "<b>\(sign)\(time)</b> \(HTMLText.clean(words))"
    }

    private static func bracketed(_ words: [String]) -> String { words.isEmpty ? "" : " (\(words.joined(separator: " ")))" }
}
