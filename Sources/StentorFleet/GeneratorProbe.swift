import Glibc
import StentorBase
import StentorLoop
import StentorMetrics

/// Reads what the generator itself uses. Blocking reads of /proc: for the conductor's thread only.
struct GeneratorProbe {
    private let begin = Instant.now()
    private let residentBefore = GeneratorProbe.residentBytes()
    private var lastCPU: [Int64] = []
    private var lastAt = Instant.now()
    private var readings = 0
    private var peakResident: Int?
    private var descriptors: Int?
    private var peakDescriptors: Int?

    /// Takes a reading; open descriptors are counted at every tenth only, because there may be tens of thousands.
    mutating func read(_ loops: [EventLoop]) -> GeneratorNumbers {
        let now = Instant.now()
        let cpu = loops.map(\.cpuTimeNanoseconds)
        let shares = Self.shares(cpu, since: lastCPU, over: now - lastAt)
        lastCPU = cpu
        lastAt = now
        if readings % 10 == 0 { descriptors = Self.openDescriptors() }
        readings += 1
        let resident = Self.residentBytes()
        peakResident = Self.larger(peakResident, resident)
        peakDescriptors = Self.larger(peakDescriptors, descriptors)
        return GeneratorNumbers(
            cpuShareByLoop: shares, residentBytes: resident, openDescriptors: descriptors, descriptorLimit: DescriptorLimit.soft())
    }

    /// With fewer devices than this, what loops and buffers cost once would pass for the cost of a device.
    static let devicesForMemory = 1000

    /// The numbers of the whole run.
    func total(devices: Int) -> GeneratorNumbers {
        let added = peakResident.flatMap { peak in residentBefore.map { max(0, peak - $0) } }
        return GeneratorNumbers(
            cpuShareByLoop: Self.shares(lastCPU, since: lastCPU.map { _ in 0 }, over: lastAt - begin), residentBytes: peakResident,
            residentBytesPerDevice: devices >= Self.devicesForMemory ? added.map { $0 / devices } : nil, openDescriptors: peakDescriptors,
            descriptorLimit: DescriptorLimit.soft())
    }

    private static func shares(_ cpu: [Int64], since before: [Int64], over elapsed: Duration) -> [Double] {
        let nanoseconds = Double(max(1, elapsed.wholeNanoseconds))
        return zip(cpu, before).map { min(1, max(0, Double($0 - $1) / nanoseconds)) }
    }

    private static func larger(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    /// Resident memory from /proc/self/statm (proc(5)); nil when it cannot be read.
    static func residentBytes() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let fields = line.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func openDescriptors() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // The entries `.`, `..` and the directory's own descriptor.
        return count - 3
    }
}

/// The limit of file descriptors of this process.
public enum DescriptorLimit {
    /// Descriptors kept back for reports, pushes, pipes and epolls.
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

/// Judges whether the generator, not the target, was the limit of a run.
public enum GeneratorVerdict {
    /// A loop that was late by this much at the 99th percentile measured itself.
    public static let lagLimit = Duration.milliseconds(100)
    /// A loop that stood still for this long invalidates the run, whatever the percentile.
    public static let freezeLimit = Duration.seconds(1)

    /// Why the generator was the limit, a sentence each; empty when it was not.
    ///
    /// - Parameter longestLag: The longest that any loop was late.
    public static func reasons(_ snapshot: RunSnapshot, longestLag: Duration) -> [String] {
        var reasons: [String] = []
        for failure in snapshot.labels(.dialFailures) where DialCause(rawValue: failure.label)?.isGeneratorLimit == true {
            reasons.append("\(failure.count) dials failed on this machine: \(failure.label)")
        }
        if longestLag >= freezeLimit {
            reasons.append("the generator stood still for \(Quantity.text(longestLag))")
        }
        for phase in Phase.allCases {
            guard let lag = snapshot.distribution(.loopLag, in: phase)?[.p99], lag > lagLimit.inSeconds else { continue }
            reasons.append("the event loops were late by \(Quantity.secondsText(lag)) (p99) in \(phase.name): too little CPU for this load")
        }
        return reasons
    }
}
