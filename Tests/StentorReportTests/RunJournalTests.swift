import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct RunJournalTests {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    private func text(_ fixture: JournalFixture, _ name: String) throws -> String { try root.read("\(fixture.directory.name)/\(name)") }

    private func lines(_ fixture: JournalFixture, _ name: String) throws -> [String] {
        try text(fixture, name).split(separator: "\n").map(String.init)
    }

    /// The cells of a row of the timeline by the names of its columns.
    private func row(_ lines: [String], _ index: Int) throws -> [String: String] {
        let names = try #require(CSVCell.split(lines[0]))
        let cells = try #require(CSVCell.split(lines[index]))
        #expect(names.count == cells.count)
        return Dictionary(uniqueKeysWithValues: zip(names, cells))
    }

    @Test func `the files are there from the start`() throws {
        let fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        #expect(journal.flush(isDurable: true).isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).filter { !$0.hasPrefix(".") }.sorted()
        #expect(names == ["events.jsonl", "intervals.hlog", "offenders.jsonl", "reconnects.csv", "timeline.csv"])
        #expect(
            try text(fixture, "reconnects.csv") == "device,outage,lost_s,ready_s,attempts,cause,censored,observed_s,"
                + "detect_s,backoff_s,lag_s,failed_s,dial_s,upgrade_s,hello_s,greeting_s\n")
        #expect(try lines(fixture, "timeline.csv").count == 1)
    }

    @Test func `a row has states, rates, errors and the generator's health`() throws {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        journal.record(
            fixture.second(length: 2) { shard in
                shard.move(from: nil, to: .ready, devices: 9)
                shard.move(from: nil, to: .backingOff, devices: 1)
                shard.count(.messagesSent, by: 5)
                shard.count(.messagesLost, by: 2)
                shard.count(.timersLate, by: 3)
                shard.count(dialFailure: .tcpTimeout)
                shard.record(.reply, 1_234_567, phase: .steady)
                shard.record(.reply, 1_234_567, phase: .recovery)
                shard.record(.loopLag, 2_000_000, phase: .steady)
            })
        fixture.outages = [Outage(name: "drop", startSeconds: 2.5, devicesLost: 3)]
        fixture.phase = .outage
        journal.record(fixture.second { $0.count(.messagesSent) })
        #expect(journal.finish().isEmpty)
        let lines = try lines(fixture, "timeline.csv")
        let (first, second) = (try row(lines, 1), try row(lines, 2))
        for (name, cell) in [
            "elapsed_s": "2", "interval_s": "2", "phase": "steady", "outage": "", "devices_ready": "9", "devices_backing_off": "1",
            "texts_sent_per_s": "2.5", "texts_lost_total": "2", "dial_tcp_timeout_total": "1", "reply_count": "2",
            "reply_p50_s": "0.001235", "reply_p99_s": "", "reply_max_s": "0.001235", "cpu_busiest_loop": "0.5", "cpu_loops": "0.75",
            "loop_lag_max_s": "0.002", "late_timers_per_s": "1.5", "resident_bytes": "30000000", "open_descriptors": "50", "ports_left": "",
        ] { #expect(first[name] == cell, "\(name)") }
        for (name, cell) in [
            "elapsed_s": "3", "interval_s": "1", "phase": "outage", "outage": "1", "devices_ready": "9", "texts_sent_per_s": "1",
            "texts_lost_total": "2", "reply_count": "0", "reply_max_s": "",
        ] { #expect(second[name] == cell, "\(name)") }
    }

    @Test func `rows and intervals older than an hour stand for ten seconds, and nothing is lost`() throws {
        var fixture = try JournalFixture(below: root.path)
        let rule = ThinnedFile.Rule(coarseSeconds: 10, keptSeconds: 30, stepSeconds: 20)
        let journal = try RunJournal(fixture.directory, runID: "r", drills: [], rule: rule)
        for number in 0..<90 {
            journal.record(fixture.second(length: number % 2 == 0 ? 1.002 : 0.998) { JournalFixture.various(number, $0) })
            #expect(journal.flush().isEmpty)
        }
        #expect(journal.finish().isEmpty)
        let lines = try lines(fixture, "timeline.csv")
        let lengths = try (1..<lines.count).map { try row(lines, $0)["interval_s"] }
        #expect(lengths.prefix(6).allSatisfy { $0 == "10" })
        #expect(lengths.suffix(30).allSatisfy { $0 == "0.998" || $0 == "1.002" })
        #expect(lengths.count == 6 + 30)
        #expect(try row(lines, 3)["reply_count"] == "400" && row(lines, 3)["texts_sent_per_s"] == "40")
        let log = IntervalLogReader(Array(try text(fixture, "intervals.hlog").utf8))
        #expect(log.damagedLines == 0)
        for metric in [Metric.reply, .usable, .uploadRate, .edits, .loopLag] {
            for phase in Phase.allCases {
                let sum = log.entries.filter { $0.metric == metric && $0.phase == phase }.reduce(into: Histogram()) {
                    $0.merge($1.histogram)
                }
                let whole = fixture.snapshot().histogram(metric, in: phase)
                #expect(sum.nonZeroBuckets.elementsEqual(whole.nonZeroBuckets) { $0 == $1 }, "\(metric) \(phase)")
            }
        }
    }

    @Test func `events are told once, in JSON, with the time that they have`() throws {
        var fixture = try JournalFixture(below: root.path)
        fixture.gates = [ReportFixture.gate("messages.lost == 0")]
        let journal = try RunJournal(fixture.directory, runID: "r", drills: ["mass \"drop\""])
        journal.note(RunEvent(.start(runID: "r", profile: "nightly-soak"), wallSeconds: 1_796_010_130))
        journal.record(fixture.second { $0.count(.messagesSent, by: 3) })
        fixture.outages = [Outage(name: "mass \"drop\"", startSeconds: 1.25, devicesLost: 3)]
        fixture.phase = .outage
        journal.record(fixture.second { $0.count(.messagesLost) })
        journal.record(fixture.second())
        fixture.outages[0].endSeconds = 3.5
        fixture.outages.append(Outage(name: "collapse", startSeconds: 3.75, devicesLost: 8))
        journal.record(fixture.second())
        journal.note(RunEvent(.signal("SIGINT"), wallSeconds: 1_796_010_135, elapsedSeconds: 4))
        journal.note(RunEvent(.warning("a\nb"), wallSeconds: 1_796_010_135, elapsedSeconds: 4))
        journal.note(RunEvent(.end(.interrupted, .interrupted), wallSeconds: 1_796_010_136, elapsedSeconds: 5.0004))
        #expect(journal.finish().isEmpty)
        #expect(
            try text(fixture, "events.jsonl") == """
                {"at":"2026-11-30T03:42:10.000Z","elapsed_s":null,"event":"start","run_id":"r","profile":"nightly-soak"}
                {"at":"2026-11-30T03:42:12.000Z","elapsed_s":1.0,"event":"phase","from":null,"to":"steady"}
                {"at":"2026-11-30T03:42:12.000Z","elapsed_s":1.0,"event":"gate","expression":"messages.lost == 0","from":null,"to":"pass","value":"0"}
                {"at":"2026-11-30T03:42:12.250Z","elapsed_s":1.25,"event":"drill","name":"mass \\"drop\\""}
                {"at":"2026-11-30T03:42:12.250Z","elapsed_s":1.25,"event":"outage_opened","outage":1,"name":"mass \\"drop\\""}
                {"at":"2026-11-30T03:42:13.000Z","elapsed_s":2.0,"event":"phase","from":"steady","to":"outage"}
                {"at":"2026-11-30T03:42:13.000Z","elapsed_s":2.0,"event":"gate","expression":"messages.lost == 0","from":"pass","to":"fail","value":"1"}
                {"at":"2026-11-30T03:42:14.500Z","elapsed_s":3.5,"event":"outage_closed","outage":1,"name":"mass \\"drop\\"","devices_lost":3,"duration_s":2.25}
                {"at":"2026-11-30T03:42:14.750Z","elapsed_s":3.75,"event":"outage_opened","outage":2,"name":"collapse"}
                {"at":"2026-11-30T03:42:15.000Z","elapsed_s":4.0,"event":"signal","name":"SIGINT"}
                {"at":"2026-11-30T03:42:15.000Z","elapsed_s":4.0,"event":"warning","text":"a\\nb"}
                {"at":"2026-11-30T03:42:16.000Z","elapsed_s":5.0,"event":"end","verdict":"interrupted","exit_code":130}

                """)
    }

    @Test func `a device's loss is a row with its outage, censored when it never came back`() throws {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        fixture.outages = [
            Outage(name: "a", startSeconds: 1, endSeconds: 4, devicesLost: 2), Outage(name: "b", startSeconds: 6, devicesLost: 1),
        ]
        journal.record(
            fixture.second(length: 9) { shard in
                func note(_ device: String, _ lost: Double, _ end: Double, _ isReady: Bool, _ cause: LossCause) {
                    var stages = ReturnStages(detect: cause == .silent ? 0.25 : nil)
                    (stages.backoff, stages.lag, stages.failed, stages.dial) = (0.5, 0.001, 0.25, 0.125)
                    (stages.upgrade, stages.hello, stages.greeting) = (0.0625, 0.0005, 0.0004)
                    shard.note(
                        ReconnectRecord(
                            device: device, lostSeconds: lost, endSeconds: end, isReady: isReady, attempts: 2, cause: cause, stages: stages)
                    )
                }
                note("phone-1", 1.5, 3.25, true, .reset)
                note("=cmd|'/c calc'!A1", 6.5, 9, false, .closedByServer)
                note("a \"b\", c", 5, 5.5, true, .silent)
            })
        #expect(journal.finish().isEmpty)
        #expect(
            try lines(fixture, "reconnects.csv").dropFirst() == [
                "phone-1,1,1.5,3.25,2,reset,false,1.75,,0.5,0.001,0.25,0.125,0.063,0.001,0",
                "'=cmd|'/c calc'!A1,2,6.5,,2,closed_by_server,true,2.5,,0.5,0.001,0.25,0.125,0.063,0.001,0",
                "\"a \"\"b\"\", c\",,5,5.5,2,silent,false,0.5,0.25,0.5,0.001,0.25,0.125,0.063,0.001,0",
            ])
    }

    @Test func `a directory that vanished is told at the next checkpoint and at the end`() throws {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        journal.record(fixture.second())
        #expect(journal.flush(isDurable: true).isEmpty)
        try FileManager.default.removeItem(atPath: fixture.directory.path)
        let expected = UserFailure(
            .file, "cannot write (open): No such file or directory", place: fixture.directory.path + "/intervals.hlog")
        #expect(journal.flush(isDurable: true).first == expected)
        journal.record(fixture.second())
        #expect(journal.finish().first == expected)
    }

    @Test func `merged seconds keep every count`() throws {
        var fixture = try JournalFixture(below: root.path)
        var late = fixture.second { $0.count(.messagesSent, by: 3) }
        late.merge(
            fixture.second {
                $0.count(.messagesSent, by: 4)
                $0.note(ReconnectRecord(device: "d", lostSeconds: 0, endSeconds: 1, isReady: true, attempts: 1, cause: .reset))
            })
        #expect(late.delta.count(.messagesSent) == 7)
        #expect(late.startSeconds == 0 && late.endSeconds == 2)
        #expect(late.delta.reconnects.count == 1)
    }

    @Test(arguments: [
        ("plain", "plain"), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'=1"), ("a,b", "\"a,b\""),
        ("a\"b", "\"a\"\"b\""), ("a\r\nb", "a b"), ("\u{202E}=x", "'=x"), ("", ""),
    ])
    func `cells of text cannot leave their place or become formulas`(text: String, cell: String) {
        #expect(CSVCell.text(text) == cell)
    }

    @Test(
        arguments: [
            ("a,b,c", ["a", "b", "c"]), ("", [""]), (",", ["", ""]), ("\"a,\"\"b\",c", ["a,\"b", "c"]), ("\"\"", [""]),
        ] as [(String, [String])])
    func `lines of cells are split as RFC 4180 says`(line: String, cells: [String]) {
        #expect(CSVCell.split(line) == cells)
    }

    @Test func `the columns of the timeline have different names`() {
        let names = TimelineColumn.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
