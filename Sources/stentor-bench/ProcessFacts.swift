import Glibc
import StentorBase

/// CPU time and memory of processes, read from the system.
enum ProcessFacts {
    /// CPU time of this process, user and system, in nanoseconds.
    static func ownCPU() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// CPU time of another process in nanoseconds, to the kernel's tick of 10 ms (proc(5), stat fields 14 and 15).
    static func cpu(of processID: Int32) -> Int64 {
        let fields = text("/proc/\(processID)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return 0 }
        return (user + system) * 1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Resident memory of this process in bytes.
    static func residentBytes() -> Int {
        let fields = text("/proc/self/statm").split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Asserts that a listening address belongs to a process: its inode is among the process's descriptors.
    ///
    /// - Throws: ``UserFailure`` when someone else listens there.
    static func requireListener(_ processID: Int32, host: String, port: UInt16) throws(UserFailure) {
        let address = host.split(separator: ".").reversed().compactMap { UInt8($0) }.map { hex(UInt64($0), 2) }.joined()
        let wanted = "\(address):\(hex(UInt64(port), 4))"
        for line in text("/proc/net/tcp").split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            // Field 3 is the state, 0A is LISTEN; field 9 the inode (proc(5)).
            guard fields.count > 9, fields[1] == wanted, fields[3] == "0A" else { continue }
            if descriptors(of: processID).contains("socket:[\(fields[9])]") { return }
        }
        throw UserFailure(.machine, "the listener at \(host):\(port) is not the process that was started")
    }

    private static func descriptors(of processID: Int32) -> Set<String> {
        guard let directory = opendir("/proc/\(processID)/fd") else { return [] }
        defer { closedir(directory) }
        var links: Set<String> = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            links.insert(linkTarget("/proc/\(processID)/fd/\(name)"))
        }
        return links
    }

    /// Where a symbolic link leads; empty when it cannot be read.
    static func linkTarget(_ path: String) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            // SAFETY: the capacity above is not 0.
            let count = readlink(path, buffer.baseAddress!, buffer.count)
            return String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ value: UInt64, _ digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
