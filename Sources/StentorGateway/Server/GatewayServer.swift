import StentorBase
import StentorLoop
import StentorWire

/// Hosts the machine of a simulated gateway on one event loop: listens, does the I/O that the machine asks for, and brings it what comes.
///
/// Everything but its options is confined to the loop's thread. Let it go only after ``stop()``, and call that when ``GatewayOptions/life``
/// is over. Gateways share nothing, so several of them on several loops, each with a port of its own, do not disturb each other.
final class GatewayServer<Machine: GatewayMachine & ~Copyable>: SimulatedGateway {
    /// What was asked for.
    let options: GatewayOptions

    /// Reading from a device pauses while more than this waits to be sent to it.
    var backlogLimitBytes = 16 << 20
    /// How long a connection may take to send its request.
    var requestPatience = Duration.seconds(30)

    var core: Machine
    let loop: EventLoop
    private let report: (String) -> Void
    private let tls: TLSContext?
    private var listener: Listener?
    /// The port that it listens on; 0 before ``start()``.
    private(set) var port: UInt16 = 0
    private var restartTimer: LoopTimer?
    /// What the leak option has taken; nil without it.
    private(set) var leak: MemoryLeak?

    private var connections: [GatewayConnection<Machine>?] = []
    private var requests: [ObjectIdentifier: GatewayConnection<Machine>] = [:]
    private var live = 0
    private var deviceTimers: [LoopTimer?] = []
    private var isPerforming = false
    private var drained: LoopPromise<Void>?
    private var sharedText: SharedPayload?
    private var sharedBytes: SharedPayload?

    /// How long connections may take to end when the gateway stops.
    private static var patience: Duration { .seconds(5) }

    /// Makes a gateway that does not listen yet. Loop thread only.
    ///
    /// - Parameters:
    ///   - report: Gets one line per reported violation, without an end of line and without any secret; for stderr.
    /// - Throws: A ``UserFailure`` when options do not fit each other, or a TLS file cannot be used.
    init(options: GatewayOptions, loop: EventLoop, report: @escaping (String) -> Void = { _ in }) throws(UserFailure) {
        try options.validate()
        self.options = options
        self.loop = loop
        self.report = report
        core = Machine(options)
        if let certificate = options.tlsCertificate, let key = options.tlsKey {
            tls = try TLSContext.server(certificateFile: certificate, keyFile: key)
        } else {
            tls = nil
        }
    }

    // MARK: Life

    /// Begins to listen, and starts the clock of the options that go by the time since the start. Loop thread only.
    ///
    /// - Throws: A ``UserFailure`` `.machine` placed at `--listen` when the address cannot be had.
    func start() throws(UserFailure) {
        do throws(SystemFailure) {
            try listen(options.port)
        } catch {
            throw UserFailure(
                .machine, "cannot listen on \(Self.authority(options.host, options.port)): \(SystemFailure.text(of: error.code))",
                place: "--listen", hint: "port 0 takes a free one; the address must be one of this machine")
        }
        core.began(
            origin: "\(tls == nil ? "http" : "https")://\(Self.authority(options.host, port))", at: loop.now,
            wallSeconds: Double(WallClock.nanosecondsSinceEpoch()) / 1e9)
        leak = options.leakPerSecond.map { MemoryLeak(loop, bytesPerSecond: $0) }
        guard let after = options.restartAfter else { return }
        schedule(at: loop.now + after) { [unowned self] in restart() }
    }

    /// Where it listens, for instance `ws://127.0.0.1:8787/ws`; meaningless before ``start()``.
    var url: String {
        "\(tls == nil ? "ws" : "wss")://\(Self.authority(options.host, port))\(Machine.path)"
    }

    /// Closes every connection with 1001 and waits until they have ended, at most 5 s; then cuts the rest.
    ///
    /// To be awaited once, by a task that prefers the loop.
    func stop() async {
        if let restartTimer { loop.cancel(restartTimer) }
        leak?.stop()
        listener?.close()
        listener = nil
        for connection in requests.values { connection.cut() }
        let drained = LoopPromise<Void>(loop)
        self.drained = drained
        core.stop()
        perform()
        if live > 0 { _ = await drained.value(until: loop.now + Self.patience) }
        for connection in connections { connection?.cut() }
        for timer in deviceTimers { if let timer { loop.cancel(timer) } }
    }

    /// What it saw and did, as one line of JSON without an end of line. Loop thread only; at any time, final after ``stop()``.
    func totalsJSON() -> String {
        core.totals()
    }

