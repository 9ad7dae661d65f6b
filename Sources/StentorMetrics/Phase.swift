/// The part of a run in which a sample belongs.
///
/// Percentiles never mix phases.
public enum Phase: Int, CaseIterable, Sendable {
    /// The number of devices rises towards its plateau.
    case ramp
    /// The load is as the profile wants it and no outage is open.
    case steady
    /// An outage is open and devices are cut off: from its cause to the first device that is back.
    case outage
    /// Devices are coming back: until 99 % of them are ready.
    case recovery
    /// The number of devices falls, or the run waits for what is still in flight.
    case drain

    /// The name in profiles, reports and labels.
    public var name: String {
        switch self {
        case .ramp: "ramp"
        case .steady: "steady"
        case .outage: "outage"
        case .recovery: "recovery"
        case .drain: "drain"
        }
    }

    /// The phase of this name, if there is one.
    public init?(name: some StringProtocol) {
        guard let phase = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = phase
    }
}
