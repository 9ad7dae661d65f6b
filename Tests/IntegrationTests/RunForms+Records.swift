import Foundation
import TestSupport
import Testing

extension RunForms {
    private func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: (try #require(run.path)) + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// Outages and reconnects: summary, report, console, events, and the rows of each device.
    func expectOutagesAgree() throws {
        let lost = run.summary["outages"].elements.map { $0["devices_lost"].count ?? -1 }
        #expect(!lost.isEmpty && lost.allSatisfy { $0 > 0 })
        #expect((html.tables["Outages"] ?? []).compactMap { HTMLForm.number($0[4]) } == lost)
        #expect(console.devicesLost == lost)
        let closed = try lines("events.jsonl").map { try Facts($0) }.filter { $0["event"].text == "outage_closed" }
        let over = run.summary["outages"].elements.filter { $0["closed_after_seconds"] != .null }
        #expect(closed.map { $0["devices_lost"] } == over.map { $0["devices_lost"] })
        let rows = try lines("reconnects.csv").dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.count { $0[6] == "false" } == (try run.count("reconnects")))
    }

    /// The lines of offenders are those that were counted, and each has a timeline in order.
    func expectOffendersAgree() throws {
        let offenders = try lines("offenders.jsonl").map { try Facts($0) }
        func fates(_ item: String, _ fate: String) -> [Facts] {
            offenders.filter { $0["item"].text == item && $0["fate"].text == fate }
        }
        #expect(run.summary["offenders"] == .object(["recorded": .number(Double(offenders.count)), "dropped": .number(0)]))
        for (fate, name) in [("duplicated", "messages.duplicated"), ("reordered", "messages.reordered"), ("late", "messages.late")] {
            #expect(fates("text", fate).count == (try run.count(name)), "\(name)")
        }
        func key(_ line: Facts) -> String { "\(line["device"].text ?? "") \(line["sequence"].count ?? 0)" }
        let late = Set(fates("text", "late").map(key))
        #expect(fates("text", "lost").count { !late.contains(key($0)) } == (try run.count("messages.lost")))
        for line in offenders { expectOrdered(line) }
        let title = "What did not arrive as it should (\(min(50, offenders.count)) of \(offenders.count))"
        #expect(html.tables[title]?.count == min(50, offenders.count))
        #expect(run.outcome.output.contains("\noffenders     \(offenders.count) in offenders.jsonl\n"))
    }

    private func expectOrdered(_ line: Facts) {
        let times = line["timeline"].elements.compactMap { $0["at_s"].number }
        let events = line["timeline"].elements.compactMap { $0["event"].text }
        #expect(times == times.sorted() && times.count == events.count && events.contains("ready"), "\(line)")
        switch line["fate"].text {
        case "lost" where line["item"].text == "text":
            let ways = ["due", "sent", "deadline"].map { events.firstIndex(of: $0) ?? -1 }
            #expect(ways == ways.sorted() && ways[0] >= 0, "\(line)")
        case "duplicated" where line["due_s"].number != nil:
            #expect(events.count { $0 == "replied" } == 2, "\(line)")
        case "lost": #expect(events.contains("deadline"), "\(line)")
        default:
            #expect(events.contains("replied") || events.contains("confirmed") || events.contains("first_part"), "\(line)")
        }
    }

    /// The verdict and the gates.
    func expectVerdictAgrees() {
        let verdict = run.summary["verdict"].text ?? ""
        #expect(run.lastLine == "verdict: \(verdict)")
        #expect(page.contains(" \(verdict)</strong>"))
        #expect(pushed["stentor_verdict verdict=\"\(verdict)\""] == 1)
        #expect(pushed["stentor_gate_passed"] == run.summary["gates"].elements.count { $0["verdict"].text == "pass" })
    }
}

/// The rows of `timeline.csv`.
struct Timeline {
    /// Columns of rates, and the count that each adds up to.
    static let rates = [
        "dials": "dials", "connects": "connects", "ready": "ready", "losses": "disconnects", "reconnects": "reconnects",
        "texts_sent": "messages.sent", "texts_answered": "messages.answered", "uploads_confirmed": "uploads.confirmed",
        "downloads_complete": "downloads.complete", "prompts_received": "prompts.received", "prompts_answered": "prompts.answered",
        "frames_sent": "frames.sent", "frames_received": "frames.received",
    ].map { ("\($0.key)_per_s", $0.value) }
    /// Columns of totals.
    static let totals = [
        "texts_lost": "messages.lost", "texts_late": "messages.late", "texts_duplicated": "messages.duplicated",
        "texts_reordered": "messages.reordered", "texts_not_sent": "messages.not_sent", "texts_in_doubt": "messages.in_doubt",
        "uploads_lost": "uploads.lost", "media_corrupt": "media.corrupt", "downloads_incomplete": "downloads.incomplete",
        "frames_malformed": "frames.malformed", "frames_unknown": "frames.unknown", "pongs_missed": "pongs.missed",
        "server_errors": "errors.server",
    ].map { ("\($0.key)_total", $0.value) }

    private let columns: [String: Int]
    /// The rows that are whole.
    let rows: [[String]]

    init(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }[...]
        let header = lines.popFirst() ?? []
        columns = Dictionary(uniqueKeysWithValues: header.enumerated().map { ($1, $0) })
        rows = Array(lines)
    }

    /// The cells of a column; nil where they are empty.
    func column(_ name: String) -> [Double?] {
        guard let index = columns[name] else { return [] }
        return rows.map { Double($0[index]) }
    }

    /// What a column of rates adds up to. Rates have three decimals: a row's product is a whole number but for that.
    func sum(_ rate: String) -> Int {
        zip(column(rate), column("interval_s")).reduce(0) { $0 + Int((($1.0 ?? 0) * ($1.1 ?? 0)).rounded()) }
    }

    /// The last row's cell of a column.
    func last(_ name: String) -> Int? { column(name).last.flatMap { $0 }.flatMap { Int(exactly: $0) } }
}
