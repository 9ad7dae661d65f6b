import StentorBase

extension Gate {
    /// Reads a gate.
    ///
    /// - Throws: A failure of cause `.profile` with message and hint, and without a place, which the caller knows.
    public static func parse(_ text: String) throws(UserFailure) -> Gate {
        var rest = Substring(text)
        let name = takeWord(&rest)
        if let drift = try readDrift(of: name, rest, in: text) { return drift }
        let symbol = take(&rest) { "<>=!".contains($0) }
        let value = takeWord(&rest)
        let tail = rest.split(whereSeparator: \.isWhitespace)
        guard !name.isEmpty, !symbol.isEmpty || !value.isEmpty else { throw formFailure(text) }
        guard let comparison = Operator(rawValue: symbol) else {
            let near = symbol == "=" ? "did you mean '=='?" : "known here: \(Operator.allCases.map(\.rawValue).joined(separator: ", "))"
            throw UserFailure(.profile, "no operator '\(symbol)' in gate '\(text)'", hint: near)
        }
        guard !value.isEmpty else { throw formFailure(text) }
        let phase = try phase(tail, in: text)
        let subject = try subject(name, phase, in: text)
        guard let threshold = subject.unit.read(value) else {
            throw UserFailure(.profile, "'\(value)' does not fit '\(name)' in gate '\(text)'", hint: "write \(subject.unit.expectation)")
        }
        let suffix = phase.map { " in \($0.name)" } ?? ""
        return Gate(
            expression: "\(name) \(symbol) \(value)\(suffix)", subject: subject, comparison: comparison, threshold: threshold)
    }

    private static func subject(_ name: String, _ phase: Phase?, in text: String) throws(UserFailure) -> Subject {
        if let whole = Counter(name: name).map(Subject.counter) ?? Share(name: name).map(Subject.share) {
            guard let phase else { return whole }
            throw UserFailure(
                .profile, "'\(name)' covers the whole run and takes no phase in gate '\(text)'", hint: "remove 'in \(phase.name)'")
        }
        let (metric, statistic) = try distribution(name, in: text)
        return .distribution(metric, statistic, phase ?? .steady)
    }

    static func distribution(_ name: String, in text: String) throws(UserFailure) -> (Metric, Statistic) {
        guard let dot = name.lastIndex(of: "."), let metric = Metric(name: name[..<dot]) else {
            throw unknownName(name, in: text)
        }
        let word = String(name[name.index(after: dot)...])
        guard let statistic = Statistic.all.first(where: { $0.name == word }) else {
            throw UserFailure(
                .profile, "'\(metric.name)' has no statistic '\(word)' in gate '\(text)'",
                hint: "known here: \(Statistic.all.map(\.name).joined(separator: ", "))")
        }
        return (metric, statistic)
    }

    static func phase(_ tail: [Substring], in text: String) throws(UserFailure) -> Phase? {
        guard !tail.isEmpty else { return nil }
        guard tail.count == 2, tail[0] == "in" else { throw formFailure(text) }
        if let phase = Phase(name: tail[1]) { return phase }
        throw UserFailure(
            .profile, "no phase '\(tail[1])' in gate '\(text)'",
            hint: Suggestion.hint(for: String(tail[1]), among: Phase.allCases.map(\.name)))
    }

    private static func unknownName(_ name: String, in text: String) -> UserFailure {
        let whole = Counter.allCases.map(\.name) + Share.allCases.map(\.name) + ProcessNumber.allCases.map(\.name)
        if ProcessNumber(name: name) != nil {
            return UserFailure(
                .profile, "'\(name)' is judged by its drift only in gate '\(text)'",
                hint: "for instance \(name) drift < \(exampleChange(name))/h")
        }
        if let metric = Metric(name: name) {
            return UserFailure(
                .profile, "'\(name)' is a distribution and needs a statistic in gate '\(text)'", hint: "for instance \(metric.name).p99")
        }
        var near = Suggestion.nearest(to: name, among: whole)
        if near == nil, let dot = name.lastIndex(of: ".") {
            near = Suggestion.nearest(to: String(name[..<dot]), among: Metric.allCases.map(\.name)).map { $0 + name[dot...] }
        }
        return UserFailure(
            .profile, "no number '\(name)' in gate '\(text)'",
            hint: near.map { "did you mean '\($0)'?" } ?? "see Docs/metrics.md for the names")
    }

    private static func exampleChange(_ name: String) -> String {
        ProcessNumber(name: name)?.unit == .count ? "10" : "1MiB"
    }

    static func formFailure(_ text: String) -> UserFailure {
        UserFailure(.profile, "'\(text)' is no gate", hint: "write it as 'reply.p99 < 2s in steady' or 'messages.lost == 0'")
    }

    /// Takes what stands before the next blank or operator.
    static func takeWord(_ rest: inout Substring) -> String {
        take(&rest) { !$0.isWhitespace && !"<>=!".contains($0) }
    }

    static func take(_ rest: inout Substring, while condition: (Character) -> Bool) -> String {
        rest = rest.drop(while: \.isWhitespace)
        let word = rest.prefix(while: condition)
        rest = rest[word.endIndex...]
        return String(word)
    }
}
