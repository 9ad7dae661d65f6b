import StentorBase
import StentorMetrics
import Testing

@testable import StentorReport

struct ConsoleSummaryTests {
    private static func concluded(
        _ snapshot: RunSnapshot, interruption: VerdictRule.Interruption? = nil
    ) -> RunReport {
        ReportFixture.report(
            snapshot, VerdictRule.judge(snapshot, gates: snapshot.gates, interruption: interruption, generatorLimits: []))
    }

    @Test func `a run that passed`() {
        let snapshot = ReportFixture.snapshot(gates: ["reply.p99 < 2s"]) { shard in
            ReportFixture.busy(shard)
            shard.count(.framesSent, by: 210)
            shard.count(.framesReceived, by: 1830)
            shard.count(.bytesSent, by: 52_480)
            shard.count(.bytesReceived, by: 3_145_728)
            shard.count(.uploadsSent, by: 2)
            shard.count(.uploadsConfirmed, by: 2)
            shard.count(.uploadsBytes, by: 4_194_304)
            shard.count(.downloadsStarted)
            shard.count(.downloadsComplete)
            shard.count(.downloadsBytes, by: 1_048_576)
            shard.count(.promptsReceived, by: 3)
            shard.count(.promptsAnswered, by: 3)
            shard.count(.pingsSent, by: 4)
            shard.count(.pongsReceived, by: 4)
            shard.recordRate(.uploadRate, bytes: 2_097_152, over: .seconds(1), phase: .steady)
        }
        var report = Self.concluded(snapshot)
        report.reconciliation = (1...15).map { ReconciliationRow(name: "row \($0)", ours: 1, theirs: 1) }
        report.push = PushRecord(attempts: 5, failed: 0)
        report.directoryPath = "runs/20261130T034210Z-nightly-soak"
        #expect(
            ConsoleSummary.text(report) == """
                nightly-soak against gw.example, hermes, 10 devices, 60.0 s

                number       phase     count        p50        p95        p99         max
                reply        steady      199     100 ms     191 ms     198 ms      199 ms
                reply        recovery      8     500 ms  n/a (n=8)  n/a (n=8)      500 ms
                upload_rate  steady        1  n/a (n=1)  n/a (n=1)  n/a (n=1)  2.00 MiB/s
                loop_lag     steady        1  n/a (n=1)  n/a (n=1)  n/a (n=1)     1.50 ms

                texts         200 sent, 199 answered, 0 late, 1 lost, 0 in doubt, 0 duplicated,
                              0 reordered, 3 not sent, 0 unmatched
                photos sent   2 sent, 2 confirmed, 0 late, 0 corrupt, 0 lost, 0 in doubt,
                              0 not sent, 4.00 MiB
                photos got    1 begun, 1 complete, 0 verified, 0 corrupt, 0 incomplete,
                              0 by URL, 0 open, 1.00 MiB
                prompts       3 received, 3 answered, 0 substituted, 0 expired, 0 superseded,
                              0 ignored, 0 open
                connections   10 dialled, 10 upgraded, 10 ready, 0 ended, 0 reconnected
                frames        210 sent, 1830 received, 0 unknown, 0 malformed
                bytes         51.3 KiB sent, 3.00 MiB received
                pings         4 sent, 4 answered, 0 missed

                gates
                  ✓  reply.p99 < 2s  198 ms  n=199  steady

                gateway       its own totals agree in all 15 counts
                pushes        5 attempts, 0 failed
                generator     loop lag max 1.50 ms
                run directory runs/20261130T034210Z-nightly-soak

                verdict: pass

                """)
    }

    @Test func `a run that failed`() throws {
        #expect(
            ConsoleSummary.text(try ReportFixture.full()) == """
                nightly-soak against gw.example, hermes, 10 devices, 60.0 s

                number    phase     count        p50        p95        p99      max
                reply     steady      199     100 ms     191 ms     198 ms   199 ms
                reply     recovery      8     500 ms  n/a (n=8)  n/a (n=8)   500 ms
                loop_lag  steady        1  n/a (n=1)  n/a (n=1)  n/a (n=1)  1.50 ms

                texts         200 sent, 199 answered, 0 late, 1 lost, 0 in doubt, 0 duplicated,
                              0 reordered, 3 not sent, 0 unmatched
                connections   10 dialled, 10 upgraded, 10 ready, 0 ended, 0 reconnected
                dial failures 1 refused
                losses        1 fault
                close codes   1 1001
                http statuses 1 503
                server errors 1 busy

                outages
                  mass drop
                    at 20.0 s, 4 devices lost, 50 % ready after 1.50 s, 90 % ready after 2.50 s,
                    99 % ready after 3.50 s, closed after 3.50 s, 5 dials,
                    at most 4 dials in a second
                  collapse
                    at 50.0 s, 10 devices lost, still open at the end

                gates
                  ✓  reply.p99 < 2s                      198 ms  n=199  steady
                  ✗  messages.lost == 0                       1  n=200
                      is 1, must be == 0
                  ✗  reconnect.p95 < 15s in recovery  n/a (n=0)    n=0  recovery
                      p95 needs 20 samples in recovery, there are 0

                warnings
                  - a warning

                gateway       its own totals differ in 1 of 1 count (ours, its own):
                              texts sent  200  199
                pushes        4 attempts, 1 failed, last error: 503
                generator     CPU by loop 25 % 13 %, 45.2 MiB resident, 42 descriptors of 65536,
                              28000 ports left, loop lag max 1.50 ms
                offenders     1 in offenders.jsonl, 2 beyond its bounds only counted
                run directory runs/20261130T034210Z-nightly-soak

                verdict: fail

                """)
    }

    @Test func `a run that was interrupted`() {
        let snapshot = ReportFixture.snapshot(elapsed: 12.5) { shard in
            shard.move(from: nil, to: .left, devices: 1)
            for counter in [Counter.dials, .connects, .ready] { shard.count(counter) }
        }
        #expect(
            ConsoleSummary.text(Self.concluded(snapshot, interruption: .interrupt)) == """
                nightly-soak against gw.example, hermes, 1 device, 12.5 s of 60.0 s

                connections   1 dialled, 1 upgraded, 1 ready, 0 ended, 0 reconnected

                reason        interrupted by SIGINT
                verdict: interrupted

                """)
    }

    @Test func `a run in which nothing happened`() {
        #expect(
            ConsoleSummary.text(ReportFixture.report(ReportFixture.snapshot(elapsed: 0))) == """
                nightly-soak against gw.example, hermes, 0 devices, 0 s of 60.0 s

                verdict: incomplete

                """)
    }

    @Test func `colour is put around marks and verdict, and changes nothing else`() throws {
        let report = try ReportFixture.full()
        let colored = ConsoleSummary.text(report, useColor: true)
        #expect(colored.hasSuffix("verdict: \u{1B}[31mfail\u{1B}[0m\n"))
        #expect(colored.contains("\n  \u{1B}[32m✓\u{1B}[0m  reply.p99 < 2s "))
        #expect(colored.contains("\n  \u{1B}[31m✗\u{1B}[0m  messages.lost == 0 "))
        let plain = ["\u{1B}[31m", "\u{1B}[32m", "\u{1B}[0m"].reduce(colored) { $0.replacing($1, with: "") }
        #expect(plain == ConsoleSummary.text(report))
    }

    @Test func `text from outside cannot act on the terminal or break the layout`() throws {
        let hostile = "a\u{1B}[31mb\u{7}\u{202E}c\n\u{9B}2J\td\u{200B}e"
        var report = try ReportFixture.full()
        report.warnings = [hostile, String(repeating: "wide 漢字 ", count: 30), String(repeating: "x", count: 300)]
        report.reasons = [hostile]
        report.push?.lastError = hostile + String(repeating: "y", count: 200)
        report.outages[0].name = hostile + String(repeating: " long name", count: 20)
        report.run.identity.targetHost = String(repeating: "h", count: 120)
        report.run.identity.profile = hostile
        let text = ConsoleSummary.text(report)
        #expect(text.contains("  - a[31mbc 2J de\n"))
        #expect(text.contains("reason        a[31mbc 2J de\n"))
        let lines = text.split(separator: "\n")
        #expect(lines.filter { PrintableText.columns(String($0)) > 80 } == [])
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(lines.last == "verdict: fail")
    }

    @Test func `the widest table fits 80 columns`() {
        let snapshot = ReportFixture.snapshot { shard in
            for (index, metric) in Metric.allCases.enumerated() {
                for phase in Phase.allCases {
                    // 99 samples leave p99 open, which is the widest cell.
                    for _ in 0..<(phase == .ramp ? 99 : 100) { shard.record(metric, 1_048_000_000 + UInt64(index), phase: phase) }
                }
            }
        }
        let table = ConsoleSummary.text(ReportFixture.report(snapshot)).split(separator: "\n").filter { $0.contains("n/a (n=99)") }
        #expect(table.count == ConsoleSummary.headlines.count)
        #expect(table.allSatisfy { PrintableText.columns(String($0)) <= 80 })
    }

    @Test func `a gate on a drift shows slope, interval and windows, and the generator what it used`() {
        var snapshot = ReportFixture.snapshot(
            generator: .init(cpuShareByLoop: [0.5], busiestLoopShare: 0.874, openDescriptors: 1, portsLeft: 28_000)
        ) { shard in
            shard.count(.timersFired, by: 100)
            shard.count(.timersLate, by: 3)
        }
        snapshot.gates = [ReportFixture.drift]
        let text = ConsoleSummary.text(ReportFixture.report(snapshot), width: 120)
        #expect(text.contains("\n  ✓  reply.p95 drift < 5%/h  +3.21 %/h (1.10 to 5.32)  n=40  steady in windows of 64 s\n"), "\(text)")
        let generator = "CPU by loop 50 %, at most 87 % over 10 s, 1 descriptor, 28000 ports left, 3 of 100 timers late\n"
        #expect(text.contains(generator), "\(text)")
    }

    @Test func `a gate too long for a row gets lines of its own`() {
        let snapshot = ReportFixture.snapshot(gates: [
            "reply.p99 < 1500.0000000000000000000000000000000000000000ms in recovery", "messages.sent == 0",
        ])
        #expect(
            ConsoleSummary.text(ReportFixture.report(snapshot)).hasSuffix(
                """

                gates
                  ✗ reply.p99 < 1500.0000000000000000000000000000000000000000ms in recovery
                      n/a (n=0), n=0, recovery
                      p99 needs 100 samples in recovery, there are 0
                  ✓ messages.sent == 0
                      0, n=0

                verdict: incomplete

                """))
    }

    @Test(arguments: [
        (0, "0"), (9_999_999, "9999999"), (10_000_000, "10.0M"), (123_456_789, "123M"), (999_499_999, "999M"), (999_500_000, "1.00G"),
        (123_400_000_000, "123G"),
    ])
    func `counts in tables take seven characters at most`(count: UInt64, text: String) {
        #expect(SummaryPage.short(count) == text)
    }

    @Test(arguments: [
        ("plain", "plain"), ("  two \t\r\n words  ", "two words"), ("e\u{301}", "e\u{301}"), ("\u{1B}]0;title\u{7}", "]0;title"),
        ("\u{FEFF}a\u{AD}b\u{2028}c\u{E000}", "ab c"), ("", ""),
    ])
    func `text is cleaned of what does not show`(text: String, expected: String) {
        #expect(PrintableText.clean(text) == expected)
    }

    // Widths from Unicode Technical Report 11.
    @Test(arguments: [("abc", 3), ("漢字", 4), ("한", 2), ("e\u{301}", 1), ("Ａ", 2), ("é", 1), ("😀", 2)])
    func `a text takes the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(PrintableText.columns(text) == columns)
    }
}
