import StentorBase
import StentorLoop
import StentorProfile

/// Counts the local ports that are left, away from the control loop: the table of a machine's sockets may be long. Control loop only.
final class PortWatch {
    private let control: EventLoop
    private let addresses: Int
    private let targetPort: Int
    private let ports: LocalPorts?
    private var isReading = false
    /// Ports left as last counted; nil before, and when they cannot be counted.
    private(set) var left: Int?
    /// The fewest that were left.
    private(set) var fewest: Int?

    init(_ plan: FleetPlan, control: EventLoop) {
        self.control = control
        addresses = plan.profile.target.dialAddressCount
        targetPort = Int(plan.url.port)
        ports = LocalPorts.ofThisMachine()
    }

    /// Counts them soon, unless a count is under way.
    func look() {
        guard let ports, !isReading else { return }
        isReading = true
        let (addresses, targetPort) = (addresses, targetPort)
        control.offload({ ports.left(addresses: addresses, towards: targetPort) }) { [weak self] left in
            guard let self else { return }
            isReading = false
            self.left = left
            fewest = [fewest, left].compactMap(\.self).min()
        }
    }
}

extension Profile.Target {
    /// From how many addresses of this machine dials can go out: those of the target's family, 1 without any.
    public var dialAddressCount: Int {
        guard case .url(let url) = endpoint, let target = SocketAddress(literal: url.host, port: 0) else {
            return max(1, sourceAddresses.count)
        }
        return max(1, sourceAddresses.count { SocketAddress(literal: $0, port: 0)?.family == target.family })
    }
}
