import StentorBase
import StentorDialect
import StentorFleet
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire

/// Runs the real fleet of a profile against a gateway, with a reading of CPU, memory and counts each second.
enum FleetBench {
    /// One second's reading.
    struct Reading: Sendable {
        let elapsed: Double
        let phase: Phase
        let ready: Int
        let cpuNanoseconds: Int64
        let serverNanoseconds: Int64
        let residentBytes: Int
        let snapshot: RunSnapshot
    }

    struct Result: Sendable {
        let readings: [Reading]
        let residentBefore: Int
        let outcome: RunSnapshot

        /// First and last reading of the steady phase; nil when it was never steady.
        var steady: (first: Reading, last: Reading)? {
            let steady = readings.filter { $0.phase == .steady }
            guard let first = steady.first, let last = steady.last, steady.count > 1 else { return nil }
            return (first, last)
        }
    }

    static func run(_ yaml: String, _ server: BenchServer, loops: Int = 1, on control: EventLoop) async throws -> Result {
        let profile = try Profile.decode(Array(yaml.utf8), file: "bench", options: DecodingOptions(dialects: Dialect.catalogue))
        let plan = try FleetPlan(profile: profile, url: server.url, tokens: .shared(Secret("bench")), loopCount: loops)
        let identity = RunIdentity(
            runID: "bench", profile: profile.name, version: "bench", dialect: "hermes", targetHost: server.url.host, startedAtSeconds: 0)
        // What an earlier measurement freed must not be filled by this one unseen.
        ProcessMemory.trim()
        let before = ProcessFacts.residentBytes()
        var readings: [Reading] = []
        let outcome = try await FleetRun(plan: plan, control: control, identity: identity).run { snapshot, _ in
            readings.append(
                Reading(
                    elapsed: snapshot.elapsedSeconds, phase: snapshot.phase, ready: Int(snapshot.devices(in: .ready)),
                    cpuNanoseconds: ProcessFacts.ownCPU(), serverNanoseconds: server.cpuNanoseconds,
                    residentBytes: ProcessFacts.residentBytes(), snapshot: snapshot))
        }
        return Result(readings: readings, residentBefore: before, outcome: outcome.snapshot)
    }
}
