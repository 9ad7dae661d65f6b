import Glibc
import StentorBase
import StentorFleet
import StentorProfile

/// What this machine has of what a run needs. What cannot be read is nil, and is then not judged.
struct PlanMachine: Sendable, Equatable {
    /// The hard limit of file descriptors, which a run raises the soft one to.
    var descriptorLimit: Int?
    /// The local ports that dials may take.
    var ports: LocalPorts?
    /// How many of them connections to the target have already.
    var portsTaken = 0
    /// A source address of the profile that this machine does not have.
    var foreignAddress: UserFailure?
    /// Memory that can be had without swapping, in bytes.
    var availableMemoryBytes: Int?

    /// Reads the limit of this process and files of /proc.
    static func current(for target: Profile.Target) -> PlanMachine {
        var machine = PlanMachine(
            descriptorLimit: hardDescriptorLimit(), ports: .ofThisMachine(),
            availableMemoryBytes: availableMemory(in: file("/proc/meminfo")))
        machine.foreignAddress = PortLimit.foreignAddress(target.sourceAddresses)
        let addresses = target.dialAddressCount
        // An embedded gateway takes a port that nobody is connected to.
        guard case .url(let url) = target.endpoint, let ports = machine.ports,
            let left = ports.left(addresses: addresses, towards: Int(url.port))
        else { return machine }
        machine.portsTaken = ports.total(addresses: addresses) - left
        return machine
    }

    /// `MemAvailable` of a /proc/meminfo (proc(5)), in bytes.
    static func availableMemory(in text: String) -> Int? {
        let words = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ") ?? []
        guard words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) else { return nil }
        let (bytes, isTooLarge) = kibibytes.multipliedReportingOverflow(by: 1024)
        return isTooLarge ? nil : bytes
    }

    private static func hardDescriptorLimit() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_max)
    }

    private static func file(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 13)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// What devices cost, as measured; see `Docs/performance.md`.
enum DeviceCost {
    /// Resident memory of a device without TLS, in bytes.
    static let plainBytes = 4 << 10
    /// Resident memory of a device with TLS, in bytes.
    static let tlsBytes = 24 << 10
    /// Resident memory of a device in the embedded gateway, in bytes.
    static let gatewayBytes = 3 << 10
}
