import StentorBase
import StentorMetrics

/// A number that a history has of each run: a count, a share, or a statistic of a distribution in a phase.
public struct RunNumber: Sendable, Equatable {
    /// Its name, as gates write it: `messages.lost`, `ready.rate`, `reply.p99`.
    public let name: String
    /// The phase of a statistic; nil: it is over the whole run.
    public let phase: Phase?
    /// Its unit.
    public let unit: Unit

    /// The name with its phase, for instance `reply.p99 in steady`.
    public var text: String { phase.map { "\(name) in \($0.name)" } ?? name }

    /// Finds a number by its name.
    ///
    /// - Parameter phase: The phase of a statistic; nil: steady.
    /// - Throws: A failure of cause `.arguments` with the name as its place.
    public static func parse(_ name: String, phase: Phase?) throws(UserFailure) -> RunNumber {
        let whole: Unit? = Counter(name: name) != nil ? .count : Share(name: name) != nil ? .share : nil
        if let whole {
            guard let phase else { return RunNumber(name: name, phase: nil, unit: whole) }
            throw UserFailure(
                .arguments, "covers the whole run and takes no phase", place: name, hint: "leave out --in \(phase.name)")
        }
        guard let dot = name.lastIndex(of: "."), let metric = Metric(name: name[..<dot]) else { throw unknown(name) }
        let word = name[name.index(after: dot)...]
        guard let statistic = Gate.Statistic.all.first(where: { $0.name == word }) else {
            throw UserFailure(
                .arguments, "'\(metric.name)' has no such statistic", place: PrintableText.clean(name),
                hint: "known here: \(Gate.Statistic.all.map(\.name).joined(separator: ", "))")
        }
        return RunNumber(name: name, phase: phase ?? .steady, unit: statistic == .count ? .count : metric.unit)
    }

    /// The number that stands under a name and phase in a history; nil when this version does not know it.
    static func recorded(_ number: RecordedNumber) -> RunNumber? {
        try? parse(number.name, phase: number.phase.flatMap { Phase(name: $0) })
    }

    private static func unknown(_ name: String) -> UserFailure {
        if let metric = Metric(name: name) {
            return UserFailure(
                .arguments, "is a distribution and needs a statistic", place: name, hint: "for instance \(metric.name).p99")
        }
        var near = Suggestion.nearest(to: name, among: Counter.allCases.map(\.name) + Share.allCases.map(\.name))
        if near == nil, let dot = name.lastIndex(of: ".") {
            near = Suggestion.nearest(to: String(name[..<dot]), among: Metric.allCases.map(\.name)).map { $0 + name[dot...] }
        }
        return UserFailure(
            .arguments, "there is no such number", place: PrintableText.clean(name),
            hint: near.map { "did you mean '\(PrintableText.clean($0))'?" } ?? "see Docs/metrics.md for the names")
    }
}
