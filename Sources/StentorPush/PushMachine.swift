import StentorBase

/// Decides when to push: only the newest body, bounded retries, exponential back-off with jitter, and an end in bounded time.
///
///     idle ── offered ──▶ due ── next ──▶ (send) ── succeeded ──▶ idle
///                          ▲                 └── failed ──▶ backing off ── time ──▶ due, or idle when the body had its attempts
///     any ── finishing ──▶ the last request, then end
///
/// The back-off grows over all failures in a row, also of different bodies, so a dead gateway is asked ever more rarely.
struct PushMachine {
    enum Action: Equatable {
        /// Nothing to do before the next event.
        case idle
        /// Nothing to do before this instant.
        case wait(until: Instant)
        /// Send the newest body, or the last request; it must end before the deadline.
        case send(isLast: Bool, deadline: Instant)
        /// The last request is done, or its time is over.
        case end
    }

    /// How often one body is tried.
    static let attemptsPerBody = 4
    static let firstDelay = Duration.milliseconds(500)
    static let longestDelay = Duration.seconds(30)

    private let requestTimeout: Duration
    private var random: SeededRandom
    private var attemptsLeft = 0
    private var failuresInARow = 0
    private var notBefore = Instant.distantPast
    /// The wait that the newest failure set; nil after a success and at the end.
    ///
    /// It holds for the next body too.
    private(set) var backOff: Duration?
    private var finishBy: Instant?
    private var isDone = false

    init(requestTimeout: Duration, seed: UInt64) {
        self.requestTimeout = requestTimeout
        random = SeededRandom(seed: seed)
    }

    /// A newer body is there.
    ///
    /// Back-off in progress goes on.
    mutating func offered() {
        attemptsLeft = Self.attemptsPerBody
    }

    /// The run ends: what is open is dropped, the last request is due at once.
    mutating func finishing(at now: Instant, by deadline: Instant) {
        guard finishBy == nil else { return }
        finishBy = deadline
        failuresInARow = 0
        notBefore = now
        backOff = nil
    }

    mutating func next(at now: Instant) -> Action {
        if let finishBy {
            guard !isDone, now < finishBy, notBefore < finishBy else { return .end }
            return notBefore > now ? .wait(until: notBefore) : .send(isLast: true, deadline: min(finishBy, now + requestTimeout))
        }
        guard attemptsLeft > 0 else { return .idle }
        return notBefore > now ? .wait(until: notBefore) : .send(isLast: false, deadline: now + requestTimeout)
    }

    mutating func succeeded(isLast: Bool) {
        attemptsLeft = 0
        failuresInARow = 0
        backOff = nil
        if isLast { isDone = true }
    }

    /// A request failed.
    ///
    /// - Parameter mayRetry: False when the same request would fail again, as after most 4xx.
    mutating func failed(isLast: Bool, mayRetry: Bool, at now: Instant) {
        attemptsLeft = mayRetry ? max(0, attemptsLeft - 1) : 0
        if isLast, !mayRetry { isDone = true }
        let doubled = Self.firstDelay * (1 << min(failuresInARow, 10))
        failuresInARow += 1
        let delay = min(doubled, Self.longestDelay).wholeNanoseconds
        let wait = delay / 2 + Int64(Double(delay / 2) * random.unit())
        notBefore = now.advanced(byNanoseconds: wait)
        backOff = isDone ? nil : .nanoseconds(wait)
    }
}
