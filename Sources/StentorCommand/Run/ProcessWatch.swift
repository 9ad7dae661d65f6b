import Glibc
import StentorMetrics
import StentorProfile

/// Collects what processes use over the steady part of a run, for gates on their drift. Control loop only.
struct ProcessWatch {
    private var series = ProcessSeries()
    private var gatewayResident: Int?

    /// Adds a second's readings, if it is a steady one, and gives the snapshot the series so far.
    ///
    /// - Parameter gateway: The process of the embedded gateway; nil when there is none.
    mutating func look(at snapshot: inout RunSnapshot, gateway: Int32?) {
        let resident = gateway.flatMap(Self.residentBytes)
        gatewayResident = resident ?? gatewayResident
        snapshot.gatewayResidentBytes = resident
        if snapshot.phase == .steady {
            series.add([
                .resident: snapshot.generator.residentBytes, .descriptors: snapshot.generator.openDescriptors,
                .gatewayResident: resident,
            ])
        }
        snapshot.processes = series
    }

    /// Gives the last snapshot the whole series, and the last reading of a gateway that has ended since.
    func complete(_ snapshot: inout RunSnapshot) {
        snapshot.processes = series
        snapshot.gatewayResidentBytes = gatewayResident
    }

    /// The first gate on a process that aborts the run now. The fleet sees no processes, so it cannot judge these by itself.
    static func abortingGate(_ rules: [Profile.GateRule], _ snapshot: RunSnapshot) -> Profile.GateRule? {
        rules.first { rule in
            guard rule.abortsRun, snapshot.elapsedSeconds >= rule.after.inSeconds else { return false }
            guard case .drift(.process, _, _) = rule.gate.subject else { return false }
            return rule.gate.evaluate(snapshot).verdict == .fail
        }
    }

    /// The resident memory of a process from /proc/PID/statm (proc(5)); nil when it cannot be read, for instance after its end.
    static func residentBytes(ofProcess process: Int32) -> Int? {
        let descriptor = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let text = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer -> String in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
