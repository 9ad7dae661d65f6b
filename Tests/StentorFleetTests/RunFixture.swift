import StentorBase
import StentorGateway
import StentorLoop
import StentorMetrics
import StentorProfile
import StentorWire
import TestSupport
import Testing

@testable import StentorFleet

/// What a run left: its outcome, and what the gateway says about it.
struct RunResult: Sendable {
    let outcome: FleetOutcome
    let gateway: String

    func count(_ counter: Counter) -> Int64 { outcome.snapshot.count(counter) }
    func labels(_ family: LabelFamily) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: outcome.snapshot.labels(family).map { ($0.label, $0.count) })
    }
    func devices(_ state: DeviceState) -> Int64 { outcome.snapshot.devices(in: state) }
    /// How many samples a metric has over all phases.
    func samples(_ metric: Metric) -> Int {
        Phase.allCases.reduce(0) { $0 + Int(outcome.snapshot.distribution(metric, in: $1)?.count ?? 0) }
    }

    /// What holds of every run, however it went.
    func expectSound(_ devices: Int64, location: SourceLocation = #_sourceLocation) {
        let ends: [Counter] = [.messagesAnswered, .messagesLate, .messagesLost, .messagesInDoubt]
        #expect(count(.messagesSent) == ends.reduce(0) { $0 + count($1) }, sourceLocation: location)
        let uploads: [Counter] = [.uploadsConfirmed, .uploadsLate, .uploadsCorrupt, .uploadsLost, .uploadsInDoubt]
        #expect(count(.uploadsSent) == uploads.reduce(0) { $0 + count($1) }, sourceLocation: location)
        let prompts: [Counter] = [.promptsAnswered, .promptsSubstituted, .promptsExpired, .promptsSuperseded, .promptsOpen]
        #expect(count(.promptsReceived) == prompts.reduce(0) { $0 + count($1) }, sourceLocation: location)
        let downloads: [Counter] = [.downloadsComplete, .downloadsCorrupt, .downloadsIncomplete, .downloadsByURL, .downloadsOpen]
        #expect(count(.downloadsStarted) == downloads.reduce(0) { $0 + count($1) }, sourceLocation: location)
        #expect(self.devices(.left) + self.devices(.failed) == devices, sourceLocation: location)
        #expect(count(.disconnects) == labels(.losses).values.reduce(0, +), sourceLocation: location)
        #expect(count(.ready) == count(.disconnects), sourceLocation: location)
        #expect(outcome.warnings.isEmpty, sourceLocation: location)
        #expect(samples(.connect) == Int(count(.connects)), sourceLocation: location)
        // Whole and part are read from the same clock; a dial that takes no time is none.
        let shortest = Phase.allCases.compactMap { outcome.snapshot.distribution(.connect, in: $0)?.min }
        #expect(shortest.allSatisfy { $0 > 0 }, sourceLocation: location)
    }
}

/// Runs a fleet against a simulated gateway that lives on the control loop.
///
/// - Parameters:
///   - gateway: Changes the gateway's options; by default it answers at once, in four pieces 1 ms apart.
///   - start: Called before the run begins.
///   - each: Called once a second.
func runFleet(
    _ profile: Profile, loops: Int = 2, gateway change: @escaping @Sendable (inout GatewayOptions) -> Void = { _ in },
    start: @escaping @Sendable (FleetRun) -> Void = { _ in },
    each: @escaping @Sendable (FleetRun, RunSnapshot) -> Void = { _, _ in }
) async throws -> RunResult {
    try await onLoop { loop in
        var options = GatewayOptions()
        options.editGap = .milliseconds(1)
        change(&options)
        let gateway = try GatewayKind.hermes.make(options: options, loop: loop)
        try gateway.start()
        let plan = try FleetPlan(
            profile: profile, url: TargetURL(gateway.url), tokens: .shared(Secret("one token+1/2")), loopCount: loops)
        let run = FleetRun(plan: plan, control: loop, identity: identity)
        start(run)
        let outcome = try await run.run { snapshot, _ in each(run, snapshot) }
        await gateway.stop()
        return RunResult(outcome: outcome, gateway: gateway.totalsJSON())
    }
}

let identity = RunIdentity(runID: "r", profile: "test", version: "0", dialect: "hermes", targetHost: "127.0.0.1", startedAtSeconds: 0)

/// A Hermes server that says `ready` to whoever upgrades, notes the opcodes of what comes behind, and never says another word.
final class DeafGateway: StreamHandler {
    private var listener: Listener?
    private var stream: ByteStream?
    private var input: [UInt8] = []
    private var isUpgraded = false
    private let loop: EventLoop
    /// Called with the opcode of each frame that came whole.
    var frameReceived: (UInt8) -> Void = { _ in }

    init(_ loop: EventLoop) throws {
        self.loop = loop
        listener = try Listener(loop: loop, host: "127.0.0.1", port: 0) { [unowned self] stream in
            self.stream = stream
            try? stream.attach(self)
        }
    }

    var url: String { "ws://127.0.0.1:\(listener?.port ?? 0)/ws" }

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        input.append(contentsOf: bytes)
        if !isUpgraded { upgrade() }
        while isUpgraded, let (opcode, count) = firstFrame() {
            input.removeFirst(count)
            frameReceived(opcode)
        }
    }

    private func upgrade() {
        var handshake = WebSocketServerHandshake()
        guard case .upgrade(_, let consumed) = input.withUnsafeBytes({ handshake.next($0) }) else { return }
        isUpgraded = true
        input.removeFirst(consumed)
        let ready = Array("{\"t\":\"ready\"}".utf8)
        stream?.write(handshake.accept() + [0x81, UInt8(ready.count)] + ready)
    }

    private func firstFrame() -> (opcode: UInt8, count: Int)? {
        guard input.count >= 2 else { return nil }
        let short = Int(input[1] & 0x7F)
        guard short < 126 || input.count >= 4 else { return nil }
        let count = short < 126 ? 6 + short : 8 + Int(input[2]) << 8 + Int(input[3])
        return input.count >= count ? (input[0] & 15, count) : nil
    }

    func streamWrote(_ mark: UInt64) {}
    func streamEnded(_ end: StreamEnd) {}
}
