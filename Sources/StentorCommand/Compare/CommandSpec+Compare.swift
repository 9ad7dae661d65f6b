import StentorReport

extension CommandSpec {
    /// `stentor compare`.
    static let compare = CommandSpec(
        "compare", operand: "BASE... -- CANDIDATE...", hasSides: true,
        summary: "Compares two groups of runs, statistically.",
        discussion: """
            Compares the run directories before '--' with those behind it, number by number: the difference with its 95 % confidence \
            interval, an effect size, and whether it is better, worse, or no difference was shown, with the smallest that could have been \
            seen. Outages are matched by name and order. Several runs a side tell how much runs of one version differ, and the intervals \
            allow for it. Runs must be alike in profile, seed, duration and host, and valid. A run can also be named by the history: \
            'history:last', 'history:server=1.1.1,last=3'. Docs/statistics.md has the methods, Docs/history.md the names.
            """,
        options: [
            OptionSpec(
                "--fail-on", "worse[:NUMBER,...]", .failureRule,
                help: "Ends with 99 when a number got worse; with names, when one of these got worse or could not be compared."),
            OptionSpec(switch: "--calibrate", help: "Both sides are one version: prints what difference is noise here."),
            OptionSpec(switch: "--force", help: "Compares runs that are not alike, and prints what differs."),
            OptionSpec(switch: "--json", help: "Prints the comparison as JSON."),
            OptionSpec("--out", "DIR", .text, help: "Also writes compare.html, compare.json, compare.txt and junit.xml to this folder."),
            OptionSpec("--html", "FILE", .text, help: "Also writes a page with curves and drawings to this file."),
            OptionSpec(
                "--db", "FILE", .text,
                help: "The file of the history, instead of STENTOR_HISTORY or the one in the user's data directory."),
            OptionSpec("--junit", "FILE", .text, help: "Also writes a test case for each number to this file."),
        ],
        examples: [
            Example(
                "compare runs/20261130T034210Z-nightly-soak -- runs/20261201T034211Z-nightly-soak", "compares two nights"),
            Example(
                "compare old/* -- new/* --fail-on worse:reply.p99,messages.lost", "holds a release against several runs of the last one"),
            Example("compare history:server=1.0.0,last=3 -- history:server=1.1.0,last=3", "compares the last three runs of two versions"),
            Example("compare old/1 old/2 -- old/3 old/4 --calibrate", "asks how much runs of one version differ"),
        ],
        make: { arguments in
            var compare = CompareArguments(base: arguments.sides[0], candidate: arguments.sides[1])
            compare.failureRule = arguments.value("--fail-on").flatMap(FailureRule.init)
            compare.isCalibration = arguments.has("--calibrate")
            compare.isForced = arguments.has("--force")
            compare.database = arguments.value("--db")
            compare.printsJSON = arguments.has("--json")
            compare.outputDirectory = arguments.value("--out")
            compare.htmlFile = arguments.value("--html")
            compare.junitFile = arguments.value("--junit")
            return .compare(compare)
        })
}
