import StentorBase
import StentorMetrics
import StentorReport

/// What `stentor history` was asked to do.
public struct HistoryArguments: Sendable, Equatable {
    /// Which of its commands.
    public enum Action: Sendable, Equatable {
        /// Lists runs.
        case list
        /// Shows the runs that a reference means.
        case show(String)
        /// Shows a number over the runs of a profile; `phase` is that of a statistic, `page` the file of a page.
        case trend(number: String, phase: Phase?, page: String?)
        /// Prints runs with all their numbers.
        case export
        /// Removes the runs that the references mean, or the selection when there are none.
        case forget([String])
    }

    /// What is done.
    public var action: Action
    /// Which runs.
    public var selection = HistorySelection()
    /// Only runs that began longer ago; nil: whenever.
    public var olderThan: Duration?
    /// The history's file; nil: the environment's, or the user's own.
    public var database: String?
    /// Whether the result goes to stdout as JSON.
    public var printsJSON = false

    /// Asks for something of all runs.
    public init(_ action: Action) {
        self.action = action
    }

    init(_ action: Action, _ arguments: CommandArguments) {
        self.action = action
        selection.profile = arguments.value("--profile")
        selection.labels = arguments.values("--label").compactMap(Assignment.init).map { .init(name: $0.name, value: $0.value) }
        selection.verdicts = Set(arguments.values("--verdict").compactMap { Verdict(rawValue: $0) })
        selection.last = arguments.value("--last").flatMap(ValueShape.wholeNumber)
        selection.isVanished = arguments.has("--gone")
        olderThan = arguments.value("--older-than").flatMap(Quantity.duration)
        database = arguments.value("--db")
        printsJSON = arguments.has("--json")
    }
}
