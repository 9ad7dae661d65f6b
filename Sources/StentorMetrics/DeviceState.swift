/// Where a device stands.
///
/// Each device is in exactly one state, so the levels add up to the number of devices.
public enum DeviceState: Int, CaseIterable, Sendable {
    /// Not due to connect yet.
    case waiting
    /// Resolving, connecting, TLS.
    case dialling
    /// Upgrade sent, answer awaited.
    case upgrading
    /// Greeting sent, answer awaited.
    case greeting
    /// Ready: texts flow.
    case ready
    /// Between two dials.
    case backingOff
    /// Left on purpose.
    case left
    /// Given up for good.
    case failed
    /// Neither progressing nor failing past its deadlines: a defect of the generator.
    case stuck

    /// The name in reports and labels.
    public var name: String {
        switch self {
        case .waiting: "waiting"
        case .dialling: "dialling"
        case .upgrading: "upgrading"
        case .greeting: "greeting"
        case .ready: "ready"
        case .backingOff: "backing_off"
        case .left: "left"
        case .failed: "failed"
        case .stuck: "stuck"
        }
    }
}
