import Foundation
import StentorBase
import StentorFleet
import StentorProfile
import Testing

@testable import StentorCommand

/// Faults, drills, the way back and drifts in a plan.
@Suite struct PlanMishapTests {
    private static let rough = """
        version: 1
        name: rough
        target: {url: embedded}
        devices: {count: 200}
        load: [{ramp: 200, over: 10s}, {hold: 10m}]
        behaviour:
          text: {every: 10s}
          photo: {every: 1m, size: 4MiB}
          ping: {every: 25s}
          away: {every: 5m, for: 10s}
        reconnect: {policy: exponential, base: 500ms, cap: 20s, attempts: 9, jitter: equal}
        faults:
          - {drop: 20m}
          - {drop: 10m, how: half_open}
          - {slow_reader: 1%, rate: 10KiB/s}
        drills:
          - {at: 8m, name: crash, restart_embedded: {down: 2s}}
          - {at: 2m, name: rollout, command: [sh, -c, "deploy ${KEY}"], within: 30s}
          - {at: 4m, name: early, disconnect: {share: 50%, how: before_ready}}
          - {at: 6m, name: photos, disconnect: {share: 10%, within: 5s, how: mid_upload}}
        gates:
          - rss drift < 1MiB/h
          - reply.p99 drift < 5%/h
          - upload.p999 drift < 5%/h
          - reassembly.p50 drift < 5%/h
          - messages.lost == 0

        """

    private static func plan(_ text: String, on machine: PlanMachine? = nil) throws -> RunPlan {
        let options = DecodingOptions(environment: { $0 == "KEY" ? "never-shown" : nil })
        let roomy = PlanMachine(descriptorLimit: 20_000, ports: LocalPorts(range: 32_768...60_999), availableMemoryBytes: 8 << 30)
        return RunPlan(try Profile.decode(Array(text.utf8), file: "p.yaml", options: options), on: machine ?? roomy)
    }

    private static func block(_ title: String, _ text: String) -> String {
        text.components(separatedBy: "\n\n").first { $0.hasPrefix(title) } ?? ""
    }

