import StentorBase
import StentorReport

/// `stentor report`: makes the report of a run directory again, also of a run that was killed.
struct ReportCommand: Sendable {
    private let arguments: ReportArguments
    private let console: Console

    init(_ arguments: ReportArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws(UserFailure) -> ExitCode {
        let record = try StoredRun(path: arguments.run)
        if let file = arguments.output {
            try record.writeReport(to: file)
        } else {
            try record.writeDocuments()
        }
        for remark in record.remarks { console.report("stentor: \(record.path): \(TerminalText.clean(remark))\n") }
        if let warning = arguments.recording.warning({ (history) throws(UserFailure) in try history.record(record) }) {
            console.report(warning)
        }
        if arguments.printsJSON {
            return console.write(record.summaryText) ? .success : .failure
        }
        let written = arguments.output ?? "\(record.path)/report.html"
        return console.write("\(TerminalText.clean(written))\n") ? .success : .failure
    }
}
