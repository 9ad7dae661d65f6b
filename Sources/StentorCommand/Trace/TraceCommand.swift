import StentorBase
import StentorFleet
import StentorLoop
import StentorProfile
import StentorWire

/// `stentor trace`: one device of a profile, frame by frame.
struct TraceCommand: Sendable {
    /// How long the device has for what it began once it was told to stop.
    private static let grace = Duration.seconds(2)

    private let arguments: TraceArguments
    private let console: Console

    init(_ arguments: TraceArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws -> ExitCode {
        let profile = try Profile.load(path: arguments.profile, options: .given(arguments.profileArguments))
        guard arguments.device < profile.devices.count else {
            throw UserFailure(
                .arguments, "the profile has \(profile.devices.count) devices, the last is \(profile.devices.count - 1)", place: "--device")
        }
        let dialect = profile.target.dialect
        if case .embedded = profile.target.endpoint { try EmbeddedGateway.check(profile.target.gateway, dialect: dialect) }
        let tokens = try TokenFiles.read(profile.target.token)
        DescriptorLimit.raise()
        return try EventLoop.runMain(name: "control") { loop in try await trace(profile, tokens, on: loop) }
    }

    private func trace(_ profile: Profile, _ tokens: FleetPlan.Tokens, on loop: EventLoop) async throws -> ExitCode {
        var gateway: EmbeddedGateway?
        let plan: FleetPlan
        switch profile.target.endpoint {
        case .url(let url): plan = try FleetPlan(profile: profile, url: url, tokens: tokens, loopCount: 1)
        case .embedded:
            let token = Secret(loop.secureRandom.bytes(16).map { Quantity.hex($0) }.joined())
            let started = try await EmbeddedGateway.start(
                profile.target.gateway, dialect: profile.target.dialect, token: token, on: loop)
            gateway = started.gateway
            plan = try FleetPlan(profile: profile, url: started.url, tokens: .shared(token), loopCount: 1)
        }
        let wasReady = try await run(plan, on: loop)
        _ = await gateway?.stop()
        return wasReady ? .success : .targetUnreachable
    }

    private func run(_ plan: FleetPlan, on loop: EventLoop) async throws -> Bool {
        let identity = plan.identity(ofDevice: arguments.device)
        var stop: () -> Void = {}
        let log = TraceLog(
            start: .now(), secret: identity.token, printsJSON: arguments.printsJSON, limit: arguments.lines,
            write: { if !console.write($0) { stop() } }, full: { stop() })
        if !arguments.printsJSON { _ = console.write("device \(arguments.device): \(TerminalText.clean(identity.id, limit: 80))\n") }
        let trace = DeviceTrace(plan, device: arguments.device, for: arguments.duration, loop: loop, tap: log)
        // Not at once: the connection that tells of its last line is in the middle of something.
        let stopping = LoopTimer { [unowned trace] in trace.stop(grace: Self.grace) }
        stop = { loop.schedule(stopping, at: loop.now) }
        defer { loop.cancel(stopping) }
        let signals = try SignalSource(loop: loop, signals: Stentor.endingSignals) { _ in stop() }
        defer { signals.close() }
        return await trace.run()
    }
}
