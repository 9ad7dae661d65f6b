import StentorBase
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorProfile
import TestSupport
import Testing

@testable import StentorFleet

/// What faults and drills do, each by itself.
@Suite struct `A run with faults` {
    @Test func `a silent socket is noticed by a missing pong, within a ping's time and a pong's`() async throws {
        let profile = try profile(
            devices: 5, load: "ramp: 5, over: 50ms\nhold: 2s",
            """
            reconnect: {policy: fixed, base: 50ms}
            behaviour: {text: {every: 100ms, reply_within: 1s}, ping: {every: 100ms, pong_within: 300ms}}
            drills: [{at: 500ms, name: silence, disconnect: {how: half_open}}]
            """)
        let result = try await runFleet(profile)
        result.expectSound(5)
        #expect(result.labels(.losses) == ["silent": 5, "left": 5])
        #expect(result.samples(.detect) == 5 && result.count(.reconnects) == 5)
        #expect(result.count(.messagesNotSent) >= 5, "what was due in the silence never reached the kernel")
        let outage = try #require(result.outcome.outages.first)
        #expect(result.outcome.outages.count == 1 && outage.devicesLost == 5 && outage.endSeconds != nil)
        let longest = Phase.allCases.compactMap { result.outcome.snapshot.distribution(.detect, in: $0)?.max }
        // Every ping and its pong, and what a busy machine adds.
        #expect(longest.allSatisfy { $0 >= 0.25 && $0 < 0.4 + 0.3 } && !longest.isEmpty)
        #expect(outage.retrySynchronisation.map { $0 > 0 && $0 <= 1 } ?? false)
    }

    @Test func `without pings a silent socket is noticed by the first reply that does not come`() async throws {
        let profile = try profile(
            devices: 2, load: "ramp: 2, over: 50ms\nhold: 2s",
            """
            reconnect: {policy: fixed, base: 50ms}
            behaviour: {text: {every: 100ms, reply_within: 400ms}}
            drills: [{at: 500ms, name: silence, disconnect: {how: half_open}}]
            """)
        let result = try await runFleet(profile)
        result.expectSound(2)
        #expect(result.labels(.losses) == ["silent": 2, "left": 2])
        #expect(result.samples(.detect) == 2 && result.count(.pingsSent) == 0)
    }

    @Test func `a slow reader takes no more than its rate`() async throws {
        let profile = try profile(
            devices: 2, load: "ramp: 2, over: 50ms\nhold: 1500ms", "faults: [{slow_reader: 100%, rate: 64KiB/s}]")
        let result = try await runFleet(profile) { options in
            options.sendPhotoEvery = .milliseconds(100)
            options.photoBytes = 100_000...100_000
        }
        let seconds = result.outcome.snapshot.elapsedSeconds
        let received = Double(result.count(.bytesReceived))
        #expect(received > 2 * 64 * 1024 && received <= 2 * 64 * 1024 * (seconds + 0.2))
    }

    @Test func `the same devices read slowly in each run, as many as the share says`() throws {
        let profile = try profile(
            devices: 4000, load: "ramp: 4000, over: 1s",
            "faults: [{slow_reader: 10%, rate: 1KiB/s}, {slow_reader: 20%, rate: 2KiB/s}]")
        let limits = try (0..<2).map { _ throws in
            let plan = try FleetPlan(profile: profile, url: .init("ws://127.0.0.1:1/ws"), tokens: .shared(Secret("")), loopCount: 1)
            return (0..<4000).map { plan.readingLimit(ofDevice: $0) }
        }
        #expect(limits[0] == limits[1])
        #expect((320...480).contains(limits[0].count { $0 == 1024 }) && (700...900).contains(limits[0].count { $0 == 2048 }))
    }

    @Test func `a server that says when to come back is not dialled before`() async throws {
        let profile = try profile(devices: 1, load: "ramp: 1, over: 10ms\nhold: 1500ms", "reconnect: {policy: fixed, base: 10ms}")
        let outcome = try await onLoop { loop in
            let server = try BusyServer(loop)
            let plan = try FleetPlan(profile: profile, url: .init(server.url), tokens: .shared(Secret("")), loopCount: 1)
            let run = FleetRun(plan: plan, control: loop, identity: identity)
            let outcome = try await run.run { _, _ in }
            #expect(server.dials.count == 2)
            #expect(server.dials.count == 2 && server.dials[1] - server.dials[0] >= .seconds(1))
            return outcome
        }
        #expect(outcome.snapshot.count(.dialsDeferred) == (2 as Int64))
        #expect(outcome.snapshot.labels(.httpStatuses).map(\.label) == ["503"])
    }

    @Test func `a command's code and words are noted, and one that takes too long is killed`() async throws {
        let profile = try profile(
            devices: 1, load: "ramp: 1, over: 10ms\nhold: 1s",
            """
            drills:
              - {at: 100ms, name: good, command: [sh, -c, echo hello; echo there >&2]}
              - {at: 200ms, name: bad, command: [sh, -c, echo broken; exit 3]}
              - {at: 300ms, name: long, command: [sleep, "60"], within: 300ms}
              - {at: 400ms, name: none, command: [no-such-program-here]}
              - {at: 500ms, name: left, command: [sleep, "60"]}
            """)
        let result = try await runFleet(profile)
        let drills = result.outcome.drills
        #expect(drills.map(\.name) == ["good", "bad", "none", "long", "left"])
        #expect(
            drills.map(\.outcome) == [
                .exited(0), .exited(3), .failed("there is no program 'no-such-program-here'"), .timedOut, .stopped,
            ])
        #expect(drills.first?.output == "hello\nthere\n")
        #expect(
            result.outcome.warnings == [
                "drill 'bad': the command ended with code 3: broken",
                "drill 'none': it could not be carried out: there is no program 'no-such-program-here'",
                "drill 'long': the command was killed when its time was over",
                "drill 'left': the command was killed because the run ended",
            ])
        #expect(result.outcome.outages.map(\.name) == ["good", "bad", "long", "none", "left"])
    }
}

/// A server that answers each upgrade with 503 and asks to be left alone for a second.
private final class BusyServer: StreamHandler {
    private var listener: Listener?
    private var streams: [ByteStream] = []
    private(set) var dials: [Instant] = []

    init(_ loop: EventLoop) throws {
        listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { [unowned self] stream in
            dials.append(.now())
            streams.append(stream)
            try? stream.attach(self)
        }
    }

    var url: String { "ws://127.0.0.1:\(listener?.port ?? 0)/ws" }

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        streams.last?.write(Array("HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    func streamWrote(_ mark: UInt64) {}
    func streamEnded(_ end: StreamEnd) {}
}