    private func listen(_ port: UInt16) throws(SystemFailure) {
        let listener = try Listener(
            loop: loop, host: options.host, port: port, tls: tls,
            refused: { [unowned self] in report("connection not accepted: \(SystemFailure.text(of: $0.code))") },
            accept: { [unowned self] in accept($0) })
        self.listener = listener
        self.port = listener.port
    }

    private func accept(_ stream: ByteStream) {
        let connection = GatewayConnection<Machine>(self, stream)
        requests[ObjectIdentifier(connection)] = connection
        connection.begin()
    }

    private static func authority(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    // MARK: Restart

    /// Ends all connections as the options say, and refuses new ones for a while. Loop thread only.
    ///
    /// - Parameter back: Called when it listens again.
    func restart(_ back: @escaping () -> Void = {}) {
        listener?.close()
        listener = nil
        for connection in requests.values { connection.cut() }
        core.restart(at: loop.now)
        perform()
        schedule(at: loop.now + options.down) { [unowned self] in comeBack(back) }
    }

    private func comeBack(_ back: @escaping () -> Void) {
        do throws(SystemFailure) {
            try listen(port)
            core.restarted()
            back()
        } catch {
            report("cannot listen again: \(SystemFailure.text(of: error.code))")
            schedule(at: loop.now + .seconds(1)) { [unowned self] in comeBack(back) }
        }
    }

    private func schedule(at deadline: Instant, _ work: @escaping () -> Void) {
        let timer = LoopTimer(work)
        restartTimer = timer
        loop.schedule(timer, at: deadline)
    }

    // MARK: Connections

    /// Gives an upgraded connection its place in the core.
    func opened(_ connection: GatewayConnection<Machine>, tokens: [String]) -> Int {
        requests[ObjectIdentifier(connection)] = nil
        live += 1
        let index = core.opened(tokens: tokens, at: loop.now)
        while connections.count <= index { connections.append(nil) }
        connections[index] = connection
        return index
    }

    /// Forgets a connection that has ended.
    func ended(_ connection: GatewayConnection<Machine>) {
        guard let index = connection.index else {
            requests[ObjectIdentifier(connection)] = nil
            return
        }
        connections[index] = nil
        live -= 1
        core.ended(index, at: loop.now)
        perform()
        if live == 0 { drained?.fulfil(()) }
    }

    /// The photo at a path, with the bytes that all photos share.
    func download(_ path: String) -> (photo: PhotoSource.Photo, shared: SharedPayload)? {
        guard let photo = core.photo(at: path), let raw = core.photos?.raw else { return nil }
        let shared = sharedBytes ?? SharedPayload(raw)
        sharedBytes = shared
        return (photo, shared)
    }

    // MARK: Actions

    /// Does what the core wants done. What comes up meanwhile is done in the same round.
    func perform() {
        guard !isPerforming else { return }
        isPerforming = true
        var next = 0
        while next < core.output.actions.count {
            perform(core.output.actions[next])
            next += 1
        }
        core.output.removeAll()
        isPerforming = false
    }

    private func perform(_ action: GatewayAction) {
        switch action {
        case .send(let socket, let range, let kind):
            guard let connection = connections[socket] else { return }
            core.output.bytes.withUnsafeBytes { connection.send(UnsafeRawBufferPointer(rebasing: $0[range]), kind) }
        case .sendPhotoPart(let socket, let head, let shared, let tail):
            guard let connection = connections[socket] else { return }
            guard let text = sharedText ?? core.photos.map({ SharedPayload($0.base64) }) else { return }
            sharedText = text
            core.output.bytes.withUnsafeBytes {
                connection.send(
                    UnsafeRawBufferPointer(rebasing: $0[head]), text, shared, UnsafeRawBufferPointer(rebasing: $0[tail]))
            }
        case .ping(let socket): connections[socket]?.ping()
        case .close(let socket, let code, let reason): connections[socket]?.close(code, reason)
        case .reset(let socket): connections[socket]?.reset()
        case .silence(let socket): connections[socket]?.fallSilent()
        case .wakeSocket(let socket, let deadline): connections[socket]?.wake(at: deadline)
        case .wakeDevice(let device, let deadline): wake(device: device, at: deadline)
        case .report(let line): report(line)
        }
    }

    private func wake(device: Int, at deadline: Instant) {
        while deviceTimers.count <= device { deviceTimers.append(nil) }
        let timer =
            deviceTimers[device]
            ?? LoopTimer { [unowned self] in
                core.deviceDue(device, at: loop.now)
                perform()
            }
        deviceTimers[device] = timer
        loop.schedule(timer, at: deadline)
    }
}
