import StentorBase
import StentorLoop
import StentorWire

/// A scraper's connection: does what its machine says. Scrape loop only.
final class ScrapeConnection: StreamHandler {
    /// When it was accepted, or answered last.
    private(set) var quietSince: Instant
    /// Whether it was ever sent numbers.
    private(set) var hasScraped = false
    /// Whether it was sent the numbers of the run's end.
    private(set) var hasLast = false

    private unowned let desk: ScrapeDesk
    private let stream: ByteStream
    private var machine: ScrapeMachine
    private var timer: LoopTimer?
    private var isSendingLast = false
    private var isSendingNumbers = false

    private static let answerMark: UInt64 = 1

    init(_ desk: ScrapeDesk, _ stream: ByteStream) {
        self.desk = desk
        self.stream = stream
        quietSince = stream.loop.now
        machine = ScrapeMachine(at: stream.loop.now)
    }

    /// Whether nothing is lost by cutting it.
    var isReading: Bool { machine.isReading }

    func begin() {
        do throws(SystemFailure) {
            try stream.attach(self)
            setTimer()
        } catch {
            cut()
        }
    }

    /// Ends it at once.
    func cut() {
        stream.close()
        over()
    }

    // MARK: StreamHandler

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        perform(machine.received(UnsafeRawBufferPointer(bytes), at: stream.loop.now))
    }

    func streamWrote(_ mark: UInt64) {
        quietSince = stream.loop.now
        if isSendingNumbers { hasScraped = true }
        if isSendingLast { hasLast = true }
        (isSendingNumbers, isSendingLast) = (false, false)
        if !machine.answered(at: stream.loop.now) { stream.finish() }
        setTimer()
        desk.answered(self)
    }

    func streamEnded(_ end: StreamEnd) {
        over()
    }

    private func perform(_ action: ScrapeMachine.Action) {
        switch action {
        case .wait: break
        case .cut: return cut()
        case .send(let answer):
            stream.write(response(answer).bytes(omitsBody: answer.omitsBody))
            stream.mark(Self.answerMark)
        }
        setTimer()
    }

    private func response(_ answer: ScrapeMachine.Answer) -> HTTPResponse {
        switch answer.content {
        case .numbers(let coding):
            guard let page = desk.page() else {
                let fields = HTTPFields([("Connection", answer.closes ? "close" : "keep-alive"), ("Retry-After", "1")])
                return HTTPResponse(status: 503, fields: fields, text: "the run has no numbers yet\n")
            }
            isSendingNumbers = !answer.omitsBody
            isSendingLast = isSendingNumbers && page.isLast
            return page.response(coding, closes: answer.closes)
        case .refusal(let status, let reason):
            var response = HTTPResponse.refusal(status: status, reason: reason)
            if status == 405 { response.fields.append("Allow", ScrapeMachine.methods.joined(separator: ", ")) }
            return response
        }
    }

    private func setTimer() {
        guard stream.isOpen else { return }
        let timer = timer ?? LoopTimer { [unowned self] in perform(machine.timeCame(at: stream.loop.now)) }
        self.timer = timer
        stream.loop.schedule(timer, at: machine.deadline)
    }

    private func over() {
        if let timer { stream.loop.cancel(timer) }
        timer = nil
        desk.ended(self)
    }
}
