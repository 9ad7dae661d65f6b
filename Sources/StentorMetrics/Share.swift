import StentorBase

/// Quotients of counts that gates may name.
///
/// Closed, over the whole run, in 0...1.
public enum Share: String, CaseIterable, Sendable {
    /// Connections that became ready, of all dials that ended: ready / (ready + dials failed).
    case readyRate = "ready.rate"
    /// Texts answered in time, of all whose outcome is known: answered / (answered + late + lost).
    case answeredRate = "messages.answered_rate"
    /// Texts lost, of all whose outcome is known: lost / (answered + late + lost).
    case lostRate = "messages.lost_rate"

    /// The name in gates, reports and documents.
    public var name: String { rawValue }

    /// The share of this name, if there is one.
    public init?(name: some StringProtocol) {
        self.init(rawValue: String(name))
    }

    /// The numerator.
    public func part(in snapshot: RunSnapshot) -> Int64 { part(snapshot.count) }

    /// The denominator.
    ///
    /// A dial that was given up because the run or the device ended, that a fault of the profile cut, or for which this machine had no port
    /// or descriptor, is no failure.
    public func population(in snapshot: RunSnapshot) -> Int64 {
        population(snapshot.count, dialFailures: snapshot.labels(.dialFailures).map { ($0.label, $0.count) })
    }

    /// The numerator, of counts from anywhere.
    public func part(_ count: (Counter) -> Int64) -> Int64 {
        switch self {
        case .readyRate: count(.ready)
        case .answeredRate: count(.messagesAnswered)
        case .lostRate: count(.messagesLost)
        }
    }

    /// The denominator, of counts from anywhere; see ``population(in:)``.
    public func population(_ count: (Counter) -> Int64, dialFailures: [(cause: String, count: Int64)]) -> Int64 {
        switch self {
        case .readyRate:
            dialFailures.reduce(count(.ready)) {
                Self.isFailure($1.cause) ? $0 + $1.count : $0
            }
        case .answeredRate, .lostRate: count(.messagesAnswered) + count(.messagesLate) + count(.messagesLost)
        }
    }

    private static func isFailure(_ label: String) -> Bool {
        guard let cause = DialCause(rawValue: label) else { return true }
        return cause != .cancelled && cause != .fault && !cause.isGeneratorLimit
    }
}
