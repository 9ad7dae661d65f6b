import Glibc

/// The machine that makes the load.
public struct HostFacts: Sendable, Equatable {
    /// Its name.
    public var hostname: String
    /// Cores that this process may use.
    public var cores: Int
    /// The kernel and its release, for instance `Linux 6.1.0-18-amd64`.
    public var kernel: String
    /// The memory of the machine; nil when it cannot be read.
    public var memoryBytes: Int?

    /// Names a machine.
    public init(hostname: String, cores: Int, kernel: String, memoryBytes: Int?) {
        (self.hostname, self.cores, self.kernel, self.memoryBytes) = (hostname, cores, kernel, memoryBytes)
    }

    /// Reads `uname`, and in `/proc` the affinity mask and the memory.
    public static func current() -> HostFacts {
        var names = utsname()
        uname(&names)
        return HostFacts(
            hostname: text(&names.nodename), cores: usableCores(), kernel: "\(text(&names.sysname)) \(text(&names.release))",
            memoryBytes: SystemFile.read("/proc/meminfo").flatMap(memoryBytes(in:)))
    }

    /// `MemTotal` of a `/proc/meminfo`, in bytes; nil when it is not there.
    static func memoryBytes(in text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        guard let words = line?.split(separator: " "), words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow || bytes < 0 ? nil : bytes
    }

    /// How many cores the affinity mask in a `/proc/self/status` allows; nil when it has none.
    static func allowedCores(in text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") }) else { return nil }
        let digits = line.dropFirst("Cpus_allowed:".count).filter { !$0.isWhitespace && $0 != "," }
        let cores = digits.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
        return cores > 0 ? cores : nil
    }

    /// What the affinity mask allows, which a container may set below the machine's cores.
    private static func usableCores() -> Int {
        SystemFile.read("/proc/self/status").flatMap(allowedCores(in:)) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
