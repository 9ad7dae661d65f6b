import StentorBase
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorWire
import TestSupport
import Testing

@testable import StentorFleet

@Suite struct `A run` {
    @Test func `makes every device ready, has every text answered, and leaves in order`() async throws {
        let profile = try profile(
            devices: 6, load: "ramp: 6, over: 200ms\nhold: 800ms\nramp: 0, over: 100ms",
            "behaviour: {text: {every: 100ms, body: 20B..60B, reply_within: 20s}}")
        let result = try await runFleet(profile)
        result.expectSound(6)
        #expect(result.outcome.end == .completed)
        #expect(result.count(.dials) == 6 && result.count(.connects) == 6 && result.count(.ready) == 6)
        #expect(result.devices(.left) == 6)
        let sent = result.count(.messagesSent)
        #expect(sent >= 6)
        #expect(result.count(.messagesAnswered) == sent)
        #expect(result.count(.messagesDuplicated) + result.count(.messagesReordered) + result.count(.messagesUnmatched) == 0)
        #expect(result.labels(.losses) == ["left": 6])
        #expect(result.labels(.dialFailures).isEmpty)
        #expect(result.samples(.reply) == Int(sent) && result.samples(.replyFirst) == Int(sent) && result.samples(.sendLag) == Int(sent))
        #expect(result.samples(.usable) == 6 && result.samples(.reconnect) == 0)
        #expect(result.count(.framesSent) == sent + 6)
        #expect(result.outcome.snapshot.phase == .drain && result.outcome.outages.isEmpty)
        #expect(result.gateway.contains("\"texts\": \(sent),"))
    }

    @Test func `closes the accounts of photos both ways, prompts and pings`() async throws {
        let profile = try profile(
            devices: 3, load: "ramp: 3, over: 100ms\nhold: 900ms\nramp: 0, over: 100ms",
            """
            behaviour:
              photo: {every: 150ms, size: 1B..100KiB, reply_within: 20s}
              prompts: {think: 0s..20ms, answers: {approve: 50%, deny: 50%}}
              ping: {every: 100ms, pong_within: 20s}
            """)
        let result = try await runFleet(profile) { options in
            options.promptEvery = .milliseconds(200)
            options.sendPhotoEvery = .milliseconds(200)
            options.photoBytes = 1...100_000
        }
        result.expectSound(3)
        #expect(result.count(.uploadsSent) >= 3 && result.count(.uploadsConfirmed) == result.count(.uploadsSent))
        #expect(result.count(.downloadsStarted) >= 3 && result.count(.downloadsComplete) == result.count(.downloadsStarted))
        #expect(result.count(.promptsReceived) > 0)
        #expect(result.count(.promptsAnswered) + result.count(.promptsOpen) == result.count(.promptsReceived))
        #expect(result.count(.pingsSent) >= 3 && result.count(.pongsMissed) == 0)
        #expect(result.count(.serverErrors) + result.count(.framesMalformed) + result.count(.framesUnknown) == 0)
        #expect(result.gateway.contains("\"confirmed\": \(result.count(.uploadsConfirmed)), \"corrupt\": {}"))
    }

    @Test func `counts replies that never come as lost, and late ones as late`() async throws {
        let texts = "behaviour: {text: {every: 100ms, reply_within: 150ms}}"
        let load = "ramp: 2, over: 50ms\nhold: 600ms\nramp: 0, over: 50ms"
        let lost = try await runFleet(try profile(devices: 2, load: load, texts)) { $0.loseRate = 1 }
        lost.expectSound(2)
        #expect(lost.count(.messagesSent) > 0 && lost.count(.messagesLost) == lost.count(.messagesSent))
        let late = try await runFleet(try profile(devices: 2, load: load, texts)) {
            $0.replyDelay = .milliseconds(300)...(.milliseconds(300))
        }
        late.expectSound(2)
        #expect(late.count(.messagesLate) > 0)
        #expect(late.count(.messagesAnswered) == 0)
    }

    // MARK: - Ends

    @Test func `ends early when it is stopped: what was begun may end, and every account closes`() async throws {
        let profile = try profile(
            devices: 5, load: "ramp: 5, over: 100ms\nhold: 10m", "behaviour: {text: {every: 50ms, reply_within: 20s}}")
        let result = try await runFleet(
            profile, gateway: { $0.replyDelay = .milliseconds(50)...(.milliseconds(50)) },
            each: { run, snapshot in if snapshot.count(.messagesAnswered) > 0 { run.stop(.stopped, grace: .seconds(20)) } })
        result.expectSound(5)
        #expect(result.outcome.end == .stopped)
        #expect(result.devices(.left) == 5)
        #expect(result.count(.messagesAnswered) == result.count(.messagesSent) && result.count(.messagesInDoubt) == 0)
        #expect(result.labels(.losses) == ["left": 5])
        #expect(result.outcome.snapshot.elapsedSeconds < 60)
    }

