import Glibc

/// File descriptors that dials leave to the report, the push, pipes and readings of /proc.
public enum DescriptorReserve {
    /// How many are kept. A report takes a few at a time, a push two, a drill's command six.
    public static let kept = 24

    /// Whether a new descriptor may carry a connection.
    ///
    /// The kernel gives the lowest number that is free: one within the last ``kept`` below the limit means that all below it are taken. The
    /// limit is read each time, because it can be changed from outside.
    static func spares(_ descriptor: Int32) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
        return Int(descriptor) < Int(clamping: limit.rlim_cur) - kept
    }
}
