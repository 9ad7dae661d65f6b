import StentorBase

/// A comparison as build servers read it: a test case for each number that was judged or was wanted and could not be.
public enum ComparisonJUnit {
    /// The document as UTF-8.
    ///
    /// - Parameters:
    ///   - comparison: What is told.
    ///   - failed: The names of the numbers that fail, with the reason of each; see ``FailureRule``.
    public static func bytes(_ comparison: Comparison, failed: [FailureRule.Failure]) -> [UInt8] {
        let reasons = Dictionary(failed.map { ($0.number, $0.reason) }) { first, _ in first }
        let cases = comparison.numbers.filter { $0.finding?.verdict != nil || reasons[$0.name] != nil }
        let suite = attribute(comparison.base.first?.profile ?? "")
        let totals = "tests=\"\(cases.count)\" failures=\"\(cases.count { reasons[$0.name] != nil })\" errors=\"0\" time=\"0.000\""
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testsuites name="stentor compare" \#(totals)>"#,
            #"  <testsuite name="\#(suite)" \#(totals) skipped="0">"#,
        ]
        for number in cases {
            let head = #"    <testcase classname="stentor.compare.\#(suite)" name="\#(attribute(number.name))""#
            guard let reason = reasons[number.name] else {
                lines.append(head + "/>")
                continue
            }
            let type = number.finding == nil ? "no_data" : "worse"
            lines += [head + ">", #"      <failure type="\#(type)" message="\#(attribute(reason))"/>"#, "    </testcase>"]
        }
        return Array((lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n").utf8)
    }

    private static func attribute(_ text: String) -> String { MarkupText.escaped(PrintableText.clean(text)) }
}