    @Test func `names every fault and drill in full words, with the cuts to expect`() throws {
        let text = PlanText.text(try Self.plan(Self.rough), columns: 80)
        #expect(
            Self.block("faults", text) == """
                faults
                  drop: TCP reset of each device every 20m in the mean, at random: at most
                  0.17/s, about 101 in all
                  drop: silent socket (half_open) of each device every 10m in the mean, at
                  random: at most 0.33/s, about 202 in all
                  slow readers: 1 % of the devices, about 2, read at most 10.0 KiB/s
                """, "\(text)")
        #expect(
            Self.block("drills", text) == """
                drills
                          2m  rollout: runs 'sh -c [redacted]', killed after 30s; what it costs
                              is not known
                          4m  early: TCP reset before ready at the next dial (before_ready) of
                              50 % of the ready devices at once, about 100 of 200 devices
                          6m  photos: TCP reset between two parts of the next photo (mid_upload)
                              of 10 % of the ready devices within 5s, about 20 of 200 devices
                          8m  crash: kills the embedded gateway and starts it again 2s later,
                              which cuts about 200 of 200 devices
                """, "\(text)")
        #expect(text.contains("\n  reconnects   about 220 by drills, at most about 302 by drops\n"), "\(text)")
        #expect(text.contains("\n  absences     about 403\n"), "\(text)")
        #expect(!text.contains("never-shown"))
    }

    @Test func `tells the waits, the worst of them, and when a device is given up`() throws {
        let text = PlanText.text(try Self.plan(Self.rough), columns: 80)
        // 0.5 + 1 + 2 + 4 + 8 + 16 + 3 · 20 s.
        #expect(
            Self.block("reconnect, as", text) == """
                reconnect, as 'exponential' says
                  waits       500ms, 1s, 2s, 4s, 8s, 16s, 20s, and so on; of each a half, and a
                              random part of the other half
                  worst wait  20s before one attempt
                  attempts    9 after a loss, then the device is failed, after 1m31s500ms of
                              waiting at most
                """, "\(text)")
    }

    @Test(arguments: [
        (
            "{policy: fixed, base: 3s}", "  waits       3s; without jitter: devices lost together dial together\n",
            "attempts    without limit"
        ),
        (
            "{policy: fixed, base: 3s, jitter: full, attempts: 4}", "  waits       3s; of each a random part\n",
            "after 12s of waiting at most"
        ),
        ("{attempts: 3}", "  waits       1s, 2s, 4s; without jitter", "worst wait  4s before"),
        ("{attempts: 0}", "  never: a device", "is failed"),
    ])
    func `words the policies`(policy: String, waits: String, more: String) throws {
        let old = "{policy: exponential, base: 500ms, cap: 20s, attempts: 9, jitter: equal}"
        let block = Self.block("reconnect", PlanText.text(try Self.plan(Self.rough.replacing(old, with: policy)), columns: 120)) + "\n"
        #expect(block.contains(waits) && block.contains(more), "\(block)")
    }

    @Test func `says how many windows a drift will have, and when there will be too few`() throws {
        let text = PlanText.text(try Self.plan(Self.rough), columns: 100)
        // 600 steady seconds; 20 texts a second have 100 in 8 s, 3.3 photos a second not a thousand in 64 s.
        #expect(
            Self.block("gates", text) == """
                gates
                  rss drift < 1MiB/h
                      over at most 37 windows of 16 s in steady
                  reply.p99 drift < 5%/h
                      over at most 37 windows of 16 s in steady
                  upload.p999 drift < 5%/h
                      no data: needs 8 windows with enough samples in steady, and there will be 0
                  reassembly.p50 drift < 5%/h
                      over at most 37 windows of 16 s in steady
                  messages.lost == 0
                """, "\(text)")
    }

    @Test func `counts ports that are taken, and refuses addresses of other machines`() throws {
        let failure = UserFailure(.machine, "'192.0.2.1' is no address of this machine", place: "target.source_addresses")
        let machine = PlanMachine(
            descriptorLimit: nil, ports: LocalPorts(range: 40_000...40_299, reservedCount: 10), portsTaken: 100, foreignAddress: failure)
        let plan = try Self.plan(Self.rough, on: machine)
        #expect(plan.needs.first { $0.kind == .ports }?.available == 190)
        #expect(PlanText.text(plan, columns: 80).contains("\n  ✗ local ports                200           190  100 are taken\n"))
        #expect(plan.failures.first == failure && plan.failures.count == 2)
    }

    @Test func `is JSON with the same numbers`() throws {
        let text = PlanDocument.text(try Self.plan(Self.rough))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(!text.contains("never-shown"))
        let drops = try #require(json["drops"] as? [[String: Any]])
        #expect(drops.map { $0["how"] as? String } == ["reset", "half_open"] && drops[1]["every_seconds"] as? Double == 600)
        #expect(abs(try #require(drops[0]["peak_per_second"] as? Double) - 200.0 / 1200) < 1e-9)
        #expect(drops[0]["total"] as? Double == 101)
        let readers = try #require(json["slow_readers"] as? [[String: Double]])
        #expect(readers == [["share": 0.01, "devices": 2, "bytes_per_second": 10_240]])
        let drills = try #require(json["drills"] as? [[String: Any]])
        #expect(drills.map { $0["action"] as? String } == ["command", "disconnect", "disconnect", "restart_embedded"])
        #expect(drills[0]["words"] as? [String] == ["sh", "-c", "[redacted]"] && drills[0]["devices"] is NSNull)
        #expect(drills[2]["devices"] as? Int == 20 && drills[2]["how"] as? String == "mid_upload")
        #expect(drills[3]["devices"] as? Int == 200 && drills[3]["down_seconds"] as? Double == 2)
        let reconnect = try #require(json["reconnect"] as? [String: Any])
        #expect(reconnect["waits_seconds"] as? [Double] == [0.5, 1, 2, 4, 8, 16, 20] && reconnect["jitter"] as? String == "equal")
        #expect(reconnect["worst_wait_seconds"] as? Double == 20 && reconnect["attempts"] as? Int == 9)
        #expect(reconnect["worst_sum_seconds"] as? Double == 91.5)
        let gates = try #require(json["gates"] as? [[String: Any]])
        #expect(gates[0]["windows"] as? [String: Int] == ["count": 37, "seconds": 16] && gates[4]["windows"] is NSNull)
        #expect((json["expected"] as? [String: Any])?["absences"] as? Double == 403)
    }
}
