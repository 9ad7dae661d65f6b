import StentorMetrics

extension CommandGroup {
    /// `stentor history`.
    static let history = CommandGroup("history", summary: "Shows the runs recorded on this machine, and how their numbers change.")
}

extension CommandSpec {
    /// The commands of `stentor history`.
    static let history = [historyList, historyShow, historyTrend, historyExport, historyForget]

    private static let profile = OptionSpec("--profile", "NAME", .text, help: "Runs of this profile.")
    private static let label = OptionSpec(
        "--label", "name=value", .label, isRepeatable: true, help: "Runs with this label, for instance server=1.1.1. Repeatable.")
    private static let verdict = OptionSpec(
        "--verdict", "WORD", .choice(Verdict.allCases.map(\.rawValue)), isRepeatable: true, help: "Runs that ended so. Repeatable.")
    private static let last = OptionSpec("--last", "N", .count(1...1_000_000), help: "The newest N of them.")
    private static let json = OptionSpec(switch: "--json", help: "Prints the result as JSON.")
    private static let database = OptionSpec(
        "--db", "FILE", .text, help: "The file of the history, instead of STENTOR_HISTORY or the one in the user's data directory.")

    private static let historyList = CommandSpec(
        "history list",
        summary: "Lists recorded runs, newest first.",
        discussion: """
            Lists the runs that were recorded on this machine, newest first: how they ended, how long they took, their labels, and \
            whether their run directory is still there. 'stentor run' records each run at its end.
            """,
        options: [profile, label, verdict, last, json, database],
        examples: [
            Example("history list --profile nightly-soak --last 10", "the last ten nights"),
            Example("history list --label server=1.1.1 --json", "all runs against one server version, for another program"),
        ],
        make: { .history(HistoryArguments(.list, $0)) })

    private static let historyShow = CommandSpec(
        "history show", operand: "RUN",
        summary: "Shows what is recorded of a run.",
        discussion: """
            Shows what the history has of RUN, also when its run directory is gone. RUN is a run's id or the beginning of one, or says which \
            run is meant: last, profile=NAME, a label such as server=1.1.1, label=VALUE for a label of any name, verdict=WORD; several \
            joined by commas. With last=N, or a label alone, it may mean several runs.
            """,
        options: [json, database],
        examples: [
            Example("history show last", "the run that began last, of those that passed or failed"),
            Example("history show profile=nightly-soak,server=1.1.1,last", "the last night against one server version"),
        ],
        make: { .history(HistoryArguments(.show($0.operand), $0)) })

    private static let historyTrend = CommandSpec(
        "history trend", operand: "NUMBER",
        summary: "Shows a number over the runs of a profile.",
        discussion: """
            Shows NUMBER over the runs of a profile that passed or failed, and says from which run on its level is another one. NUMBER is \
            written as in gates: reply.p99, messages.lost, ready.rate. Of series without a change, at most 1 in 100 has one named.
            """,
        options: [
            OptionSpec("--profile", "NAME", .text, help: "The profile; may be left out when the history has only one."),
            OptionSpec("--in", "PHASE", .choice(Phase.allCases.map(\.name)), help: "The phase of a statistic. Default steady."),
            label, last, OptionSpec("--html", "FILE", .text, help: "Also draws it, as one page that loads nothing from elsewhere."), json,
            database,
        ],
        examples: [
            Example("history trend reply.p99 --profile nightly-soak", "whether replies got slower, and since which night"),
            Example("history trend reconnect.p95 --in recovery --profile rollout --html trend.html", "the same of reconnects, drawn"),
        ],
        make: { arguments in
            let phase = arguments.value("--in").flatMap { Phase(name: $0) }
            return .history(
                HistoryArguments(.trend(number: arguments.operand, phase: phase, page: arguments.value("--html")), arguments))
        })

    private static let historyExport = CommandSpec(
        "history export",
        summary: "Prints recorded runs with all their numbers.",
        discussion: "Prints runs with all their numbers as CSV, a line for each number of each run; with --json also their gates.",
        options: [profile, label, verdict, last, json, database],
        examples: [Example("history export --profile nightly-soak", "a table for a spreadsheet or a notebook")],
        make: { .history(HistoryArguments(.export, $0)) })

    private static let historyForget = CommandSpec(
        "history forget", operand: "[RUN ...]", takesMany: true,
        summary: "Removes runs from the history; their directories stay.",
        discussion: """
            Removes runs from the history and prints which. Their run directories stay. RUN is written as for 'history show'; without one, \
            the options say which runs, and at least one of them is needed.
            """,
        options: [
            OptionSpec(switch: "--gone", help: "Runs whose run directory is gone."),
            OptionSpec("--older-than", "TIME", .duration(isPositive: true), help: "Runs that began longer ago, for instance 90d."),
            profile, label, verdict, json, database,
        ],
        examples: [
            Example("history forget 20261130T034210Z-nightly-soak", "removes one run"),
            Example("history forget --gone --older-than 90d", "removes what can no longer be looked at"),
        ],
        make: { .history(HistoryArguments(.forget($0.operands), $0)) })
}
