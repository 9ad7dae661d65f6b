import CStentorSystem
import Glibc
import StentorBase

/// A listening TCP socket that hands connected streams to a closure. Loop thread only after `init`.
public final class Listener: EventSource {
    /// The port that it listens on.
    public let port: UInt16

    private let loop: EventLoop
    private var descriptor: Int32
    private let tls: TLSContext?
    private let accept: (ByteStream) -> Void
    private let refused: (SystemFailure) -> Void
    private var pause: LoopTimer?

    /// Binds and listens; call it on the loop's thread.
    ///
    /// - Parameters:
    ///   - host: An IP literal, or `localhost` for 127.0.0.1.
    ///   - port: 0 for any free port.
    ///   - tls: For TLS; streams are handed over after their handshake.
    ///   - refused: Told when the process or the machine has no descriptor left for a connection; accepting pauses for 100 ms then.
    ///   - accept: Takes each new stream; attach a handler at once.
    /// - Throws: ``SystemFailure`` naming the call that failed, for instance `bind`.
    public init(
        loop: EventLoop, host: String, port: UInt16, tls: TLSContext? = nil, refused: @escaping (SystemFailure) -> Void = { _ in },
        accept: @escaping (ByteStream) -> Void
    ) throws(SystemFailure) {
        guard let address = SocketAddress(literal: host == "localhost" ? "127.0.0.1" : host, port: port) else {
            throw SystemFailure("listen on \(host)", code: EADDRNOTAVAIL)
        }
        let descriptor = stentor_tcp_socket(address.family)
        guard descriptor >= 0 else { throw SystemFailure("socket") }
        do throws(SystemFailure) {
            _ = stentor_set_int_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            guard address.withPointer({ stentor_bind(descriptor, $0, $1) }) == 0 else { throw SystemFailure("bind") }
            guard listen(descriptor, 4096) == 0 else { throw SystemFailure("listen") }
            self.port = try Self.localPort(of: descriptor)
        } catch {
            _ = Glibc.close(descriptor)
            throw error
        }
        self.loop = loop
        self.descriptor = descriptor
        self.tls = tls
        self.accept = accept
        self.refused = refused
        super.init()
        try loop.register(self, descriptor: descriptor, events: stentor_epollin())
    }

    private static func localPort(of descriptor: Int32) throws(SystemFailure) -> UInt16 {
        let port = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) {
            // SAFETY: the capacity above is not 0.
            stentor_local_address(descriptor, $0.baseAddress!, $0.count)
        }
        guard port >= 0 else { throw SystemFailure("getsockname") }
        return UInt16(port)
    }

    override func ready(_ events: UInt32) {
        for _ in 0..<256 where descriptor >= 0 {
            let connection = stentor_accept(descriptor)
            if connection < 0 {
                let code = stentor_errno()
                if code == EINTR || code == ECONNABORTED { continue }
                if code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM {
                    pauseAccepting(SystemFailure("accept", code: code))
                }
                return
            }
            welcome(connection)
        }
    }

    private func welcome(_ connection: Int32) {
        _ = stentor_set_int_option(connection, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        guard let tls else { return accept(ByteStream(loop: loop, descriptor: connection, tls: nil)) }
        let session = TLSSession(context: tls, descriptor: connection, serverName: nil)
        let stream = ByteStream(loop: loop, descriptor: connection, tls: session)
        do {
            try stream.handshake { [accept] result in
                if result == .done { accept(stream) } else { stream.close() }
            }
        } catch {
            stream.close()
        }
    }

    private func pauseAccepting(_ failure: SystemFailure) {
        refused(failure)
        loop.update(self, events: 0)
        let timer = LoopTimer { [weak self] in
            guard let self, self.descriptor >= 0 else { return }
            self.loop.update(self, events: stentor_epollin())
        }
        pause = timer
        loop.schedule(timer, at: loop.now + .milliseconds(100))
    }

    /// Stops listening. Streams handed over live on. Loop thread only.
    public func close() {
        guard descriptor >= 0 else { return }
        loop.deregister(self)
        if let pause { loop.cancel(pause) }
        _ = Glibc.close(descriptor)
        descriptor = -1
    }

    override func loopEnded() { close() }
}
