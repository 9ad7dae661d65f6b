import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct HistoryTrendTests {
    private let fixture: HistoryFixture
    private let history: RunHistory

    init() throws {
        fixture = try HistoryFixture()
        history = try fixture.opened()
    }

    private static let jitter = [0, 3, -2, 4, 1, -3, 2, -1, 5, -4]

    /// Twelve nights around 100 ms against 1.0.0, then eight around 150 ms against 1.1.0, and an invalid one.
    private func recordStep() throws {
        for night in 0..<20 {
            let isNew = night >= 12
            try fixture.record(
                HistoryFixture.report(
                    night, server: isNew ? "1.1.0" : "1.0.0", verdict: night == 3 ? .fail : .pass,
                    milliseconds: (isNew ? 150 : 100) + Self.jitter[night % 10]), in: history)
        }
        try fixture.record(HistoryFixture.report(20, verdict: .invalid, milliseconds: 900), in: history)
    }

    private func trend(_ name: String, phase: Phase? = nil, last: Int? = nil, profile: String = "nightly-soak") throws -> HistoryTrend {
        var selection = HistorySelection()
        (selection.profile, selection.last) = (profile, last)
        return try HistoryTrend(try .parse(name, phase: phase), of: selection, in: history)
    }

    @Test func `a step is named with its run, its levels and what else changed`() throws {
        try recordStep()
        let trend = try trend("reply.p99")
        #expect(trend.points.count == 20 && trend.valueCount == 20)
        let change = try #require(trend.changes?.first)
        #expect(trend.changes?.count == 1 && change.index == 12 && change.runs == 8)
        #expect(change.alsoChanged == ["server 1.0.0 → 1.1.0"])
        let sentence = try #require(TrendText.verdict(trend).first)
        #expect(sentence.hasPrefix("From 20261212T034210Z-nightly-soak on (8 runs) it rose from 10"))
        #expect(sentence.hasSuffix(" With that run changed: server 1.0.0 → 1.1.0."))
        #expect(TrendText.leftOut(trend) == "Left out: 1 run that neither passed nor failed (1 invalid).")
    }

    @Test func `what changed a run earlier is named too`() throws {
        for night in 0..<16 {
            try fixture.record(
                HistoryFixture.report(night, server: night < 7 ? "1.0.0" : "1.1.0", milliseconds: night < 8 ? 100 : 150), in: history)
        }
        let change = try #require(try trend("reply.p99").changes?.first)
        #expect(change.index == 8 && change.alsoChanged == ["server 1.0.0 → 1.1.0"] && change.alsoChangedOffset == -1)
        #expect(TrendText.verdict(try trend("reply.p99"))[0].hasSuffix(" 1 run earlier changed: server 1.0.0 → 1.1.0."))
    }

    @Test func `the page of a terminal plots a column a run, and marks the change`() throws {
        try recordStep()
        let lines = TrendText.page(try trend("reply.p99")).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "reply.p99 in steady of 'nightly-soak', 20 runs")
        let plot = try #require(lines.firstIndex { $0.contains("▁") })
        #expect(lines[plot].count == 22 && lines[plot].hasSuffix("█") == false && lines[plot].contains("█"))
        #expect(lines[plot + 1] == String(repeating: " ", count: 14) + "^")
        #expect(lines.contains { $0.hasPrefix(">  20261212T034210Z-nightly-soak") })
        #expect(lines.allSatisfy { PrintableText.columns($0) <= 80 })
    }

    @Test func `few runs say nothing, and equal ones no change`() throws {
        for night in 0..<11 { try fixture.record(HistoryFixture.report(night), in: history) }
        #expect(
            TrendText.verdict(try trend("messages.lost")) == ["Too few runs have a value to look for changes: 11, and 12 are needed."])
        for night in 11..<12 { try fixture.record(HistoryFixture.report(night), in: history) }
        let whole = try trend("messages.lost")
        #expect(TrendText.verdict(whole) == ["No change of its level is shown by the 12 runs that have a value."])
        #expect(whole.changes?.isEmpty == true)
        #expect(try trend("messages.lost", last: 5).points.map(\.run.runID).first == "20261207T034210Z-nightly-soak")
    }

    @Test func `runs without the number stand there without a value`() throws {
        try recordStep()
        let trend = try trend("reply.p99", phase: .recovery)
        #expect(trend.points.count == 20 && trend.valueCount == 0 && trend.changes == nil)
        #expect(TrendText.page(trend).contains("n/a"))
        #expect(HTMLCheck(TrendPage(trend).html).faults == [])
    }

    @Test func `an unknown profile is told with those there are`() throws {
        try recordStep()
        let failure = HistoryFixture.failure { () throws(UserFailure) in
            var selection = HistorySelection()
            selection.profile = "nightly-soal"
            _ = try HistoryTrend(try .parse("reply.p99", phase: nil), of: selection, in: history)
        }
        #expect(
            failure
                == UserFailure(
                    .arguments, "the history has no run of the profile 'nightly-soal'", place: "--profile",
                    hint: "did you mean 'nightly-soak'?"))
    }

    @Test(
        arguments: [
            ("reply", nil, "is a distribution and needs a statistic", "for instance reply.p99"),
            ("reply.p98", nil, "'reply' has no such statistic", "known here: count, min, mean, p50, p90, p95, p99, p999, max"),
            ("messages.lots", nil, "there is no such number", "did you mean 'messages.lost'?"),
            ("repyl.p99", nil, "there is no such number", "did you mean 'reply.p99'?"),
            ("zzz", nil, "there is no such number", "see Docs/metrics.md for the names"),
            ("messages.lost", Phase.steady, "covers the whole run and takes no phase", "leave out --in steady"),
        ] as [(String, Phase?, String, String)])
    func `a wrong number is told with a hint`(name: String, phase: Phase?, message: String, hint: String) {
        #expect(
            HistoryFixture.failure { () throws(UserFailure) in _ = try RunNumber.parse(name, phase: phase) }
                == UserFailure(.arguments, message, place: name, hint: hint))
    }

    @Test func `the page is whole, loads nothing, and escapes what came from outside`() throws {
        for night in 0..<12 {
            try fixture.record(HistoryFixture.report(night, server: "<b>\"&", milliseconds: night < 6 ? 100 : 180), in: history)
        }
        let trend = try trend("reply.p99")
        let html = TrendPage(trend).html
        let check = HTMLCheck(html)
        #expect(check.faults == [])
        #expect(check.counts["script"] == nil && check.counts["link"] == nil && check.counts["img"] == nil && check.counts["b"] == nil)
        #expect(check.attributes.allSatisfy { !["src", "href"].contains($0.name) })
        // A dot a run and one in the legend; a level each side of the change.
        #expect(html.components(separatedBy: "class=\"line dot s1\"").count - 1 == 13)
        #expect(html.components(separatedBy: "class=\"line s2\"").count - 1 == 3)
        #expect(check.text.contains("1 change From 20261206T034210Z-nightly-soak on (6 runs) it rose from"))
        #expect(check.text.contains("at most 1 in 100 has one named"))
    }

    @Test func `documents for programs have what the terminal has`() throws {
        try recordStep()
        let tree = try JSONTree.object(reading: Array(HistoryDocument.trend(try trend("reply.p99")).utf8))
        #expect(tree["number"] == .text("reply.p99") && tree["phase"] == .text("steady") && tree["unit"] == .text("seconds"))
        #expect(tree["points"]?.elements?.count == 20 && tree["left_out"]?["invalid"]?.int == 1)
        #expect(tree["changes"]?.elements?.first?["run_id"] == .text("20261212T034210Z-nightly-soak"))
        let runs = try history.runs()
        let list = try JSONTree.object(reading: Array(HistoryDocument.list(runs, database: fixture.path).utf8))
        #expect(list["runs"]?.elements?.count == 21 && list["runs"]?.elements?.first?["directory_exists"] == .bool(true))
        let table = try HistoryDocument.table(runs, in: history).split(separator: "\n").map { CSVCell.split($0) }
        #expect(table.allSatisfy { $0?.count == table[0]?.count })
        #expect(table.contains { $0?[10] == "reply.p99" && $0?[11] == "steady" })
    }
}
