extension CommandSpec {
    /// `stentor report`.
    static let report = CommandSpec(
        "report", operand: "RUN",
        summary: "Makes the report of a run directory again.",
        discussion: """
            Makes report.html and junit.xml from the other files of the run directory RUN, also of a run that was killed: then the numbers are \
            those of its last checkpoint, and the charts reach as far as its files. Prints where the report is, and records the run in the \
            history again, in place of what was recorded of it before.
            """,
        options: [
            OptionSpec("--out", "FILE", .text, help: "Where the report goes; the run directory then stays as it is."),
            OptionSpec(switch: "--json", help: "Prints the summary as JSON instead of the report's place."),
        ] + HistoryRecording.options,
        examples: [
            Example("report runs/20261130T034210Z-nightly-soak", "makes the report in its place"),
            Example("report runs/20261130T034210Z-nightly-soak --out /tmp/report.html", "makes it elsewhere, for instance from an archive"),
        ],
        make: { arguments in
            var report = ReportArguments(run: arguments.operand)
            report.output = arguments.value("--out")
            report.printsJSON = arguments.has("--json")
            report.recording = HistoryRecording(arguments)
            return .report(report)
        })
}
