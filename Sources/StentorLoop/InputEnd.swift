import CStentorSystem
import Glibc

/// Tells when standard input ends: when the process that holds its other end is gone, however it went.
public final class InputEnd: EventSource {
    private let loop: EventLoop
    private let ended: () -> Void
    private var isOpen = true

    /// Begins to watch; what comes is read and dropped.
    ///
    /// - Throws: ``SystemFailure`` when standard input cannot be watched, for instance a regular file.
    public init(loop: EventLoop, _ ended: @escaping () -> Void) throws(SystemFailure) {
        self.loop = loop
        self.ended = ended
        super.init()
        try loop.register(self, descriptor: STDIN_FILENO, events: stentor_epollin())
    }

    override func ready(_ events: UInt32) {
        let count = Glibc.read(STDIN_FILENO, loop.readBuffer.baseAddress, loop.readBuffer.count)
        guard count == 0 || (count < 0 && stentor_errno() != EAGAIN && stentor_errno() != EINTR) else { return }
        close()
        ended()
    }

    /// Stops watching; standard input itself stays open.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        loop.deregister(self)
    }

    override func loopEnded() { close() }
}
