import StentorBase
import StentorReport

/// `stentor compare`: two groups of runs beside each other.
struct CompareCommand: Sendable {
    private let arguments: CompareArguments
    private let console: Console

    init(_ arguments: CompareArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws -> ExitCode {
        if arguments.isCalibration, arguments.failureRule != nil {
            throw UserFailure(
                .arguments, "cannot be used with --calibrate", place: "--fail-on",
                hint: "of one version nothing can be worse; leave one of them out")
        }
        let base = try read(arguments.base)
        let candidate = try read(arguments.candidate)
        try checkAlike(base.map(\.identity), candidate.map(\.identity))
        let comparison = Comparison(base: base, candidate: candidate, isCalibration: arguments.isCalibration)
        let failures = try arguments.failureRule?.failures(comparison) ?? []
        try write(comparison, failures)
        if arguments.htmlFile != nil || arguments.outputDirectory != nil {
            try writePage(ComparisonPage(comparison, shifts: QuantileShift.all(base: base, candidate: candidate)))
        }
        guard print(comparison) else { return .failure }
        for failure in failures {
            console.report("stentor: \(TerminalText.clean(failure.number)): \(TerminalText.clean(failure.reason))\n")
        }
        return failures.isEmpty ? .success : .gateFailed
    }

    /// Reads all runs of a side, and tells all that is wrong with them at once.
    private func read(_ names: [String]) throws(UserFailures) -> [RunMeasurements] {
        var (runs, failures): ([RunMeasurements], [UserFailure]) = ([], [])
        let paths = try directories(names)
        for path in paths {
            do throws(UserFailure) { runs.append(try RunMeasurements(directory: path)) } catch { failures.append(error) }
        }
        guard failures.isEmpty else { throw UserFailures(failures) }
        return runs
    }

    /// The run directories that a side names, by path or by the history.
    private func directories(_ names: [String]) throws(UserFailures) -> [String] {
        do throws(UserFailure) {
            let found = try HistoryReference.directories(
                names, database: arguments.database, environment: HistoryRecording.environment)
            for warning in found.warnings { console.report("stentor: \(TerminalText.clean(warning))\n") }
            return found.paths
        } catch {
            throw UserFailures([error])
        }
    }

    private func checkAlike(_ base: [ComparedRun], _ candidate: [ComparedRun]) throws(UserFailures) {
        var seen: [String: String] = [:]
        for run in base + candidate {
            guard let former = seen.updateValue(run.path, forKey: run.runID) else { continue }
            throw UserFailures([
                UserFailure(
                    .arguments, "is the same run as \(former)", place: run.path,
                    hint: "name each run once: a run differs from itself in nothing")
            ])
        }
        let unlike = LikeForLike.check(base, candidate)
        guard !unlike.isEmpty, !arguments.isForced else { return }
        throw UserFailures(
            unlike.enumerated().map { index, unlikeness in
                UserFailure(
                    .arguments, "the runs are not alike: \(TerminalText.clean(unlikeness.detail))", place: unlikeness.what,
                    hint: index == unlike.count - 1 ? "--force compares them all the same, and says so" : "")
            })
    }

    private func print(_ comparison: Comparison) -> Bool {
        if arguments.printsJSON { return console.writeResult(String(decoding: ComparisonDocument.bytes(comparison), as: UTF8.self)) }
        let traits = console.outputTraits
        return console.writeResult(ComparisonText(comparison, width: traits.columns, useColor: traits.hasColours).text)
    }

    private func write(_ comparison: Comparison, _ failures: [FailureRule.Failure]) throws(UserFailure) {
        let junit = ComparisonJUnit.bytes(comparison, failed: failures)
        if let folder = arguments.outputDirectory {
            let files = ComparisonFiles(folder: folder)
            try files.write("compare.json", ComparisonDocument.bytes(comparison))
            try files.write("compare.txt", Array(ComparisonText(comparison, width: 120).text.utf8))
            try files.write("junit.xml", junit)
        }
        if let file = arguments.junitFile { try ComparisonFiles.write(file, junit) }
    }

    private func writePage(_ page: ComparisonPage) throws(UserFailure) {
        let bytes = page.bytes
        if let folder = arguments.outputDirectory { try ComparisonFiles(folder: folder).write("compare.html", bytes) }
        if let file = arguments.htmlFile { try ComparisonFiles.write(file, bytes) }
    }
}
