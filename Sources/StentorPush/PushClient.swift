import StentorBase
import Synchronization

/// Pushes the numbers of a run to a Pushgateway, on a thread of its own.
///
/// A slow, dead or refusing gateway costs the caller nothing: ``offer(_:)`` puts the body down and returns; only the newest body is
/// kept. Each push is a PUT of the whole set, so the gateway holds exactly what was pushed last. Failures are counted in ``summary``.
///
/// Use: ``start()``, ``offer(_:)`` as often as wanted, ``finish(body:within:)``. A client that is dropped without finishing ends its
/// thread without a last request.
public final class PushClient: Sendable {
    private let worker: PushWorker

    /// Prepares a client; nothing is sent before ``start()``.
    ///
    /// - Parameters:
    ///   - target: Where and how to push.
    ///   - seed: Of the back-off's jitter.
    /// - Throws: A failure of cause `.machine` when libcurl cannot be set up.
    public init(_ target: PushTarget, seed: UInt64 = 0) throws(UserFailure) {
        worker = PushWorker(target, try HTTPTransfer(target), seed: seed)
    }

    deinit {
        worker.order(PushWorker.Finish(body: nil, by: .distantPast, patience: .distantPast))
    }

    /// Starts the thread; a second call does nothing.
    ///
    /// - Throws: A failure of cause `.machine` when the system has no thread left.
    public func start() throws(UserFailure) {
        try worker.start()
    }

    /// Leaves a body to be pushed as soon as possible, in place of one that was not sent yet.
    ///
    /// Any thread; never blocks on the gateway.
    ///
    /// - Parameter body: Text in the exposition format.
    public func offer(_ body: [UInt8]) {
        worker.offer(body)
    }

    /// What became of the pushes so far.
    public var summary: PushSummary { worker.summary }

    /// Ends the pushes with a last request, and blocks until it is done, at most for the given time.
    ///
    /// The last request is a PUT of `body`, or a DELETE of the group where the target says so. A request under way may use half of the
    /// time. It is retried while time is left.
    ///
    /// - Parameters:
    ///   - body: The final numbers.
    ///   - time: The limit for all that is still to do.
    /// - Returns: What became of all pushes; ``PushSummary/finishSucceeded`` tells about the last request. Zeros when never started.
    @discardableResult
    public func finish(body: [UInt8], within time: Duration) -> PushSummary {
        worker.finish(body: body, within: time)
    }
}

/// The thread's side of a ``PushClient``; lives until both are done with it.
final class PushWorker: Sendable {
    struct Finish: Sendable {
        let body: [UInt8]?
        /// When all must be over.
        let by: Instant
        /// When a request that was under way before is cut.
        ///
        /// At once would let an older set arrive after the newer one.
        let patience: Instant
    }

    private struct Mailbox {
        var body: [UInt8]?
        var finish: Finish?
        var isStarted = false
        var summary = PushSummary()
    }

    private let target: PushTarget
    private let transfer: HTTPTransfer
    private let seed: UInt64
    private let mailbox = Mutex(Mailbox())
    private let ended = Latch()

    init(_ target: PushTarget, _ transfer: HTTPTransfer, seed: UInt64) {
        (self.target, self.transfer, self.seed) = (target, transfer, seed)
    }

    var summary: PushSummary { mailbox.withLock { $0.summary } }

    func start() throws(UserFailure) {
        let isFirst = mailbox.withLock { box in
            defer { box.isStarted = true }
            return !box.isStarted
        }
        guard isFirst, !PushThread.start({ self.work() }) else { return }
        mailbox.withLock { $0.isStarted = false }
        throw UserFailure(.machine, "no thread could be started for the push")
    }

    func offer(_ body: [UInt8]) {
        mailbox.withLock { $0.body = body }
        transfer.wake()
    }

    func order(_ finish: Finish) {
        mailbox.withLock { box in
            if box.finish == nil { box.finish = finish }
        }
        transfer.wake()
    }

    func finish(body: [UInt8], within time: Duration) -> PushSummary {
        let now = Instant.now()
        let deadline = now + time
        guard mailbox.withLock({ $0.isStarted }) else { return summary }
        order(Finish(body: body, by: deadline, patience: now + time / 2))
        // A little later than the thread's own deadline, so that its last word is in the summary.
        if !ended.wait(until: deadline + .milliseconds(100)) {
            mailbox.withLock { $0.summary.lastError = $0.summary.lastError ?? "the last push did not end in time" }
        }
        return summary
    }

    private func work() {
        var machine = PushMachine(requestTimeout: target.requestTimeout, seed: seed)
        var newest: [UInt8]?
        var finish: Finish?
        while true {
            let (body, order) = mailbox.withLock { box in
                defer { box.body = nil }
                return (box.body, box.finish)
            }
            let now = Instant.now()
            if let body, order == nil {
                newest = body
                machine.offered()
            }
            if let order, finish == nil {
                finish = order
                machine.finishing(at: now, by: order.by)
            }
            switch machine.next(at: now) {
            case .idle:
                newest = nil
                transfer.wait(until: nil)
            case .wait(let instant): transfer.wait(until: instant)
            case .send(let isLast, let deadline):
                send(isLast ? lastBody(finish) : newest, isLast: isLast, by: deadline, &machine)
            case .end:
                ended.open()
                return
            }
        }
    }

    private func lastBody(_ finish: Finish?) -> [UInt8]? {
        target.onFinish == .delete ? nil : finish?.body
    }

    private func send(_ body: [UInt8]?, isLast: Bool, by deadline: Instant, _ machine: inout PushMachine) {
        mailbox.withLock { $0.summary.attempts += 1 }
        let outcome = transfer.run(body: body) { isLast ? deadline : min(deadline, self.patience) }
        if outcome.failure == nil {
            machine.succeeded(isLast: isLast)
        } else {
            machine.failed(isLast: isLast, mayRetry: outcome.mayRetry, at: .now())
        }
        let backOff = machine.backOff
        mailbox.withLock { box in
            if let status = outcome.status { box.summary.lastStatus = status }
            box.summary.backOff = isLast ? nil : backOff
            if let failure = outcome.failure {
                box.summary.failed += 1
                box.summary.failedInARow += 1
                box.summary.lastError = failure
            } else {
                box.summary.succeeded += 1
                box.summary.failedInARow = 0
                if isLast { box.summary.finishSucceeded = true }
            }
        }
    }

    private var patience: Instant { mailbox.withLock { $0.finish?.patience ?? .distantFuture } }
}
