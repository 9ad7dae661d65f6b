import StentorBase

/// A value that comes later from the loop's callbacks to the one task that waits for it. Loop thread only.
///
/// It is the bridge between events and `await`: resuming it enqueues the waiter on the loop, which runs it right after the current event.
public final class LoopPromise<Value> {
    private let loop: EventLoop
    private var result: Value?
    private var isSettled = false
    private var waiter: UnsafeContinuation<Void, Never>?
    private var timer: LoopTimer?

    /// Makes an empty promise of a loop.
    public init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Gives the value; only the first one counts, and none after the deadline passed.
    public func fulfil(_ value: Value) {
        guard !isSettled else { return }
        result = value
        settle()
    }

    /// Waits for the value until an absolute deadline; nil when it passed. To be called once.
    public func value(until deadline: Instant) async -> Value? {
        loop.assertOnLoop()
        if !isSettled {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                waiter = continuation
                guard deadline != .distantFuture else { return }
                let timer = LoopTimer { [unowned self] in settle() }
                self.timer = timer
                loop.schedule(timer, at: deadline)
            }
        }
        defer { result = nil }
        return result
    }

    private func settle() {
        isSettled = true
        if let timer { loop.cancel(timer) }
        timer = nil
        waiter?.resume()
        waiter = nil
    }
}
