import Glibc
import StentorBase
import StentorFleet
import StentorGateway
import StentorLoop

/// `stentor serve`: a simulated gateway until a signal, the end of its life, or the end of the process that started it.
struct ServeCommand: Sendable {
    /// Set by a run for its embedded gateway: the gateway ends when its standard input does.
    static let parentVariable = "STENTOR_GATEWAY_PARENT"

    private let arguments: ServeArguments
    private let console: Console

    init(_ arguments: ServeArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func carryOut() throws -> ExitCode {
        guard let kind = GatewayKind.named(arguments.dialect) else {
            preconditionFailure("ServeCommand: a dialect that passed its check has no gateway")
        }
        var options = GatewayOptions()
        try GatewayFlags.apply(arguments.gatewayOptions, of: kind, to: &options)
        if options.token == nil, let token = getenv(GatewayFlags.tokenVariable) { options.token = Secret(String(cString: token)) }
        options.host = arguments.listen.host
        options.port = arguments.listen.port
        DescriptorLimit.raise()
        let settled = options
        return try EventLoop.runMain(name: "control") { loop in try await serve(kind, settled, on: loop) }
    }

    private func serve(_ kind: GatewayKind, _ options: GatewayOptions, on loop: EventLoop) async throws -> ExitCode {
        let ended = LoopPromise<Void>(loop)
        let signals = try SignalSource(loop: loop, signals: Stentor.endingSignals) { _ in ended.fulfil(()) }
        var parent: InputEnd?
        if getenv(Self.parentVariable) != nil { parent = try InputEnd(loop: loop) { ended.fulfil(()) } }
        let gateway = try kind.make(options: options, loop: loop) { console.report($0 + "\n") }
        try gateway.start()
        _ = console.write(gateway.listeningText + "\n")
        _ = await ended.value(until: options.life.map { loop.now + $0 } ?? .distantFuture)
        await gateway.stop()
        signals.close()
        parent?.close()
        return console.writeResult(gateway.totalsJSON() + "\n") ? .success : .failure
    }
}
