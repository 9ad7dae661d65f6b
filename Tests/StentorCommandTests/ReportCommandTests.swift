import StentorBase
import Testing

@testable import StentorCommand

@Suite struct `The command that makes a report` {
    private let table = CommandTable.standard(version: "1", dialects: ["hermes"], gatewayOptions: [])

    @Test func `takes a run directory and options`() {
        var expected = ReportArguments(run: "runs/a")
        #expect(table.read(["report", "runs/a"]) == .command(.report(expected)))
        (expected.output, expected.printsJSON) = ("x.html", true)
        #expect(table.read(["report", "--json", "runs/a", "--out=x.html"]) == .command(.report(expected)))
    }

    @Test func `needs a run directory`() {
        let failures = UserFailures([
            UserFailure(.arguments, "RUN is missing", place: "report", hint: "stentor report RUN [OPTION ...]")
        ])
        #expect(table.read(["report"]) == .failures(failures))
    }
}
