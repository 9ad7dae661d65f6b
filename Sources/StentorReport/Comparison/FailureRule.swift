import StentorBase

/// What makes a comparison fail: `worse`, or `worse:NUMBER,…` for these numbers only.
public struct FailureRule: Sendable, Equatable {
    /// A number that fails, and why.
    public struct Failure: Sendable, Equatable {
        /// The number's name.
        public let number: String
        /// Why, in one sentence without a full stop.
        public let reason: String
    }

    /// The numbers that count; empty: all.
    public let numbers: [String]

    /// Reads a rule; nil when it is not `worse` or `worse:` and names.
    public init?(_ text: String) {
        guard text != "worse" else {
            numbers = []
            return
        }
        guard text.hasPrefix("worse:") else { return nil }
        let names = text.dropFirst("worse:".count).split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
        numbers = names
    }

    /// The numbers that fail: those that got worse, and those that were named and could not be compared.
    ///
    /// - Throws: A failure of cause `.arguments` for a name that no number has.
    public func failures(_ comparison: Comparison) throws(UserFailure) -> [Failure] {
        let known = comparison.numbers.map(\.name)
        for name in numbers where !known.contains(name) {
            throw UserFailure(
                .arguments, "there is no number '\(PrintableText.clean(name))' in this comparison", place: "--fail-on",
                hint: Suggestion.hint(for: name, among: known))
        }
        return comparison.numbers.compactMap { number in
            guard numbers.isEmpty || numbers.contains(number.name) else { return nil }
            if let finding = number.finding {
                return finding.verdict == .worse ? Failure(number: number.name, reason: ComparisonText.reason(number, finding)) : nil
            }
            return numbers.isEmpty ? nil : Failure(number: number.name, reason: "cannot be compared: \(number.missing ?? "no data")")
        }
    }
}
