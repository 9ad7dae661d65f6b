import Foundation
import StentorBase
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct ReportPageTests {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    /// A run of some seconds with an outage, written as runs are; gives its report.
    private func page(
        seconds: Int = 8, length: Double = 1, hasVariety: Bool = true, name: String = "nightly-soak", outage: String = "mass drop",
        conclude: (inout RunReport) -> Void = { _ in }
    ) throws -> String {
        var fixture = try JournalFixture(below: root.path)
        fixture.gates = [ReportFixture.gate("reply.p99 < 20s"), ReportFixture.gate("messages.lost == 0")]
        let journal = try RunJournal(fixture.directory, runID: "r")
        for number in 0..<seconds {
            if number == seconds / 2 { fixture.outages = [Outage(name: outage, startSeconds: fixture.elapsed, devicesLost: 2)] }
            let now = fixture.elapsed
            journal.record(
                fixture.second(length: length) { shard in
                    if hasVariety { JournalFixture.various(number, shard) } else { shard.record(.reply, UInt64(number), phase: .steady) }
                    if number == 0 { shard.move(from: nil, to: .ready, devices: 50) }
                    if number == seconds / 2 {
                        shard.note(
                            ReconnectRecord(
                                device: outage, lostSeconds: now, endSeconds: now + 1, isReady: true, attempts: 1,
                                cause: .reset))
                        shard.note(
                            OffenderRecord(
                                device: name, item: .text, sequence: 1, fate: .lost, dueSeconds: now - 2, knownSeconds: now, detail: outage,
                                timeline: [
                                    DeviceEvent(.ready, seconds: now - 3), DeviceEvent(.due, seconds: now - 2),
                                    DeviceEvent(.lost, seconds: now - 1.25, cause: "reset"),
                                    DeviceEvent(.otherReplied, seconds: now - 0.5, number: 4), DeviceEvent(.deadline, seconds: now),
                                ]))
                        shard.count(serverError: outage)
                    }
                })
            if number % 100 == 0 { _ = journal.flush() }
        }
        journal.note(RunEvent(.warning(outage), wallSeconds: 0, elapsedSeconds: 1))
        #expect(journal.finish().isEmpty)
        var run = ReportFixture.run
        run.identity.profile = name
        run.labels = [.init(name: name, value: outage)]
        var report = RunReport(run: run, snapshot: fixture.snapshot(), outages: fixture.outages)
        report.conclude(VerdictRule.judge(report.snapshot, gates: report.snapshot.gates, interruption: nil, generatorLimits: []))
        conclude(&report)
        try fixture.directory.write(run)
        try fixture.directory.write(report)
        try fixture.directory.writeDocuments()
        return try root.read("\(fixture.directory.name)/report.html")
    }

    @Test func `the report is well formed and begins with the verdict and the gates`() throws {
        let html = try page()
        let check = HTMLCheck(html)
        #expect(check.faults == [])
        #expect(check.elements.prefix(2) == ["html", "head"])
        let marks = [
            "id=\"verdict\"", "id=\"gates\"", "id=\"states\"", "id=\"reply\"", "id=\"lag\"", "id=\"numbers\"", "id=\"definitions\"",
        ]
        let places = marks.compactMap { html.firstRange(of: $0)?.lowerBound }
        #expect(places.count == marks.count && places == places.sorted())
        let text = HTMLCheck(html).text
        #expect(isIn(text, "✓ pass All 2 gates held."))
        #expect(isIn(text, "reply.p99 &lt; 20s ✓ pass"))
        #expect(isIn(text, "seed 18446744073709551615"), "to the last digit")
    }

    @Test func `nothing is loaded from elsewhere`() throws {
        let html = try page()
        let loading = HTMLCheck(html).attributes.filter { ["src", "href", "srcset", "action", "data", "xlink:href"].contains($0.name) }
        #expect(loading.allSatisfy { $0.value.hasPrefix("#") })
        for part in ["url(", "@import", "http://", "https://"] { #expect(!isIn(html, part)) }
        #expect(isIn(html, "default-src 'none'"))
    }

    @Test func `only the script of this program may run`() async throws {
        let html = try page()
        let script = try #require(html.ranges(of: "<script>").first)
        let end = try #require(html[script.upperBound...].firstRange(of: "</script>"))
        let file = try root.write(String(html[script.upperBound..<end.lowerBound]), to: "script.js")
        // The system's own tools are the judge of the digest.
        let outcome = try await ChildProcess.run(["/bin/sh", "-c", "openssl dgst -sha256 -binary \"$0\" | base64", file])
        let digest = outcome.output
        #expect(isIn(html, "script-src 'sha256-\(digest.trimmingCharacters(in: .whitespacesAndNewlines))'"))
    }

    @Test(arguments: [
        "</script><script>alert(1)</script>", "\" onload=\"alert(1)", "'><img src=x onerror=alert(1)>", "]]>&lt;b&gt;<!--",
        "\u{202E}live\u{202C} \u{2067}אב\u{2069}\u{200F}", "a\nb\r\u{0}\u{1B}[31m", String(repeating: "<x>", count: 3500),
    ])
    func `hostile names stay text`(name: String) throws {
        let plain = HTMLCheck(try page())
        let html = try page(name: name, outage: name) { $0.warnings = [name] }
        let check = HTMLCheck(html)
        #expect(check.faults == [])
        // The warning adds a note of one item; the names themselves must add nothing.
        var expected = plain.counts
        for element in ["div", "h3", "ul", "li"] { expected[element, default: 0] += 1 }
        #expect(check.counts == expected)
        #expect(!check.attributes.contains { $0.name.hasPrefix("on") })
        let forbidden = html.unicodeScalars.contains { $0.properties.generalCategory == .format || ($0.value < 32 && $0 != "\n") }
        #expect(!forbidden)
    }

    @Test func `an offender's timeline reads as a story`() throws {
        let html = try page { $0.offenders = OffenderTally(recorded: 1, dropped: 1234) }
        let text = HTMLCheck(html).text
        #expect(isIn(text, "What did not arrive as it should (1 of 1; 1,234 more were only counted)"))
        #expect(
            isIn(
                text,
                "nightly-soak text 1 lost 2.000 −1.000 ready +0.000 due +0.750 lost (reset) +1.500 reply to #4 +2.000 deadline mass drop"))
    }

    @Test func `every distribution of the summary stands in the table with its count`() throws {
        let html = try page()
        let table = HTMLCheck(html).text
        let summary = try JSONTree.object(reading: Array(try root.read("\(try directory())/summary.json").utf8))
        for metric in Metric.allCases {
            for phase in summary["distributions"]?[metric.name]?.members ?? [] {
                let count = try #require(phase.value["count"]?.int)
                let minimum = try #require(phase.value["min"]?.double)
                let cells = "\(phase.key) \(HTMLText.count(count)) \(metric.unit.text(minimum))"
                #expect(isIn(table, cells), "\(metric) \(phase.key)")
            }
        }
        #expect(isIn(table, "n/a (n="))
    }

    /// Whether a text holds a part; keeps a failure's message short.
    private func isIn(_ text: String, _ part: String) -> Bool { text.contains(part) }

    private func directory() throws -> String {
        try #require(try FileManager.default.contentsOfDirectory(atPath: root.path).first { $0.hasPrefix("2026") })
    }

    @Test func `a day's run is drawn with few points and stays small`() throws {
        let html = try page(seconds: 1000, length: 86.4, hasVariety: false)
        #expect(html.utf8.count < 2_000_000)
        for plot in html.ranges(of: "class=\"points\">") {
            let json = html[plot.upperBound...].prefix { $0 != "<" }
            let data = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            for series in data["series"] as? [[String: Any]] ?? [] {
                #expect((series["points"] as? [Any] ?? []).count <= 2000)
            }
        }
    }

    @Test func `an empty run says what there is not`() throws {
        let directory = try RunDirectory.make(below: root.path, profile: "empty", startedAtSeconds: 0)
        try directory.write(ReportFixture.run)
        try directory.write(RunReport(run: ReportFixture.run, snapshot: ReportFixture.snapshot(elapsed: 0)))
        try directory.writeDocuments()
        let html = try root.read("\(directory.name)/report.html")
        #expect(HTMLCheck(html).faults == [])
        let text = HTMLCheck(html).text
        #expect(isIn(text, "Not drawn, because nothing was recorded: Devices · Connects and losses · Reply"))
        #expect(isIn(text, "Nothing was measured."))
        #expect(isIn(text, "The profile has none."))
    }

    @Test func `gates that failed are told with their reasons, once`() throws {
        let html = try page { report in
            report.snapshot.gates[1] = ReportFixture.gate("messages.lost > 5").evaluate(report.snapshot)
            report.conclude(VerdictRule.judge(report.snapshot, gates: report.snapshot.gates, interruption: nil, generatorLimits: []))
        }
        let text = HTMLCheck(html).text
        #expect(isIn(text, "✗ fail 1 of 2 gates did not hold."))
        #expect(isIn(text, "messages.lost &gt; 5 ✗ fail 0"))
        #expect(!isIn(text, "Reasons"))
    }

    @Test func `a gate on a drift shows slope, interval and windows`() throws {
        let text = HTMLCheck(try page { $0.snapshot.gates.append(ReportFixture.drift) }).text
        #expect(isIn(text, "+3.21 %/h (1.10 to 5.32) in windows of 64 s"), "\(text)")
    }

    @Test func `other reasons stand in the verdict`() throws {
        let html = try page { report in
            report.snapshot.verdict = .invalid
            report.reasons = ["the event loops were late"]
        }
        let text = HTMLCheck(html).text
        #expect(isIn(text, "! invalid The generator, not the target, was the limit"))
        #expect(isIn(text, "Reasons the event loops were late"))
    }
}
