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
public final class Dial {
    private let loop: EventLoop
    private let resolver: Resolver
    private let target: DialTarget
    private let index: Int
    private var isCancelled = false
    private var abandon: (() -> Void)?

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

    /// Gives the dial up; ``connect(until:)`` throws ``DialCause/cancelled`` soon.
    public func cancel() {
        isCancelled = true
        abandon?()
    }

    /// Connects; to be called once.
    ///
    /// - Throws: ``DialFailure``; nothing stays open then. Of several addresses that failed, the first one's failure is told.
    public func connect(until deadline: Instant) async throws(DialFailure) -> ByteStream {
        let addresses = try await resolve(until: deadline)
        let begin = Instant.now()
        var firstFailure: DialFailure?
        for (position, address) in addresses.enumerated() {
            let now = Instant.now()
            let share = deadline.nanoseconds(since: now) / Int64(addresses.count - position)
            do throws(DialFailure) {
                let descriptor = try await connectTCP(address, until: now.advanced(byNanoseconds: max(0, share)))
                times.tcp = Instant.now().nanoseconds(since: begin)
                return try await secure(descriptor, until: deadline)
            } catch {
                guard Self.isWorthAnotherAddress(error.cause) else { throw error }
                firstFailure = firstFailure ?? error
            }
        }
        throw firstFailure ?? DialFailure(.dns, "no address")
    }

    private static func isWorthAnotherAddress(_ cause: DialCause) -> Bool {
        cause == .refused || cause == .unreachable || cause == .tcpTimeout || cause == .closed
    }

    // MARK: - Steps

    private func resolve(until deadline: Instant) async throws(DialFailure) -> [SocketAddress] {
        if let literal = SocketAddress(literal: target.host, port: target.port) { return [literal] }
        let begin = Instant.now()
        let answer = LoopPromise<Resolver.Answer>(loop)
        let box = LoopBox(answer)
        let loop = loop
        abandon = { answer.fulfil(.failed("cancelled")) }
        resolver.lookUp(host: target.host, port: target.port) { found in
            loop.post { box.value.fulfil(found) }
        }
        let found = await answer.value(until: deadline)
        abandon = nil
        try checkCancellation()
        times.dns = Instant.now().nanoseconds(since: begin)
        switch found {
        case .addresses(let addresses): return addresses
        case .failed(let text): throw DialFailure(.dns, text)
        case nil: throw DialFailure(.dnsTimeout, "no answer from the resolver in time")
        }
    }

    private func connectTCP(_ address: SocketAddress, until deadline: Instant) async throws(DialFailure) -> Int32 {
        try checkCancellation()
        let descriptor = stentor_tcp_socket(address.family)
        guard descriptor >= 0 else { throw Self.failure(errno: stentor_errno(), doing: "socket") }
        do throws(DialFailure) {
            _ = stentor_set_int_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
            try bindSource(descriptor, family: address.family)
            let result = address.withPointer { stentor_connect(descriptor, $0, $1) }
            let code = stentor_errno()
            if result != 0 {
                guard code == EINPROGRESS else { throw Self.failure(errno: code, doing: "connect to \(address)") }
                try await waitForConnection(descriptor, address, until: deadline)
            }
            return descriptor
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
    }

    private func waitForConnection(_ descriptor: Int32, _ address: SocketAddress, until deadline: Instant) async throws(DialFailure) {
        let outcome = LoopPromise<Int32>(loop)
        let waiter = ConnectWaiter(descriptor: descriptor, outcome)
        do { try loop.register(waiter, descriptor: descriptor, events: stentor_epollout()) } catch {
            throw DialFailure(.descriptorsExhausted, error.description)
        }
        abandon = { outcome.fulfil(ECANCELED) }
        let code = await outcome.value(until: deadline)
        abandon = nil
        loop.deregister(waiter)
        try checkCancellation()
        guard let code else { throw DialFailure(.tcpTimeout, "no connection to \(address) in time") }
        guard code == 0 else { throw Self.failure(errno: code, doing: "connect to \(address)") }
    }

    private func secure(_ descriptor: Int32, until deadline: Instant) async throws(DialFailure) -> ByteStream {
        guard let context = target.tls else { return ByteStream(loop: loop, descriptor: descriptor, tls: nil) }
        let begin = Instant.now()
        let session = TLSSession(context: context, descriptor: descriptor, serverName: target.serverName)
        let stream = ByteStream(loop: loop, descriptor: descriptor, tls: session)
        let outcome = LoopPromise<TLSSession.Handshake>(loop)
        do { try stream.handshake { outcome.fulfil($0) } } catch { throw DialFailure(.descriptorsExhausted, error.description) }
        abandon = { outcome.fulfil(.closed) }
        let result = await outcome.value(until: deadline)
        abandon = nil
        if result != .done { stream.close() }
        try checkCancellation()
        switch result {
        case .done:
            times.tls = Instant.now().nanoseconds(since: begin)
            return stream
        case .failed(let text, let isVerification): throw DialFailure(isVerification ? .tlsVerification : .tls, text)
        case .closed: throw DialFailure(.tls, "the peer closed the connection during the TLS handshake")
        case nil, .wantsRead, .wantsWrite: throw DialFailure(.tlsTimeout, "the TLS handshake did not end in time")
        }
    }

    private func bindSource(_ descriptor: Int32, family: Int32) throws(DialFailure) {
        let candidates = target.sourceAddresses.filter { $0.family == family }
        guard !candidates.isEmpty else { return }
        // IP_BIND_ADDRESS_NO_PORT (24): the port is chosen at connect, so that one port serves several destinations.
        _ = stentor_set_int_option(descriptor, Int32(IPPROTO_IP), 24, 1)
        let source = candidates[index % candidates.count]
        guard source.withPointer({ stentor_bind(descriptor, $0, $1) }) == 0 else {
            throw Self.failure(errno: stentor_errno(), doing: "bind to \(source)")
        }
    }

    private func checkCancellation() throws(DialFailure) {
        if isCancelled { throw DialFailure(.cancelled, "the device left") }
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
    private let descriptor: Int32
    private let outcome: LoopPromise<Int32>

    init(descriptor: Int32, _ outcome: LoopPromise<Int32>) {
        self.descriptor = descriptor
        self.outcome = outcome
    }

    override func ready(_ events: UInt32) { outcome.fulfil(stentor_socket_error(descriptor)) }
    override func loopEnded() { outcome.fulfil(ECANCELED) }
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
