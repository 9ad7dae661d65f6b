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
    /// A count costs time in proportion to the machine's sockets: the next one waits until it is at most this part of the time.
    private static let costShare = 500.0
    private var nextLook = Instant.distantPast
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

    /// Counts them soon, unless a count is under way or the last one was dear and not long ago.
    func look() {
        guard let ports, !isReading, control.now >= nextLook else { return }
        isReading = true
        let (addresses, targetPort) = (addresses, targetPort)
        let work: @Sendable () -> (Int?, Duration) = {
            let begin = Instant.now()
            return (ports.left(addresses: addresses, towards: targetPort), Instant.now() - begin)
        }
        control.offload(work) { [weak self] left, cost in
            guard let self else { return }
            isReading = false
            nextLook = .now() + cost * Self.costShare
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
