import FleetSupport
import StentorBase
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire
import TestSupport
import Testing

@testable import StentorFleet

/// The waits that devices really take, from the records of whole runs. What a wait must be stands here as the documents have it, not as the code works it out.
@Suite struct `Waits before a dial` {
    /// A policy as a profile writes it, and its waits before jitter, in milliseconds; the last one goes on.
    struct Policy: Sendable, CustomTestStringConvertible {
        let text: String
        let waits: [Double]

        var testDescription: String { text }

        /// The time that so many attempts wait, before jitter, in seconds.
        func sum(_ attempts: Int) -> Double {
            (0..<attempts).reduce(0) { $0 + waits[min($1, waits.count - 1)] / 1000 }
        }
    }

    static let policies = [
        Policy(text: "policy: dialect", waits: [1000, 2000, 4000, 8000, 15000]),
        Policy(text: "policy: fixed, base: 30ms", waits: [30]),
        Policy(text: "policy: exponential, base: 10ms, cap: 100ms", waits: [10, 20, 40, 80, 100]),
    ]
    /// Jitters, and the least share of a wait that they leave.
    static let jitters: [(name: String, least: Double)] = [("none", 1), ("equal", 0.5), ("full", 0)]

    private static let devices = 6

    private func profile(_ policy: Policy, _ jitter: String, seed: Int = 7, more: String = "", drill: String) throws -> Profile {
        try FleetSupport.profile(
            devices: Self.devices, load: "ramp: 6, over: 20ms\nhold: 30s", url: "embedded", seed: seed,
            "reconnect: {\(policy.text), jitter: \(jitter)\(more)}\ndrills: [{at: 1s, name: cut, \(drill)}]")
    }

    /// Ends a run when what the drill cut off is back or has failed, however long that took.
    private static let untilSettled: @Sendable (FleetRun, RunSnapshot) -> Void = { run, snapshot in
        let (ready, failed) = (snapshot.devices(in: .ready), snapshot.devices(in: .failed))
        if ready + failed == devices, failed > 0 || snapshot.count(.reconnects) > 0 { run.stop(.stopped, grace: .zero) }
    }

    private func expect(_ records: [ReconnectRecord], within policy: Policy, least: Double) {
        for record in records {
            let plain = policy.sum(record.attempts)
            let backoff = record.stages.backoff
            #expect(backoff >= plain * least - 1e-6 && backoff <= plain + 1e-6, "\(record)")
            #expect(record.stages.lag >= 0 && record.stages.detect == nil)
            #expect(abs(record.stages.sum - (record.endSeconds - record.lostSeconds)) < 1e-6, "\(record)")
            #expect(record.attempts > 0 && record.stages.greeting > 0 && record.stages.upgrade > 0, "\(record)")
        }
    }

    @Test(arguments: policies, jitters)
    func `lie where the policy and its jitter put them, over all attempts`(
        policy: Policy, jitter: (name: String, least: Double)
    ) async throws {
        let profile = try profile(policy, jitter.name, drill: "restart_embedded: {how: kill, down: 150ms}")
        let result = try await runFleet(profile, loops: 1, each: Self.untilSettled)
        result.expectSound(Int64(Self.devices))
        let records = result.records.reconnects
        #expect(records.count == result.count(.reconnects) && records.allSatisfy(\.isReady))
        #expect(Set(records.map(\.device)).count == records.count)
        expect(records, within: policy, least: jitter.least)
    }

    @Test(arguments: policies.dropFirst(), ["none", "equal", "full"])
    func `follow from the seed`(policy: Policy, jitter: String) async throws {
        var waits: [[String: Double]] = []
        for seed in [7, 7, 8] {
            let profile = try profile(policy, jitter, seed: seed, drill: "disconnect: {how: reset}")
            let result = try await runFleet(profile, loops: 1, each: Self.untilSettled)
            let returned = result.records.reconnects.filter { $0.isReady && $0.attempts == 1 }
            #expect(returned.allSatisfy { $0.stages.detect == 0 }, "the device made the cut itself")
            waits.append(Dictionary(uniqueKeysWithValues: returned.map { ($0.device, $0.stages.backoff) }))
        }
        let common = waits[0].keys.filter { waits[1][$0] != nil && waits[2][$0] != nil }
        #expect(!common.isEmpty || waits.contains { $0.isEmpty }, "a drill that came before any device was ready cuts none")
        for device in common {
            #expect(abs(waits[0][device, default: -1] - waits[1][device, default: -2]) < 1e-9)
            let isAsBefore = abs(waits[0][device, default: -1] - waits[2][device, default: -2]) < 1e-9
            #expect(isAsBefore == (jitter == "none"))
        }
    }

    @Test(arguments: policies.dropFirst(), [(0, "none"), (1, "full"), (4, "equal"), (4, "none")])
    func `end with the last attempt, and the device has failed`(policy: Policy, limit: (attempts: Int, jitter: String)) async throws {
        let profile = try profile(
            policy, limit.jitter, more: ", attempts: \(limit.attempts)", drill: "restart_embedded: {how: kill, down: 1s}")
        let result = try await onLoop { loop in
            var options = GatewayOptions()
            (options.restartHow, options.down) = (.reset, .seconds(3600))
            let gateway = try GatewayKind.hermes.make(options: options, loop: loop)
            try gateway.start()
            let result = try await runFleet(profile, at: TargetURL(gateway.url), loops: 1, on: loop) { run in
                run.restartEmbedded = { _, done in
                    gateway.restart {}
                    done(nil)
                }
            } each: {
                Self.untilSettled($0, $1)
            }
            await gateway.stop()
            return result
        }
        result.expectSound(Int64(Self.devices))
        #expect(result.devices(.failed) == Self.devices)
        let least = Self.jitters.first { $0.name == limit.jitter }?.least ?? 1
        for record in result.records.reconnects {
            let plain = policy.sum(limit.attempts)
            #expect(!record.isReady && record.attempts == limit.attempts)
            #expect(record.stages.backoff >= plain * least - 1e-6 && record.stages.backoff <= plain + 1e-6, "\(record)")
            #expect(record.stages.failed > 0 || limit.attempts == 0)
            #expect(record.stages.dial + record.stages.upgrade + record.stages.hello + record.stages.greeting == 0, "\(record)")
            #expect(abs(record.stages.sum - (record.endSeconds - record.lostSeconds)) < 1e-6, "\(record)")
        }
        #expect(result.records.reconnects.count == result.count(.ready), "each that was ever ready was lost once")
    }
}
