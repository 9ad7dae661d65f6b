import StentorBase
import StentorLoop

/// Notes what a stream tells its owner, and lets a test wait for it.
final class Recorder: StreamHandler {
    private let loop: EventLoop
    private(set) var bytes: [UInt8] = []
    private(set) var marks: [UInt64] = []
    private(set) var end: StreamEnd?
    private var condition: (() -> Bool)?
    private var promise: LoopPromise<Bool>?
    var onBytes: ((UnsafeMutableRawBufferPointer) -> Void)?

    init(_ loop: EventLoop) { self.loop = loop }

    func streamReceived(_ received: UnsafeMutableRawBufferPointer) {
        bytes.append(contentsOf: received)
        onBytes?(received)
        check()
    }
    func streamWrote(_ mark: UInt64) {
        marks.append(mark)
        check()
    }
    func streamEnded(_ end: StreamEnd) {
        self.end = end
        check()
    }

    /// Waits until the condition holds; false after ten seconds.
    func until(_ condition: @escaping () -> Bool) async -> Bool {
        if condition() { return true }
        let promise = LoopPromise<Bool>(loop)
        self.condition = condition
        self.promise = promise
        return await promise.value(until: .now() + .seconds(10)) ?? false
    }

    private func check() {
        if let condition, condition() { promise?.fulfil(true) }
    }
}

/// A connected pair: what a listener accepted, and what a dial gave.
struct StreamPair {
    let listener: Listener
    let accepted: ByteStream
    let dialled: ByteStream

    static func make(
        _ loop: EventLoop, serverTLS: TLSContext? = nil, clientTLS: TLSContext? = nil, serverName: String? = nil
    ) async throws -> StreamPair {
        let accepted = LoopPromise<ByteStream>(loop)
        let listener = try Listener(loop: loop, host: "127.0.0.1", port: 0, tls: serverTLS) { accepted.fulfil($0) }
        let target = DialTarget(host: "127.0.0.1", port: listener.port, tls: clientTLS, serverName: serverName)
        let dialled = try await Dial(loop: loop, resolver: Resolver(), target: target).connect(until: .now() + .seconds(10))
        guard let stream = await accepted.value(until: .now() + .seconds(10)) else { throw SystemFailure("accept", code: 110) }
        return StreamPair(listener: listener, accepted: stream, dialled: dialled)
    }
}
