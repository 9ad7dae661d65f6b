import StentorBase
import StentorLoop

/// Takes the connections of scrapers and hands out pages. Scrape loop only.
final class ScrapeDesk {
    /// The most connections at once; a new one takes the place of the one that has been quiet for longest.
    static let connectionLimit = 64

    private let loop: EventLoop
    private let board: ScrapeBoard
    private let labels: [(name: String, value: String)]
    private var listener: Listener?
    private var newest: ScrapePage?
    private var connections: [ObjectIdentifier: ScrapeConnection] = [:]
    private var hasBeenScraped = false
    private var lastWasTaken = false
    private var finished: LoopPromise<Void>?
    private var isGivenUp = false

    init(_ loop: EventLoop, _ board: ScrapeBoard, labels: [(name: String, value: String)]) {
        (self.loop, self.board, self.labels) = (loop, board, labels)
    }

    /// Begins to listen.
    ///
    /// - Returns: The port.
    func listen(host: String, port: UInt16) throws(SystemFailure) -> UInt16 {
        let listener = try Listener(loop: loop, host: host, port: port) { [unowned self] in accept($0) }
        self.listener = listener
        return listener.port
    }

    /// The newest numbers; nil before the first.
    func page() -> ScrapePage? {
        guard let notice = board.notice else { return nil }
        if let newest, newest.number == notice.number { return newest }
        let page = ScrapePage(notice, labels: labels)
        newest = page
        return page
    }

    /// Waits until all who scrape have the last numbers, which must be on the board.
    ///
    /// - Returns: Whether they have, or nobody ever scraped; false at the deadline and after ``giveUp()``.
    func finish(by deadline: Instant) async -> Bool {
        let finished = LoopPromise<Void>(loop)
        self.finished = finished
        checkEnd()
        _ = await finished.value(until: deadline)
        self.finished = nil
        return isServed
    }

    /// Ends the wait of ``finish(by:)``, or the next one before it begins.
    func giveUp() {
        isGivenUp = true
        finished?.fulfil(())
    }

    /// Closes everything.
    func close() {
        listener?.close()
        listener = nil
        for connection in Array(connections.values) { connection.cut() }
    }

    /// A connection's answer is with the kernel.
    func answered(_ connection: ScrapeConnection) {
        hasBeenScraped = hasBeenScraped || connection.hasScraped
        lastWasTaken = lastWasTaken || connection.hasLast
        checkEnd()
    }

    /// Forgets a connection that has ended.
    func ended(_ connection: ScrapeConnection) {
        connections[ObjectIdentifier(connection)] = nil
        checkEnd()
    }

    private var isServed: Bool {
        guard hasBeenScraped else { return true }
        return lastWasTaken && connections.values.allSatisfy { !$0.hasScraped || $0.hasLast }
    }

    private func checkEnd() {
        if isGivenUp || isServed { finished?.fulfil(()) }
    }

    private func accept(_ stream: ByteStream) {
        if connections.count >= Self.connectionLimit {
            guard let quietest = connections.values.filter(\.isReading).min(by: { $0.quietSince < $1.quietSince }) else {
                return stream.close()
            }
            quietest.cut()
        }
        let connection = ScrapeConnection(self, stream)
        connections[ObjectIdentifier(connection)] = connection
        connection.begin()
    }
}
