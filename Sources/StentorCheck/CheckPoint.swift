/// One way in which a gateway must behave, and how to find out.
struct CheckPoint: Sendable {
    /// Whether the rule binds.
    enum Weight: Sendable {
        /// A gateway that does otherwise is wrong.
        case rule
        /// The protocol leaves it open, and simulated gateways do it this way: another behaviour is told, not judged.
        case custom
    }

    /// What is expected, as a sentence without a full stop.
    let name: String
    /// Whether it binds.
    let weight: Weight
    /// Finds out; gives what was seen. Runs on the loop.
    let judge: @Sendable (CheckBench) async throws(CheckFault) -> String

    /// A rule.
    static func rule(_ name: String, _ judge: @escaping @Sendable (CheckBench) async throws(CheckFault) -> String) -> CheckPoint {
        CheckPoint(name: name, weight: .rule, judge: judge)
    }

    /// What is customary.
    static func custom(_ name: String, _ judge: @escaping @Sendable (CheckBench) async throws(CheckFault) -> String) -> CheckPoint {
        CheckPoint(name: name, weight: .custom, judge: judge)
    }
}

/// Why a point was not met.
enum CheckFault: Error, Equatable {
    /// The gateway did otherwise; what was seen.
    case seen(String)
    /// It cannot be judged here; why.
    case open(String)
    /// No connection came about; why.
    case unreachable(String)
}

/// What became of a point.
public struct CheckResult: Sendable, Equatable {
    /// How it ended.
    public enum Outcome: String, Sendable, CaseIterable {
        /// As expected.
        case passed
        /// Otherwise than the protocol wants.
        case failed
        /// Not judged: it is left open, or could not be found out.
        case open
    }

    /// What is expected, as a sentence without a full stop.
    public let name: String
    /// How it ended.
    public let outcome: Outcome
    /// What was seen, or why nothing was; text of the gateway in it is cut short.
    public let seen: String
}

/// What a gateway was found to do, point by point.
public struct CheckReport: Sendable, Equatable {
    /// What it was checked against.
    public let dialect: String
    /// In the order of the check.
    public let results: [CheckResult]
    /// Why no connection came about at all; nil when at least one did.
    public let unreachable: String?

    /// How many points ended in a way.
    public func count(_ outcome: CheckResult.Outcome) -> Int {
        results.count { $0.outcome == outcome }
    }
}
