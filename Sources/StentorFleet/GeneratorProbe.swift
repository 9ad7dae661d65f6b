import Glibc
import StentorBase
import StentorLoop
import StentorMetrics

/// Reads what the generator itself uses. Blocking reads of /proc: for the conductor's thread only.
struct GeneratorProbe {
    private let ports: PortWatch
    private var load = LoopLoad()
    private let begin = Instant.now()
    private let residentBefore = GeneratorProbe.residentBytes()
    private var lastCPU: [Int64] = []
    private var lastAt = Instant.now()
    private var readings = 0
    private var peakResident: Int?
    private var descriptors: Int?
    private var peakDescriptors: Int?

    init(_ ports: PortWatch) {
        self.ports = ports
    }

    /// Takes a reading; open descriptors and ports are counted at every tenth only, because there may be tens of thousands.
    mutating func read(_ loops: [EventLoop]) -> GeneratorNumbers {
        let now = Instant.now()
        let cpu = loops.map(\.cpuTimeNanoseconds)
        let shares = Self.shares(cpu, since: lastCPU, over: now - lastAt)
        lastCPU = cpu
        lastAt = now
        load.add(cpuNanoseconds: cpu, at: now)
        if readings % 10 == 0 {
            descriptors = Self.openDescriptors()
            ports.look()
        }
        readings += 1
        let resident = Self.residentBytes()
        peakResident = Self.larger(peakResident, resident)
        peakDescriptors = Self.larger(peakDescriptors, descriptors)
        return GeneratorNumbers(
            cpuShareByLoop: shares, busiestLoopShare: load.busiest, residentBytes: resident, openDescriptors: descriptors,
            descriptorLimit: DescriptorLimit.soft(), portsLeft: ports.left)
    }

    /// With fewer devices than this, what loops and buffers cost once would pass for the cost of a device.
    static let devicesForMemory = 1000

    /// The numbers of the whole run.
    func total(devices: Int) -> GeneratorNumbers {
        let added = peakResident.flatMap { peak in residentBefore.map { max(0, peak - $0) } }
        return GeneratorNumbers(
            cpuShareByLoop: Self.shares(lastCPU, since: lastCPU.map { _ in 0 }, over: lastAt - begin), busiestLoopShare: load.busiest,
            residentBytes: peakResident,
            residentBytesPerDevice: devices >= Self.devicesForMemory ? added.map { $0 / devices } : nil, openDescriptors: peakDescriptors,
            descriptorLimit: DescriptorLimit.soft(), portsLeft: ports.fewest)
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
        let fields = ProcFile.text("/proc/self/statm")?.split(separator: " ") ?? []
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
