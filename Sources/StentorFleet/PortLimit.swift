import StentorBase
import StentorLoop
import StentorProfile

/// Whether this machine has the local ports and addresses that a profile's dials need.
public enum PortLimit {
    /// Checks before anything is dialled.
    ///
    /// - Returns: What the user should know, one sentence; nil when there are ports enough. Too few at this moment are only told: most are in
    ///   TIME_WAIT, and come back within a minute.
    /// - Throws: ``UserFailure`` of cause `.machine` when there can never be enough, or a source address is not of this machine.
    public static func require(_ profile: Profile) throws(UserFailure) -> String? {
        if let failure = foreignAddress(profile.target.sourceAddresses) { throw failure }
        let addresses = profile.target.dialAddressCount
        let devices = profile.load.peakDevices
        guard let ports = LocalPorts.ofThisMachine() else { return nil }
        if let failure = failure(devices: devices, available: ports.total(addresses: addresses)) { throw failure }
        guard case .url(let url) = profile.target.endpoint, let left = ports.left(addresses: addresses, towards: Int(url.port)),
            left < devices
        else { return nil }
        return "\(devices) devices need as many local ports, and \(left) are left at the start"
    }

    /// What is wrong with so few ports; nil when they suffice.
    public static func failure(devices: Int, available: Int) -> UserFailure? {
        guard devices > available else { return nil }
        return UserFailure(
            .machine, "\(devices) devices need as many local ports, and there are \(available)", place: "devices.count",
            hint: "add target.source_addresses, or widen net.ipv4.ip_local_port_range")
    }

    /// The first source address that no dial can leave from, as a failure; nil when all are of this machine.
    public static func foreignAddress(_ addresses: [String]) -> UserFailure? {
        guard let foreign = addresses.first(where: { SocketAddress(literal: $0, port: 0)?.isOfThisMachine == false }) else { return nil }
        return UserFailure(
            .machine, "'\(foreign)' is no address of this machine", place: "target.source_addresses",
            hint: "'ip address' lists those that it has; all of 127.0.0.0/8 are")
    }
}
