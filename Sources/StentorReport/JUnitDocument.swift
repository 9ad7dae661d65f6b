import StentorBase

/// `junit.xml`: a test case for each gate, as build servers read it; made from `summary.json`.
///
/// A gate without data is a failure of the type `no_data`. A run that ended otherwise than its gates say (invalid, interrupted,
/// incomplete, without its report) has one more test case, `run`, with an error; so has a run without gates, which passes.
enum JUnitDocument {
    /// The document as UTF-8.
    static func bytes(_ summary: JSONTree) -> [UInt8] {
        let run = summary["run"]
        let name = attribute(run?["profile"]?.string ?? "run")
        let gates = summary["gates"]?.elements ?? []
        let failed = gates.filter { $0["verdict"]?.string != "pass" }.count
        let verdict = summary["verdict"]?.string ?? "incomplete"
        let isError = !["pass", "fail"].contains(verdict) || (verdict == "fail" && failed == 0)
        let count = gates.count + (isError || gates.isEmpty ? 1 : 0)
        let time = Quantity.fixed(summary["elapsed_seconds"]?.double ?? 0, decimals: 3)
        let totals = "tests=\"\(count)\" failures=\"\(failed)\" errors=\"\(isError ? 1 : 0)\" time=\"\(time)\""
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testsuites name="stentor" \#(totals)>"#,
            #"  <testsuite name="\#(name)" \#(totals) skipped="0"\#(stamp(run)) hostname="\#(attribute(run?["host"]?["hostname"]?.string ?? ""))">"#,
        ]
        lines += gates.flatMap { testCase($0, suite: name) }
        if isError || gates.isEmpty { lines += runCase(summary, verdict: verdict, isError: isError, suite: name) }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func testCase(_ gate: JSONTree, suite: String) -> [String] {
        let name = attribute(gate["expression"]?.string ?? "")
        let head = #"    <testcase classname="stentor.\#(suite)" name="\#(name)""#
        let verdict = gate["verdict"]?.string ?? "no_data"
        guard verdict != "pass" else { return [head + "/>"] }
        let reason = gate["reason"]?.string ?? "no reason"
        return [head + ">", #"      <failure type="\#(attribute(verdict))" message="\#(attribute(reason))"/>"#, "    </testcase>"]
    }

    private static func runCase(_ summary: JSONTree, verdict: String, isError: Bool, suite: String) -> [String] {
        let head = #"    <testcase classname="stentor.\#(suite)" name="run""#
        guard isError else { return [head + "/>"] }
        let reasons = (summary["reasons"]?.elements ?? []).compactMap(\.string)
        let message = reasons.isEmpty ? "the run is \(verdict)" : reasons.joined(separator: "; ")
        return [head + ">", #"      <error type="\#(attribute(verdict))" message="\#(attribute(message))"/>"#, "    </testcase>"]
    }

    /// Readers want the time without a zone; it is UTC.
    private static func stamp(_ run: JSONTree?) -> String {
        guard let time = run?["started_at"]?.string else { return "" }
        return " timestamp=\"\(attribute(String(time.prefix(19))))\""
    }

    /// A value between double quotes: what XML 1.0 § 2.2 forbids is removed, blanks that a reader would change are written as one blank.
    private static func attribute(_ text: String) -> String { MarkupText.escaped(PrintableText.clean(text)) }
}
