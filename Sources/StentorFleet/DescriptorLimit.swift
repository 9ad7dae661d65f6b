import Glibc
import StentorBase

/// The limit of file descriptors of this process.
public enum DescriptorLimit {
    /// Descriptors that a run needs besides one for each device: loops, files and pipes, and those that ``DescriptorReserve`` keeps back.
    public static let reserve = 64

    /// Raises the soft limit to the hard one; gives the limit that holds now.
    @discardableResult
    public static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return soft() ?? 1024
    }

    /// The soft limit; nil when it cannot be read.
    public static func soft() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
    }

    /// Checks that so many devices can be connected at once.
    ///
    /// - Throws: ``UserFailure`` of cause `.machine` that names both numbers.
    public static func require(devices: Int) throws(UserFailure) {
        let limit = raise()
        guard devices + reserve > limit else { return }
        throw UserFailure(
            .machine, "\(devices) devices need \(devices + reserve) file descriptors, and the limit is \(limit)", place: "devices.count",
            hint: "raise the hard limit (ulimit -Hn), or use fewer devices on this machine")
    }
}
