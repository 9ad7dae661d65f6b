import StentorBase
import StentorMetrics
import StentorReport

/// `stentor history`: the runs recorded on this machine.
struct HistoryCommand: Sendable {
    private let arguments: HistoryArguments
    private let console: Console

    init(_ arguments: HistoryArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws(UserFailure) -> ExitCode {
        try check()
        guard let path = try HistoryLocation.database(option: arguments.database, environment: HistoryRecording.environment) else {
            throw UserFailure(
                .arguments, "is off: there is no history to read", place: HistoryLocation.variable, hint: "name a file with --db")
        }
        let history = try RunHistory(readingAt: path)
        return console.writeResult(try result(history)) ? .success : .failure
    }

    /// What is wrong without a look at the history.
    private func check() throws(UserFailure) {
        switch arguments.action {
        case .trend(let number, let phase, _): _ = try RunNumber.parse(number, phase: phase)
        case .show(let text): _ = try HistoryReference.parse(text)
        case .forget(let runs):
            for run in runs { _ = try HistoryReference.parse(run) }
            let hasSelection = !arguments.selection.isEverything || arguments.olderThan != nil
            guard runs.isEmpty == hasSelection else {
                let message = runs.isEmpty ? "does not say which runs" : "takes runs or options that select them, not both"
                throw UserFailure(.arguments, message, place: "history forget", hint: "stentor history forget [RUN ...] [OPTION ...]")
            }
        case .list, .export: break
        }
    }

    private func result(_ history: RunHistory) throws(UserFailure) -> String {
        switch arguments.action {
        case .list: list(try history.runs(arguments.selection), history)
        case .show(let text): try show(text, history)
        case .trend(let number, let phase, let page): try trend(try .parse(number, phase: phase), page, history)
        case .export: try export(try history.runs(arguments.selection), history)
        case .forget(let runs): try forget(runs, history)
        }
    }

    private var columns: Int { console.outputTraits.columns }

    private func list(_ runs: [RecordedRun], _ history: RunHistory) -> String {
        arguments.printsJSON ? HistoryDocument.list(runs, database: history.path) : HistoryText.list(runs, width: columns)
    }

    private func show(_ text: String, _ history: RunHistory) throws(UserFailure) -> String {
        let runs = try HistoryReference.parse(text).find(in: history)
        if arguments.printsJSON { return try HistoryDocument.export(runs, in: history) }
        var texts: [String] = []
        for run in runs { texts.append(try HistoryText.run(run, in: history, width: columns)) }
        return texts.joined(separator: "\n")
    }

    private func trend(_ number: RunNumber, _ page: String?, _ history: RunHistory) throws(UserFailure) -> String {
        var selection = arguments.selection
        if selection.profile == nil {
            let known = Set(try history.runs().map(\.profile)).sorted()
            guard known.count == 1 else {
                throw UserFailure(
                    .arguments, known.isEmpty ? "the history has no runs" : "the history has \(known.count) profiles", place: "--profile",
                    hint: known.isEmpty ? "'stentor run' records each run at its end" : "name one: \(known.joined(separator: ", "))")
            }
            selection.profile = known[0]
        }
        let trend = try HistoryTrend(number, of: selection, in: history)
        if let page { try TrendPage(trend).write(to: page) }
        return arguments.printsJSON ? HistoryDocument.trend(trend) : TrendText.page(trend, width: columns)
    }

    private func export(_ runs: [RecordedRun], _ history: RunHistory) throws(UserFailure) -> String {
        arguments.printsJSON ? try HistoryDocument.export(runs, in: history) : try HistoryDocument.table(runs, in: history)
    }

    private func forget(_ texts: [String], _ history: RunHistory) throws(UserFailure) -> String {
        var runs: [RecordedRun] = []
        for text in texts {
            for run in try HistoryReference.parse(text).find(in: history) where !runs.contains(run) { runs.append(run) }
        }
        if texts.isEmpty {
            var selection = arguments.selection
            selection.startedBefore = arguments.olderThan.map { Double(WallClock.nanosecondsSinceEpoch()) / 1e9 - $0.inSeconds }
            runs = try history.runs(selection)
        }
        _ = try history.forget(runs)
        if arguments.printsJSON { return HistoryDocument.forgotten(runs, database: history.path) }
        let head = "forgot \(runs.count) run\(runs.count == 1 ? "" : "s"); run directories stay\n"
        return runs.isEmpty ? head : head + HistoryText.list(runs, width: columns)
    }
}
