import CStentorSystem
import Glibc

/// Delivers UNIX signals to a closure on a loop. Loop thread only after `block`.
public final class SignalSource: EventSource {
    private let loop: EventLoop
    private var descriptor: Int32
    private let received: (Int32) -> Void

    /// Blocks signals for the calling thread and those it starts later; call it in `main` before any thread exists.
    public static func block(_ signals: [Int32]) {
        var set = signalSet(signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Ignores SIGPIPE, so that writing to a closed socket is an error of that socket only.
    public static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Begins to deliver; the signals must have been blocked.
    ///
    /// - Throws: ``SystemFailure`` when no descriptor is left.
    public init(loop: EventLoop, signals: [Int32], _ received: @escaping (Int32) -> Void) throws(SystemFailure) {
        var set = Self.signalSet(signals)
        let descriptor = stentor_signalfd(&set)
        guard descriptor >= 0 else { throw SystemFailure("signalfd") }
        self.loop = loop
        self.descriptor = descriptor
        self.received = received
        super.init()
        try loop.register(self, descriptor: descriptor, events: stentor_epollin())
    }

    private static func signalSet(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    override func ready(_ events: UInt32) {
        var info = signalfd_siginfo()
        while descriptor >= 0, Glibc.read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            received(Int32(info.ssi_signo))
        }
    }

    /// Stops delivering.
    public func close() {
        guard descriptor >= 0 else { return }
        loop.deregister(self)
        _ = Glibc.close(descriptor)
        descriptor = -1
    }

    override func loopEnded() { close() }
}
