import StentorBase
import StentorLoop
import StentorWire

/// Dial and upgrade.
extension WebSocketConnection {
    /// What a connection asks for.
    public struct Request: Sendable {
        /// Where to dial.
        public let target: DialTarget
        /// Path and query. Holds the token: never printed.
        public let path: String
        /// The `Host` header.
        public let host: String
        /// More headers.
        public let headers: [(String, String)]

        /// Makes a request.
        public init(target: DialTarget, path: String, host: String, headers: [(String, String)]) {
            self.target = target
            self.path = path
            self.host = host
            self.headers = headers
        }
    }

    /// Dials and upgrades. To be called once: a connection that is not fresh fails with ``DialCause/alreadyOpen``, and stays as it is.
    ///
    /// - Parameters:
    ///   - index: Chooses the source address.
    ///   - deadline: For all of it.
    ///   - upgrading: Called when TCP and TLS are done and the request goes out.
    ///   - completion: Called once, perhaps before this returns; nil after success, right before ``ConnectionHandler/connectionOpened(_:)``.
    ///     Nothing stays open after a failure.
    public func open(
        _ request: Request, index: Int, until deadline: Instant, upgrading: @escaping () -> Void = {},
        completion: @escaping (DialFailure?) -> Void
    ) {
        switch state {
        case .fresh: state = .dialling
        case .dialling, .upgrading, .open, .closing:
            return completion(DialFailure(.alreadyOpen, "the connection is open already, or on its way"))
        case .ended: return completion(DialFailure(.cancelled, "the device left"))
        }
        let dial = Dial(loop: context.loop, resolver: context.resolver, target: request.target, index: index)
        self.dial = dial
        context.tap?.noted(.dialling(host: request.target.host, port: request.target.port))
        opening = Opening(completion: completion)
        dial.start(until: deadline) { [self] outcome in
            times = dial.times
            self.dial = nil
            switch outcome {
            case .failure(let failure): opened(failure)
            case .success(let stream):
                guard case .dialling = state else {
                    stream.close()
                    return opened(DialFailure(.cancelled, "the device left"))
                }
                upgrading()
                requestUpgrade(request, on: stream, until: deadline)
            }
        }
    }

    /// Dials and upgrades, and waits for it; see ``open(_:index:until:upgrading:completion:)``.
    ///
    /// - Throws: ``DialFailure``.
    public func open(_ request: Request, index: Int, until deadline: Instant) async throws(DialFailure) {
        let promise = LoopPromise<DialFailure?>(context.loop)
        open(request, index: index, until: deadline) { promise.fulfil($0) }
        if let failure = await promise.value(until: .distantFuture) ?? nil { throw failure }
    }

    /// What is needed only until the connection is open.
    final class Opening {
        let completion: (DialFailure?) -> Void
        var handshake: WebSocketClientHandshake?
        var timer: LoopTimer?
        var began = Instant.distantPast

        init(completion: @escaping (DialFailure?) -> Void) {
            self.completion = completion
        }
    }

    func requestUpgrade(_ request: Request, on stream: ByteStream, until deadline: Instant) {
        guard let opening else { return stream.close() }
        let nonce = context.loop.secureRandom.bytes(16)
        self.stream = stream
        state = .upgrading
        opening.began = .now()
        context.tap?.noted(.upgrading)
        let timer = LoopTimer { [self] in opened(DialFailure(.upgradeTimeout, "the upgrade was not answered in time")) }
        opening.timer = timer
        context.loop.schedule(timer, at: deadline)
        do throws(UserFailure) {
            let handshake = try WebSocketClientHandshake(target: request.path, host: request.host, headers: request.headers, nonce: nonce)
            let bytes = handshake.request
            opening.handshake = consume handshake
            do throws(SystemFailure) { try stream.attach(self) } catch { return opened(Self.failure(of: error)) }
            stream.write(bytes)
        } catch {
            opened(DialFailure(.badUpgrade, error.message))
        }
    }

    /// The dial or the upgrade is over; nil: the connection is open.
    func opened(_ failure: DialFailure?) {
        guard let opening = opening.take() else { return }
        if let timer = opening.timer { context.loop.cancel(timer) }
        opening.timer = nil
        if let failure { context.tap?.noted(.failed(failure)) } else { context.tap?.noted(.opened) }
        if failure != nil {
            state = .ended
            handler = nil
            stream?.close()
            stream = nil
        } else {
            state = .open
            upgradeNanoseconds = context.loop.now.nanoseconds(since: opening.began)
        }
        opening.completion(failure)
    }

    static func failure(of error: SystemFailure) -> DialFailure {
        DialFailure(.descriptorsExhausted, error.description)
    }

    func answerReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let outcome = opening?.handshake?.next(UnsafeRawBufferPointer(bytes)) else { return }
        switch outcome {
        case .needBytes: break
        case .upgraded(let consumed):
            opened(nil)
            handler?.connectionOpened(self)
            framesReceived(UnsafeMutableRawBufferPointer(rebasing: bytes[consumed...]))
        case .refused(let status, let retryAfterSeconds, _):
            let cause: DialCause = status == 401 || status == 403 ? .refusedByServer : .httpStatus
            opened(DialFailure(cause, "HTTP status \(status)", httpStatus: status, retryAfterSeconds: retryAfterSeconds))
        case .failed(let cause, let text): opened(DialFailure(cause, text))
        }
    }
}
