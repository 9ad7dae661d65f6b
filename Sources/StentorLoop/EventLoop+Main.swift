import StentorBase
import Synchronization

extension EventLoop {
    /// Does blocking work on a thread of its own, and then a closure with its result on this loop. Loop thread only.
    ///
    /// For files and other things that may take long; nothing waits for the work when the loop is stopped before.
    public func offload<Result: Sendable>(_ work: @escaping @Sendable () -> Result, then: @escaping (Result) -> Void) {
        let next = LoopBox(then)
        _ = LoopThread(name: "offload") {
            let result = work()
            self.post { next.value(result) }
        }
    }

    /// Does blocking work on a thread of its own while the calling task waits and the loop goes on. Loop thread only.
    public func offload<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        let promise = LoopPromise<Result>(self)
        offload(work) { promise.fulfil($0) }
        guard let result = await promise.value(until: .distantFuture) else { preconditionFailure("EventLoop: offload without a result") }
        return result
    }

    /// Runs a body as a task on a loop of its own while the calling thread waits: the body of `main`.
    ///
    /// A top-level `await` would hand the main thread to Dispatch, which waits with all signals unblocked; so a program that reads signals
    /// from a descriptor must not use it.
    ///
    /// - Throws: ``SystemFailure`` when the loop cannot be made, and what the body throws.
    public static func runMain<Result: Sendable>(
        name: String, _ body: @escaping @Sendable (EventLoop) async throws -> Result
    ) throws -> Result {
        let loop = try EventLoop(name: name)
        let outcome = Outcome<Result>()
        loop.start()
        Task(executorPreference: loop) {
            do {
                let result = try await body(loop)
                outcome.value.withLock { $0 = .success(result) }
            } catch {
                outcome.value.withLock { $0 = .failure(error) }
            }
            loop.stop()
        }
        loop.join()
        guard let result = outcome.value.withLock({ $0 }) else { preconditionFailure("EventLoop: ended before its main task") }
        return try result.get()
    }
}

/// What a main task came to.
private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
}
