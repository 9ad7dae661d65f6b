import Foundation
import StentorBase
import StentorMetrics
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@testable import StentorReport

struct JUnitDocumentTests {
    private func document(_ report: RunReport) -> String {
        String(decoding: JUnitDocument.bytes(SummaryDocument.json(report)), as: UTF8.self)
    }

    @Test func `each gate is a test case, and what did not pass says why`() {
        let snapshot = ReportFixture.snapshot(gates: ["reply.p99 < 2s", "messages.lost == 0", "confirm.p50 < 1s"], ReportFixture.busy)
        var report = ReportFixture.report(snapshot)
        report.conclude(VerdictRule.judge(snapshot, gates: snapshot.gates, interruption: nil, generatorLimits: []))
        #expect(
            document(report) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="stentor" tests="3" failures="2" errors="0" time="60.000">
                  <testsuite name="nightly-soak" tests="3" failures="2" errors="0" time="60.000" skipped="0" timestamp="2026-11-30T03:42:10" hostname="loader">
                    <testcase classname="stentor.nightly-soak" name="reply.p99 &lt; 2s"/>
                    <testcase classname="stentor.nightly-soak" name="messages.lost == 0">
                      <failure type="fail" message="\(MarkupText.escaped(snapshot.gates[1].reason))"/>
                    </testcase>
                    <testcase classname="stentor.nightly-soak" name="confirm.p50 &lt; 1s">
                      <failure type="no_data" message="\(MarkupText.escaped(snapshot.gates[2].reason))"/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
        #expect(!snapshot.gates[1].reason.isEmpty && !snapshot.gates[2].reason.isEmpty)
    }

    @Test func `a run whose verdict is not that of its gates has an error of its own`() {
        var report = ReportFixture.report(ReportFixture.snapshot(gates: ["messages.lost == 0"], ReportFixture.busy))
        report.reasons = ["the event loops were late", "and \"more\""]
        report.snapshot.verdict = .invalid
        #expect(document(report).contains(#"tests="2" failures="1" errors="1""#))
        #expect(document(report).contains(#"<error type="invalid" message="the event loops were late; and &quot;more&quot;"/>"#))
        report.reasons = []
        report.snapshot.verdict = .incomplete
        #expect(document(report).contains(#"<error type="incomplete" message="the run is incomplete"/>"#))
    }

    @Test func `a run without gates is one test case`() {
        var report = ReportFixture.report(ReportFixture.snapshot())
        report.snapshot.verdict = .pass
        #expect(document(report).contains(#"<testcase classname="stentor.nightly-soak" name="run"/>"#))
        #expect(document(report).contains(#"tests="1" failures="0" errors="0""#))
    }

    @Test func `hostile text stays text`() throws {
        var report = ReportFixture.report(ReportFixture.snapshot())
        report.run.identity.profile = "]]></testsuite>\"'&\u{0}\u{8}\u{FFFE}\u{202E}\n\u{1B}[31m" + String(repeating: "x", count: 10_000)
        report.snapshot.verdict = .pass
        let text = document(report)
        // The system's own parser is the judge.
        let delegate = NameReader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = delegate
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
        #expect(delegate.suites == ["]]></testsuite>\"'& [31m" + String(repeating: "x", count: 10_000)])
    }

    private final class NameReader: NSObject, XMLParserDelegate {
        var suites: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            if element == "testsuite", let name = attributes["name"] { suites.append(name) }
        }
    }
}
