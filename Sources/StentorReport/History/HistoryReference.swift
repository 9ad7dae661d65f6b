import StentorBase
import StentorMetrics

/// A way to name recorded runs where a run directory may stand: `history:last`, `history:server=1.1.1`, `history:profile=soak,last=3`.
///
/// Conditions are joined by commas and hold together:
///
///     RUN_ID          the run of this id, however it ended; it stands alone
///     last, last=N    the newest run, the newest N
///     NAME=VALUE      runs with this label
///     label=VALUE     runs with any label of this value
///     profile=NAME    runs of this profile
///     verdict=WORD    runs that ended so; without it those that passed or failed
public struct HistoryReference: Sendable, Equatable {
    /// The runs that a reference means.
    public struct Resolution: Sendable {
        /// Those whose directory is there, newest first; never empty.
        public let runs: [RecordedRun]
        /// Those whose directory is gone, newest first.
        public let vanished: [RecordedRun]
    }

    private enum Meaning: Sendable, Equatable {
        case id(String)
        case selection(HistorySelection)
    }

    /// The reference as it was written.
    public let text: String
    private let meaning: Meaning

    private static let prefix = "history:"
    private static let words = ["last", "label", "profile", "verdict"]
    private static let form = "write for instance history:last, history:server=1.1.1 or history:profile=soak,last=3"

    /// Whether an argument is meant as a reference.
    public static func isReference(_ argument: String) -> Bool { argument.hasPrefix(prefix) }

    /// Reads a reference, with or without `history:` before it.
    ///
    /// - Throws: A failure of cause `.arguments` with the reference as its place.
    public static func parse(_ text: String) throws(UserFailure) -> HistoryReference {
        let body = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        let parts = body.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }) else { throw failure(text, "names no run", form) }
        if parts.count == 1, parts[0] != "last", !parts[0].contains("=") {
            return HistoryReference(text: text, meaning: .id(String(parts[0])))
        }
        var selection = HistorySelection()
        for part in parts { try add(part, to: &selection, text) }
        if selection.verdicts.isEmpty { selection.verdicts = [.pass, .fail] }
        return HistoryReference(text: text, meaning: .selection(selection))
    }

    private static func add(_ part: Substring, to selection: inout HistorySelection, _ text: String) throws(UserFailure) {
        if part == "last" { return selection.last = 1 }
        guard let condition = Condition(part) else {
            throw failure(
                text, "'\(part)' is no condition",
                Suggestion.nearest(to: String(part), among: words).map { "did you mean '\($0)'?" } ?? form)
        }
        switch condition.name {
        case "last":
            guard let count = Int(condition.value), count > 0 else {
                throw failure(text, "'\(condition.value)' is no number of runs", "write for instance last=3")
            }
            selection.last = count
        case "label": selection.labelValue = condition.value
        case "profile": selection.profile = condition.value
        case "verdict":
            guard let verdict = Verdict(rawValue: condition.value) else {
                throw failure(
                    text, "there is no verdict '\(condition.value)'",
                    Suggestion.hint(for: condition.value, among: Verdict.allCases.map(\.rawValue)))
            }
            selection.verdicts.insert(verdict)
        default: selection.labels.append(.init(name: condition.name, value: condition.value))
        }
    }

    /// Finds the runs.
    ///
    /// - Throws: A failure of cause `.arguments` when no run is meant, several have the id, or all their directories are gone; of
    ///   cause `.file` when the history cannot be read.
    public func resolve(in history: RunHistory) throws(UserFailure) -> Resolution {
        let found = try find(in: history)
        let present = found.filter { !$0.isVanished }
        guard !present.isEmpty else {
            throw Self.failure(
                text, found.count == 1 ? "its run directory is gone" : "the directories of all \(found.count) runs are gone",
                "it was \(found[0].directory)")
        }
        return Resolution(runs: present, vanished: found.filter(\.isVanished))
    }

    /// Finds the runs, whether their directories are there or not; newest first, never empty.
    ///
    /// - Throws: As ``resolve(in:)``.
    public func find(in history: RunHistory) throws(UserFailure) -> [RecordedRun] {
        switch meaning {
        case .id(let id): [try run(id, in: try history.runs())]
        case .selection(let selection): try runs(selection, in: history)
        }
    }

    private func run(_ id: String, in all: [RecordedRun]) throws(UserFailure) -> RecordedRun {
        let exact = all.filter { $0.runID == id }
        let found = exact.isEmpty ? all.filter { $0.runID.hasPrefix(id) } : exact
        guard let first = found.first else {
            let near = Suggestion.nearest(to: id, among: Self.words + all.map(\.runID)).map { "did you mean '\($0)'?" }
            throw Self.failure(text, "the history has no such run", near ?? "'stentor history list' shows those it has")
        }
        guard found.count == 1 else {
            let places = found.prefix(3).map { exact.isEmpty ? $0.runID : $0.directory }.joined(separator: ", ")
            throw Self.failure(text, "means \(found.count) runs", "among them \(places)")
        }
        return first
    }

    private func runs(_ selection: HistorySelection, in history: RunHistory) throws(UserFailure) -> [RecordedRun] {
        let all = try history.runs()
        let found = selection.chosen(of: all)
        guard found.isEmpty else { return found }
        guard !all.isEmpty else { throw Self.failure(text, "the history has no runs", "'stentor run' records each run at its end") }
        var anyhow = selection
        anyhow.verdicts = []
        if let run = anyhow.chosen(of: all).first {
            throw Self.failure(text, "no such run passed or failed", "one is \(run.verdict.rawValue): add verdict=\(run.verdict.rawValue)")
        }
        throw Self.failure(text, "the history has no such run", Self.known(selection, all))
    }

    /// What there is in place of a profile or label that there is not.
    private static func known(_ selection: HistorySelection, _ all: [RecordedRun]) -> String {
        func unique(_ texts: [String]) -> [String] { Array(Set(texts)).sorted() }
        if let profile = selection.profile, !all.contains(where: { $0.profile == profile }) {
            return Suggestion.hint(for: profile, among: unique(all.map(\.profile)))
        }
        for label in selection.labels where !all.contains(where: { $0.labels.contains(label) }) {
            let values = unique(all.flatMap(\.labels).filter { $0.name == label.name }.map(\.value))
            if !values.isEmpty { return "\(label.name) is known as \(values.prefix(8).joined(separator: ", "))" }
            return Suggestion.hint(for: label.name, among: words + unique(all.flatMap(\.labels).map(\.name)))
        }
        return "'stentor history list' shows those it has"
    }

    private static func failure(_ text: String, _ message: String, _ hint: String) -> UserFailure {
        UserFailure(
            .arguments, PrintableText.clean(message), place: PrintableText.clean(String(text.prefix(200))), hint: PrintableText.clean(hint))
    }

    private struct Condition {
        let name: String
        let value: String

        init?(_ part: Substring) {
            guard let equals = part.firstIndex(of: "="), equals != part.startIndex else { return nil }
            (name, value) = (String(part[..<equals]), String(part[part.index(after: equals)...]))
        }
    }
}

