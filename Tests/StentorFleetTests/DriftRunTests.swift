import StentorBase
import StentorGateway
import StentorMetrics
import Testing

@testable import StentorFleet

/// A gate on a drift, from the gateway's fault to the verdict.
@Suite(.fleetSlots(1)) struct `A drift gate` {
    private static func judge(_ gate: String, gateway change: @escaping @Sendable (inout GatewayOptions) -> Void) async throws -> GateResult
    {
        let profile = try profile(
            devices: 10, load: "ramp: 10, over: 100ms\nhold: 14s\nramp: 0, over: 100ms",
            "behaviour: {text: {every: 100ms, body: 20B..60B, reply_within: 20s}}\ngates: [\(gate)]")
        let result = try await runFleet(profile, loops: 1) { options in
            // Long beside what a busy machine adds.
            options.replyDelay = .milliseconds(1000)...(.milliseconds(1100))
            options.edits = 0
            change(&options)
        }
        return try Gate.parse(gate).evaluate(result.outcome.snapshot)
    }

    @Test func `fails against a gateway that gets slower`() async throws {
        // The whole delay more each second: what comes at the end of the run took seven times as long.
        let result = try await Self.judge("reply.p50 drift < 300%/min") { $0.latencyDrift = 1 }
        #expect(result.verdict == .fail, "\(result)")
        #expect(result.phase == .steady && result.count >= 8)
        #expect(result.drift?.windowSeconds == 1)
    }

    @Test func `passes against a healthy gateway`() async throws {
        let result = try await Self.judge("reply.p50 drift < 300%/min") { _ in }
        #expect(result.verdict == .pass, "\(result)")
        #expect(result.count >= 8)
    }
}
