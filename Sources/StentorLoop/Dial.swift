import CStentorSystem
import Glibc
import StentorBase

/// Why a dial failed, and what the report may say about it.
public struct DialFailure: Error, Equatable, Sendable {
    /// The closed cause.
    public let cause: DialCause
    /// A short text without secrets, for people; never a label.
    public let detail: String
    /// The status of the upgrade's answer, for ``DialCause/httpStatus`` and ``DialCause/refusedByServer``.
    public let httpStatus: Int?
    /// What `Retry-After` asked for, in seconds.
    public let retryAfterSeconds: Int?

    /// Makes a failure.
    public init(_ cause: DialCause, _ detail: String, httpStatus: Int? = nil, retryAfterSeconds: Int? = nil) {
        self.cause = cause
        self.detail = detail
        self.httpStatus = httpStatus
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// How long the parts of a successful dial took, in nanoseconds; nil for a part that it did not have.
public struct DialTimes: Equatable, Sendable {
    /// Looking the name up; nil for an IP literal.
    public var dns: Int64?
    /// From the first `connect` until TCP was connected, failed addresses included.
    public var tcp: Int64?
    /// The TLS handshake.
    public var tls: Int64?

    /// Makes empty times.
    public init() {}
}

/// Where and how to dial.
public struct DialTarget: Sendable {
    /// A name or an IP literal.
    public let host: String
    /// The port.
    public let port: UInt16
    /// TLS, or nil for plain TCP.
    public let tls: TLSContext?
    /// The name to send as SNI and to verify; usually the host.
    public let serverName: String
    /// Local addresses to dial from, taken in turn by ``Dial``'s `index`; empty for the system's choice.
    public let sourceAddresses: [SocketAddress]

    /// Makes a target.
    public init(host: String, port: UInt16, tls: TLSContext? = nil, serverName: String? = nil, sourceAddresses: [SocketAddress] = []) {
        self.host = host
        self.port = port
        self.tls = tls
        self.serverName = serverName ?? host
        self.sourceAddresses = sourceAddresses
    }
}

/// One dial: name → addresses, tried in order → TCP → TLS, under one absolute deadline. Loop thread only.
///
///     idle ──▶ resolving ──▶ connecting ──▶ securing ──▶ done
///                               ▲    │ refused, unreachable, slow
///                               └────┘ next address
public final class Dial {
    /// What a dial comes to.
    public typealias Outcome = Result<ByteStream, DialFailure>

    private enum Step {
        case idle
        case resolving
        case connecting(ConnectWaiter)
        case securing(ByteStream)
        case done
    }

    private let loop: EventLoop
    private let resolver: Resolver
    private let target: DialTarget
    private let index: Int
    private var step = Step.idle
    private var deadline = Instant.distantFuture
    private var completion: ((Outcome) -> Void)?
    private var timer: LoopTimer?
    private var addresses: ArraySlice<SocketAddress> = []
    private var firstFailure: DialFailure?
    private var stepBegan = Instant.distantPast

    /// How long the parts took so far.
    public private(set) var times = DialTimes()

    /// Makes a dial that has not begun.
    ///
    /// - Parameter index: Chooses the source address: the device's index.
    public init(loop: EventLoop, resolver: Resolver, target: DialTarget, index: Int = 0) {
        self.loop = loop
        self.resolver = resolver
        self.target = target
        self.index = index
    }

    /// Begins; to be called once.
    ///
    /// - Parameters:
    ///   - deadline: For all of it.
    ///   - completion: Called once, perhaps before this returns. After a failure nothing stays open; of several addresses that failed the
    ///     first one's failure is told.
    public func start(until deadline: Instant, _ completion: @escaping (Outcome) -> Void) {
        self.deadline = deadline
        self.completion = completion
        timer = LoopTimer { [self] in timedOut() }
        stepBegan = .now()
        if let literal = SocketAddress(literal: target.host, port: target.port) { return connect(to: [literal]) }
        step = .resolving
        arm(deadline)
        let (box, loop) = (LoopBox(self), loop)
        resolver.lookUp(host: target.host, port: target.port) { answer in
            loop.post { box.value.resolved(answer) }
        }
    }

    /// Connects and waits for it; see ``start(until:_:)``.
    ///
    /// - Throws: ``DialFailure``.
    public func connect(until deadline: Instant) async throws(DialFailure) -> ByteStream {
        let promise = LoopPromise<Outcome>(loop)
        start(until: deadline) { promise.fulfil($0) }
        guard let outcome = await promise.value(until: .distantFuture) else { preconditionFailure("Dial: no outcome") }
        return try outcome.get()
    }

    /// Gives the dial up; its outcome is ``DialCause/cancelled``.
    public func cancel() {
        finish(.failure(DialFailure(.cancelled, "the device left")))
    }

    // MARK: - Steps

    private func resolved(_ answer: Resolver.Answer) {
        guard case .resolving = step else { return }
        let now = Instant.now()
        times.dns = now.nanoseconds(since: stepBegan)
        stepBegan = now
        switch answer {
        case .addresses(let addresses): connect(to: addresses)
        case .failed(let text): finish(.failure(DialFailure(.dns, text)))
        }
    }

    private func connect(to addresses: [SocketAddress]) {
        self.addresses = addresses[...]
        connectNext()
    }

    /// Tries the next address, with its share of the time that is left.
    private func connectNext() {
        guard let address = addresses.popFirst() else {
            return finish(.failure(firstFailure ?? DialFailure(.dns, "no address")))
        }
        let now = Instant.now()
        arm(now.advanced(byNanoseconds: max(0, deadline.nanoseconds(since: now) / Int64(addresses.count + 1))))
        let descriptor = stentor_tcp_socket(address.family)
        guard descriptor >= 0 else { return failed(Self.failure(errno: stentor_errno(), doing: "socket")) }
        guard DescriptorReserve.spares(descriptor) else {
            _ = Glibc.close(descriptor)
            return failed(
                DialFailure(.descriptorsExhausted, "socket: the last \(DescriptorReserve.kept) descriptors are kept for the report"))
        }
        _ = stentor_set_int_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if let failure = bindSource(descriptor, family: address.family) {
            _ = Glibc.close(descriptor)
            return failed(failure)
        }
        let result = address.withPointer { stentor_connect(descriptor, $0, $1) }
        let code = stentor_errno()
        if result == 0 { return connected(descriptor) }
        guard code == EINPROGRESS else {
            _ = Glibc.close(descriptor)
            return failed(Self.failure(errno: code, doing: "connect to \(address)"))
        }
        let waiter = ConnectWaiter(descriptor: descriptor, address: address) { [self] in connectEnded($0) }
        step = .connecting(waiter)
        do { try loop.register(waiter, descriptor: descriptor, events: stentor_epollout()) } catch {
            _ = Glibc.close(descriptor)
            failed(DialFailure(.descriptorsExhausted, error.description))
        }
    }

    private func connectEnded(_ code: Int32) {
        guard case .connecting(let waiter) = step else { return }
        loop.deregister(waiter)
        if code == 0 { return connected(waiter.descriptor) }
        _ = Glibc.close(waiter.descriptor)
        failed(Self.failure(errno: code, doing: "connect to \(waiter.address)"))
    }

    private func failed(_ failure: DialFailure) {
        guard Self.isWorthAnotherAddress(failure.cause) else { return finish(.failure(failure)) }
        firstFailure = firstFailure ?? failure
        connectNext()
    }

    private static func isWorthAnotherAddress(_ cause: DialCause) -> Bool {
        cause == .refused || cause == .unreachable || cause == .tcpTimeout || cause == .closed
    }

    private func connected(_ descriptor: Int32) {
        let now = Instant.now()
        times.tcp = now.nanoseconds(since: stepBegan)
        stepBegan = now
        guard let context = target.tls else {
            return finish(.success(ByteStream(loop: loop, descriptor: descriptor, tls: nil)))
        }
        arm(deadline)
        let session = TLSSession(context: context, descriptor: descriptor, serverName: target.serverName)
        let stream = ByteStream(loop: loop, descriptor: descriptor, tls: session)
        step = .securing(stream)
        do { try stream.handshake { [self] in secured($0) } } catch {
            finish(.failure(DialFailure(.descriptorsExhausted, error.description)))
        }
    }

    private func secured(_ result: TLSSession.Handshake) {
        guard case .securing(let stream) = step else { return }
        switch result {
        case .done:
            times.tls = Instant.now().nanoseconds(since: stepBegan)
            step = .idle
            finish(.success(stream))
        case .failed(let text, let isVerification): finish(.failure(DialFailure(isVerification ? .tlsVerification : .tls, text)))
        case .closed, .wantsRead, .wantsWrite:
            finish(.failure(DialFailure(.tls, "the peer closed the connection during the TLS handshake")))
        }
    }

    private func timedOut() {
        switch step {
        case .resolving: finish(.failure(DialFailure(.dnsTimeout, "no answer from the resolver in time")))
        case .connecting(let waiter):
            loop.deregister(waiter)
            _ = Glibc.close(waiter.descriptor)
            failed(DialFailure(.tcpTimeout, "no connection to \(waiter.address) in time"))
        case .securing: finish(.failure(DialFailure(.tlsTimeout, "the TLS handshake did not end in time")))
        case .idle, .done: break
        }
    }

    private func arm(_ instant: Instant) {
        guard let timer, instant != .distantFuture else { return }
        loop.cancel(timer)
        loop.schedule(timer, at: instant)
    }

    private func finish(_ outcome: Outcome) {
        if case .done = step { return }
        if case .failure = outcome {
            switch step {
            case .connecting(let waiter) where waiter.slot >= 0:
                loop.deregister(waiter)
                _ = Glibc.close(waiter.descriptor)
            case .securing(let stream): stream.close()
            case .idle, .resolving, .connecting, .done: break
            }
        }
        step = .done
        if let timer { loop.cancel(timer) }
        timer = nil
        let completion = completion
        self.completion = nil
        completion?(outcome)
    }

    private func bindSource(_ descriptor: Int32, family: Int32) -> DialFailure? {
        let candidates = target.sourceAddresses.filter { $0.family == family }
        guard !candidates.isEmpty else { return nil }
        // IP_BIND_ADDRESS_NO_PORT (24): the port is chosen at connect, so that one port serves several destinations.
        _ = stentor_set_int_option(descriptor, Int32(IPPROTO_IP), 24, 1)
        let source = candidates[index % candidates.count]
        guard source.withPointer({ stentor_bind(descriptor, $0, $1) }) != 0 else { return nil }
        return Self.failure(errno: stentor_errno(), doing: "bind to \(source)")
    }

    /// Sorts an errno of socket, bind or connect into a cause.
    static func failure(errno code: Int32, doing what: String) -> DialFailure {
        let cause: DialCause
        switch code {
        case ECONNREFUSED: cause = .refused
        case ETIMEDOUT: cause = .tcpTimeout
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: cause = .descriptorsExhausted
        case EADDRNOTAVAIL, EADDRINUSE: cause = .portsExhausted
        case ECONNRESET, EPIPE: cause = .closed
        default: cause = .unreachable
        }
        return DialFailure(cause, "\(what): \(SystemFailure.text(of: code))")
    }
}

/// Watches a connecting socket.
private final class ConnectWaiter: EventSource {
    let descriptor: Int32
    let address: SocketAddress
    private let ended: (Int32) -> Void

    init(descriptor: Int32, address: SocketAddress, _ ended: @escaping (Int32) -> Void) {
        self.descriptor = descriptor
        self.address = address
        self.ended = ended
    }

    override func ready(_ events: UInt32) { ended(stentor_socket_error(descriptor)) }
    override func loopEnded() { ended(ECANCELED) }
}

// SAFETY: `value` is read only inside closures that `EventLoop.post` runs on the object's own loop.
/// Carries a loop-confined object through a closure that another thread holds but never opens.
public struct LoopBox<Value>: @unchecked Sendable {
    /// The object; on its loop only.
    public let value: Value

    /// Wraps an object of a loop.
    public init(_ value: Value) {
        self.value = value
    }
}