extension HistoryReference {
    /// Replaces the references among arguments by the run directories that they mean, oldest first; what is none stays as it is.
    ///
    /// Blocking. The history is opened only when there is a reference.
    ///
    /// - Parameters:
    ///   - database: The value of `--db`; nil: not given.
    ///   - environment: Looks a variable up.
    /// - Returns: Paths, and a sentence for each reference of which some runs' directories are gone.
    /// - Throws: As ``parse(_:)``, ``resolve(in:)`` and ``HistoryLocation/database(option:environment:)``.
    public static func directories(
        _ arguments: [String], database: String?, environment: (String) -> String?
    ) throws(UserFailure) -> (paths: [String], warnings: [String]) {
        var (paths, warnings): ([String], [String]) = ([], [])
        var opened: RunHistory?
        for argument in arguments {
            guard isReference(argument) else {
                paths.append(argument)
                continue
            }
            let reference = try parse(argument)
            guard let path = try HistoryLocation.database(option: database, environment: environment) else {
                throw failure(argument, "the history is off", "name its file with --db, or unset \(HistoryLocation.variable)")
            }
            let history: RunHistory
            if let opened { history = opened } else { history = try RunHistory(readingAt: path) }
            opened = history
            let found = try reference.resolve(in: history)
            paths += found.runs.reversed().map(\.directory)
            if !found.vanished.isEmpty {
                let count = found.vanished.count == 1 ? "1 run has" : "\(found.vanished.count) runs have"
                warnings.append(
                    "\(PrintableText.clean(argument)): \(count) no directory any more and \(found.vanished.count == 1 ? "is" : "are") left out"
                )
            }
        }
        return (paths, warnings)
    }
}
