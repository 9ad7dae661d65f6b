import StentorBase
import StentorWire

/// One connection of a scraper, from request to request (RFC 9112 § 9).
///
///     reading ── request ──▶ answering ── answered ──▶ reading again, or ending
///        └── no request, or none in time ──▶ answering, then ending
///     any ── time over ──▶ cut
///
/// Each state has a deadline, so that neither a request that trickles in nor an answer that nobody reads holds a place for long.
struct ScrapeMachine: ~Copyable {
    /// What an answer says.
    enum Content: Equatable {
        /// The numbers of this moment.
        case numbers(ContentCoding)
        /// Nothing but why there are none.
        case refusal(status: Int, reason: String)
    }

    struct Answer: Equatable {
        var content: Content
        /// For HEAD: what would be sent is only declared.
        var omitsBody = false
        /// Whether the connection ends behind it.
        var closes: Bool
    }

    enum Action: Equatable {
        /// Nothing before more bytes or the deadline.
        case wait
        /// Send it, and tell ``answered(at:)`` once the kernel has it.
        case send(Answer)
        /// Close at once.
        case cut
    }

    /// How long each state may last.
    enum Patience {
        /// From the first byte of a request, or from the start of the connection, to the end of its head.
        static let request = Duration.seconds(10)
        /// From the end of an answer to the next request; longer than scrape intervals in use.
        static let idle = Duration.seconds(180)
        /// From a request to its answer in the hands of the kernel.
        static let answer = Duration.seconds(30)
        /// From the last answer to the peer's end.
        static let end = Duration.seconds(2)
    }

    /// The path that the numbers are at.
    static let path = "/metrics"
    static let methods = ["GET", "HEAD"]

    private enum State { case reading, answering, ending }

    private var state = State.reading
    private var reader = HTTPRequestReader()
    private var closes = false
    /// When ``timeCame(at:)`` is due.
    private(set) var deadline: Instant

    init(at now: Instant) {
        deadline = now + Patience.request
    }

    /// Whether it waits for a request, so that nothing is lost by cutting it.
    var isReading: Bool { state == .reading }

    mutating func received(_ bytes: UnsafeRawBufferPointer, at now: Instant) -> Action {
        guard state == .reading else {
            // A client that does not await the answer must be ready to ask again elsewhere (RFC 9112 § 9.3.2).
            closes = true
            return .wait
        }
        if !reader.hasBegun { deadline = now + Patience.request }
        switch reader.next(bytes) {
        case .needBytes:
            return .wait
        case .request(let head, let consumed):
            let mayGoOn = head.allowsKeepAlive && head.body == .bytes(0) && consumed == bytes.count
            return answer(Answer(content: Self.content(for: head), omitsBody: head.method == "HEAD", closes: !mayGoOn), at: now)
        case .reject(let status, let reason):
            return answer(Answer(content: .refusal(status: status, reason: reason), closes: true), at: now)
        }
    }

    /// The kernel has the answer.
    ///
    /// - Returns: Whether the connection goes on; else close its writing side.
    mutating func answered(at now: Instant) -> Bool {
        precondition(state == .answering, "ScrapeMachine: answered without an answer")
        guard !closes else {
            state = .ending
            deadline = now + Patience.end
            return false
        }
        state = .reading
        reader = HTTPRequestReader()
        deadline = now + Patience.idle
        return true
    }

    mutating func timeCame(at now: Instant) -> Action {
        guard now >= deadline else { return .wait }
        guard state == .reading, reader.hasBegun else { return .cut }
        return answer(Answer(content: .refusal(status: 408, reason: "the request took too long"), closes: true), at: now)
    }

    private mutating func answer(_ answer: Answer, at now: Instant) -> Action {
        var answer = answer
        if case .refusal = answer.content { answer.closes = true }
        state = .answering
        closes = answer.closes
        deadline = now + Patience.answer
        return .send(answer)
    }

    private static func content(for head: HTTPRequestHead) -> Content {
        guard head.path == path else { return .refusal(status: 404, reason: "the metrics are at \(path)") }
        guard methods.contains(head.method) else { return .refusal(status: 405, reason: "only GET and HEAD are answered") }
        return .numbers(ContentCoding.chosen(for: head.fields))
    }
}
