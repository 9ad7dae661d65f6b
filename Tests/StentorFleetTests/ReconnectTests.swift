import Foundation
import StentorBase
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire
import TestSupport
import Testing

@testable import StentorFleet

@Suite(.fleetSlots(1)) struct `Coming back` {
    private static let soon = "reconnect: {policy: fixed, base: 50ms}"

    @Test func `a drill that resets all is one outage, and each device reconnects once`() async throws {
        let profile = try profile(
            devices: 8, load: "ramp: 8, over: 100ms\nhold: 60s",
            """
            \(Self.soon)
            behaviour: {text: {every: 50ms, reply_within: 1s}}
            drills:
              - {at: 5s, name: all cut, disconnect: {share: 100%, how: reset}}
            """)
        let result = try await runFleet(profile, each: untilBack(8))
        result.expectSound(8)
        #expect(result.count(.dials) == 16 && result.count(.ready) == 16 && result.count(.reconnects) == 8)
        #expect(result.labels(.losses) == ["fault": 8, "left": 8])
        #expect(result.samples(.reconnect) == 8 && result.samples(.attempts) == 8)
        #expect(result.count(.messagesNotSent) > 0, "texts were due while the devices were away")
        #expect(result.outcome.outages.count == 1)
        let outage = try #require(result.outcome.outages.first)
        #expect(outage.name == "all cut" && outage.devicesLost == 8 && outage.attempts == 8)
        #expect(outage.startSeconds >= 5 && outage.endSeconds != nil)
        // All in one second, but for a machine that stretches them over the whole outage.
        let peak = Double(try #require(outage.peakDialsPerSecond))
        #expect(peak <= 8 && (peak + 1) * ((outage.durationSeconds ?? 0) + 1) >= 8, "\(outage)")
        let returns = [outage.readyAfter50Seconds, outage.readyAfter90Seconds, outage.readyAfter99Seconds, outage.readyAfter100Seconds]
        #expect(returns.allSatisfy { $0.map { $0 >= 0.05 } ?? false })
        // Samples of the way back belong to the recovery.
        let recovery = result.outcome.snapshot
        #expect(recovery.distribution(.reconnect, in: .recovery)?.count == 8)
        #expect(recovery.distribution(.usable, in: .recovery)?.count == 8)
    }

    @Test func `a drill that a busy loop hears of late is one outage all the same`() async throws {
        let profile = try profile(
            devices: 4, load: "ramp: 4, over: 100ms\nhold: 60s",
            """
            \(Self.soon)
            drills:
              - {at: 4300ms, name: all cut, disconnect: {how: reset}}
            """)
        let result = try await runFleet(
            profile, loops: 1,
            each: { run, snapshot in
                // Occupied for longer than a window is open at least.
                if (4..<4.3).contains(snapshot.elapsedSeconds) { run.links.first?.loop.post { usleep(2_000_000) } }
                untilBack(4)(run, snapshot)
            })
        result.expectSound(4)
        #expect(result.outcome.outages.map(\.name) == ["all cut"] && result.outcome.outages.first?.devicesLost == 4)
        #expect(result.outcome.snapshot.distribution(.reconnect, in: .recovery)?.count == 4)
    }

    @Test func `a drill that closes in order loses nothing that was begun, however long the cuts take`() async throws {
        let profile = try profile(
            devices: 6, load: "ramp: 6, over: 100ms\nhold: 60s",
            """
            \(Self.soon)
            behaviour: {text: {every: 100ms, reply_within: 20s}}
            drills:
              - {at: 5s, name: all closed, disconnect: {share: 100%, within: 500ms, how: close}}
            """)
        let result = try await runFleet(
            profile, gateway: { $0.replyDelay = .milliseconds(20)...(.milliseconds(120)) }, each: untilBack(6))
        result.expectSound(6)
        #expect(result.count(.messagesAnswered) == result.count(.messagesSent))
        #expect(result.count(.reconnects) == 6)
        #expect(result.labels(.losses) == ["fault": 6, "left": 6])
        #expect(result.outcome.outages.map(\.devicesLost) == [6], "one window, from the first cut to the last return")
        #expect(result.outcome.outages.first?.endSeconds != nil)
    }

    @Test func `a share of the devices is cut, the same ones in each run`() async throws {
        let text = """
            \(Self.soon)
            drills:
              - {at: 5s, name: some cut, disconnect: {share: 40%, how: reset}}
            """
        var lost: [Int] = []
        for loops in [1, 3] {
            let result = try await runFleet(
                try profile(devices: 20, load: "ramp: 20, over: 100ms\nhold: 60s", text), loops: loops, each: untilBack(1))
            result.expectSound(20)
            #expect(result.labels(.losses)["fault"] == result.count(.reconnects))
            lost += result.outcome.outages.map(\.devicesLost)
        }
        #expect(lost.count == 2 && lost[0] == lost[1] && (1...19).contains(lost[0]))
    }

    @Test func `a gateway that restarts is found as a collapse`() async throws {
        let profile = try profile(devices: 6, load: "ramp: 6, over: 100ms\nhold: 60s", Self.soon)
        let result = try await runFleet(
            profile,
            gateway: { options in
                options.restartAfter = .seconds(5)
                options.restartHow = .reset
                options.down = .seconds(3)
            }, each: untilBack(6))
        result.expectSound(6)
        #expect(result.labels(.losses) == ["reset": 6, "left": 6])
        #expect(result.count(.reconnects) == 6)
        #expect(result.labels(.dialFailures)["refused"] ?? 0 >= 6)
        #expect(result.outcome.outages.map(\.name) == ["collapse"])
        let outage = try #require(result.outcome.outages.first)
        #expect(outage.devicesLost == 6)
        #expect(outage.readyAfter100Seconds.map { $0 >= 1 } ?? false)
        #expect(outage.attempts.map { Int64($0) } == result.count(.dials) - 6)
    }

    @Test func `a silent gateway is noticed by its pongs`() async throws {
        let profile = try profile(
            devices: 3, load: "ramp: 3, over: 100ms\nhold: 60s",
            "\(Self.soon)\nbehaviour: {ping: {every: 500ms, pong_within: 5s}}")
        let result = try await runFleet(
            profile,
            gateway: { options in
                options.restartAfter = .seconds(4)
                options.restartHow = .silence
                options.down = .milliseconds(100)
            }, each: untilBack(3))
        result.expectSound(3)
        #expect(result.labels(.losses)["silent"] == 3)
        #expect(result.count(.pongsMissed) == 3)
        #expect(result.count(.reconnects) == 3)
    }

    @Test func `a device that the schedule takes away and wants again comes twice without a reconnect`() async throws {
        let profile = try profile(
            devices: 3,
            load: "ramp: 3, over: 100ms\nhold: 4s\nramp: 0, over: 100ms\nhold: 4s\nramp: 3, over: 100ms\nhold: 4s",
            "behaviour: {text: {every: 200ms, reply_within: 20s}}")
        let result = try await runFleet(profile)
        result.expectSound(3)
        #expect(result.count(.ready) == 6 && result.count(.dials) == 6 && result.count(.reconnects) == 0)
        #expect(result.labels(.losses) == ["left": 6])
        #expect(result.count(.messagesAnswered) == result.count(.messagesSent))
        #expect(result.outcome.outages.isEmpty)
    }

    @Test func `a device that was lost when the schedule took it away does not reconnect when it comes again`() async throws {
        let profile = try profile(
            devices: 2,
            load: "ramp: 2, over: 100ms\nhold: 7s\nramp: 0, over: 100ms\nhold: 3s\nramp: 2, over: 100ms\nhold: 4s",
            """
            reconnect: {policy: fixed, base: 10m}
            drills:
              - {at: 5s, name: cut, disconnect: {how: reset}}
            """)
        let result = try await runFleet(profile)
        result.expectSound(2)
        #expect(result.count(.ready) == 4 && result.count(.dials) == 4)
        #expect(result.count(.reconnects) == 0 && result.samples(.reconnect) == 0 && result.samples(.attempts) == 0)
        #expect(result.labels(.losses) == ["fault": 2, "left": 2])
    }

    @Test func `a device that closes owes no pong, and sends no ping behind its close frame`() async throws {
        let profile = try profile(
            devices: 1, load: "ramp: 1, over: 50ms\nhold: 10m", "behaviour: {ping: {every: 3s, pong_within: 4s}}")
        let (outcome, opcodes) = try await onLoop { loop in
            let gateway = try DeafGateway(loop)
            var plan = try FleetPlan(profile: profile, url: TargetURL(gateway.url), tokens: .shared(Secret("")), loopCount: 1)
            plan.closeTimeout = .seconds(6)
            let run = FleetRun(plan: plan, control: loop, identity: identity)
            var opcodes: [UInt8] = []
            gateway.frameReceived = { opcode in
                opcodes.append(opcode)
                // The first ping: the device is ready, and its pong will not come.
                if opcode == 9 { run.stop(.stopped, grace: .zero) }
            }
            return (try await run.run { _, _ in }, opcodes)
        }
        let result = RunResult(outcome: outcome, gateway: "")
        result.expectSound(1)
        #expect(opcodes == [1, 9, 8])
        #expect(result.count(.pingsSent) == 1 && result.count(.pongsMissed) == 0)
        #expect(result.labels(.losses) == ["left": 1])
    }
}