    @Test func `stopped without grace, it leaves what is in flight in doubt`() async throws {
        let profile = try profile(
            devices: 2, load: "ramp: 2, over: 100ms\nhold: 10m", "behaviour: {text: {every: 50ms, reply_within: 5m}}")
        let result = try await runFleet(
            profile, gateway: { $0.loseRate = 1 },
            each: { run, snapshot in if snapshot.count(.messagesSent) > 0 { run.stop(.stopped, grace: .zero) } })
        result.expectSound(2)
        #expect(result.count(.messagesInDoubt) == result.count(.messagesSent) && result.count(.messagesSent) > 0)
        #expect(result.outcome.snapshot.elapsedSeconds < 60)
    }

    @Test func `stopped before it began, it dials nobody and nobody is stuck`() async throws {
        let profile = try profile(devices: 3, load: "ramp: 3, over: 5s\nhold: 10m")
        let result = try await runFleet(profile, start: { $0.stop() })
        result.expectSound(3)
        #expect(result.outcome.end == .stopped)
        #expect(result.devices(.left) == 3)
        #expect(result.count(.ready) == 0)
    }

    @Test func `ends as unreachable when devices fail and none was ever ready`() async throws {
        let profile = try profile(
            devices: 4, load: "ramp: 4, over: 100ms\nhold: 10m", "reconnect: {policy: fixed, base: 20ms}")
        let outcome = try await onLoop { loop in
            let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { _ in }
            let url = "ws://127.0.0.1:\(listener.port)/ws"
            listener.close()
            let plan = try FleetPlan(profile: profile, url: TargetURL(url), tokens: .shared(Secret("")), loopCount: 1)
            let run = FleetRun(plan: plan, control: loop, identity: identity, unreachableAfter: .milliseconds(500))
            return try await run.run { _, _ in }
        }
        let result = RunResult(outcome: outcome, gateway: "")
        result.expectSound(4)
        #expect(outcome.end == .unreachable)
        #expect(outcome.snapshot.elapsedSeconds < 60)
        #expect(result.count(.connects) == 0 && result.count(.dials) > 4)
        let failures = result.labels(.dialFailures)
        #expect(Set(failures.keys) == ["refused"])
        #expect(failures.values.reduce(0, +) >= result.count(.dials) - 4, "a dial under way at the end has no outcome")
    }

    @Test func `ends when a gate that aborts fails`() async throws {
        let profile = try profile(
            devices: 2, load: "ramp: 2, over: 100ms\nhold: 10m",
            """
            behaviour: {text: {every: 50ms, reply_within: 100ms}}
            gates:
              - {gate: messages.lost == 0, abort: true}
            """)
        let result = try await runFleet(profile, gateway: { $0.loseRate = 1 })
        result.expectSound(2)
        #expect(result.outcome.end == .gateFailed("messages.lost == 0"))
        #expect(result.outcome.snapshot.elapsedSeconds < 60)
    }

    // MARK: - Refusals

    @Test(arguments: [(Refusal.close1008, 5 as Int64), (.http401, 0), (.http403, 0)])
    func `a device that is refused for good has failed and never dials again`(refusal: Refusal, connects: Int64) async throws {
        let profile = try profile(
            devices: 5, load: "ramp: 5, over: 100ms\nhold: 1s", "reconnect: {policy: fixed, base: 10ms}")
        let result = try await runFleet(profile) { options in
            options.refuseAll = true
            options.refuse = refusal
        }
        result.expectSound(5)
        #expect(result.devices(.failed) == 5)
        #expect(result.count(.dials) == 5 && result.count(.connects) == connects && result.count(.ready) == 0)
        #expect(result.labels(.dialFailures) == ["refused_by_server": 5])
        #expect(result.labels(.closeCodes) == (refusal == .close1008 ? ["1008": 5] : [:]))
        #expect(result.labels(.httpStatuses) == (refusal == .close1008 ? [:] : [refusal.rawValue: 5]))
    }

    @Test func `a ready device that is closed with 1008 has failed and never dials again`() async throws {
        let profile = try profile(
            devices: 3, load: "ramp: 3, over: 100ms\nhold: 1s", "reconnect: {policy: fixed, base: 10ms}")
        let result = try await runFleet(profile) { options in
            options.dropAfter = .milliseconds(50)...(.milliseconds(50))
            options.closeCode = 1008
        }
        result.expectSound(3)
        #expect(result.devices(.failed) == 3 && result.count(.dials) == 3)
        #expect(result.labels(.losses) == ["closed_by_server": 3] && result.labels(.closeCodes) == ["1008": 3])
    }

    @Test func `a device gives up after its attempts`() async throws {
        let profile = try profile(
            devices: 2, load: "ramp: 2, over: 100ms\nhold: 1s", "reconnect: {policy: fixed, base: 10ms, attempts: 3}")
        let result = try await runFleet(profile) { $0.maxDevices = 1 }
        result.expectSound(2)
        // One device gets in and stays; the other one is closed with 1013 four times.
        #expect(result.devices(.failed) == 1)
        #expect(result.count(.dials) == 5)
        #expect(result.labels(.closeCodes)["1013"] == 4)
    }
}
