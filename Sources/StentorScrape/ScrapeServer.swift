import StentorBase
import StentorLoop
import StentorMetrics

/// Serves the numbers of a run to scrapers, at `/metrics` over HTTP/1.1, on an event loop and a thread of its own.
///
/// The run only puts its snapshots down (``show(_:)``). A set is written when it is first asked for, and packed when it is first asked for
/// in gzip; scrapers that ask within the same second share it. Heads of requests have at most 16 KiB and 10 s, at most 64 connections are
/// held, and an answer that nobody reads is cut after 30 s.
///
/// Life: ``start(host:port:labels:)`` → ``show(_:)`` … → ``showLast(_:)`` → ``awaitLastScrape(within:)`` → ``stop()``.
public final class ScrapeServer: Sendable {
    /// Where the numbers are, for instance `http://127.0.0.1:9464/metrics`.
    public let url: String
    private let loop: EventLoop
    private let board: ScrapeBoard
    private let desk: LoopBox<ScrapeDesk>

    /// Begins to listen; scrapes are answered with 503 until the first snapshot is shown.
    ///
    /// - Parameters:
    ///   - host: An IP literal, or `localhost` for 127.0.0.1.
    ///   - port: 0 for any free port.
    ///   - labels: Labels that every series carries besides its own; see ``PrometheusText/render(_:labels:)``.
    /// - Throws: A ``UserFailure`` `.machine` placed at `--metrics-listen` when the address cannot be had.
    public static func start(
        host: String, port: UInt16, labels: [(name: String, value: String)] = []
    ) async throws(UserFailure) -> ScrapeServer {
        let board = ScrapeBoard()
        let authority = host.contains(":") ? "[\(host)]" : host
        do throws(SystemFailure) {
            let loop = try EventLoop(name: "scrape")
            loop.start()
            let started = await Task(executorPreference: loop) { () -> Result<(LoopBox<ScrapeDesk>, UInt16), SystemFailure> in
                let desk = ScrapeDesk(loop, board, labels: labels)
                do throws(SystemFailure) {
                    let port = try desk.listen(host: host, port: port)
                    return .success((LoopBox(desk), port))
                } catch {
                    return .failure(error)
                }
            }.value
            switch started {
            case .success(let (desk, port)):
                return ScrapeServer(loop, board, desk, url: "http://\(authority):\(port)\(ScrapeMachine.path)")
            case .failure(let failure):
                loop.stop()
                loop.join()
                throw failure
            }
        } catch {
            throw UserFailure(
                .machine, "cannot listen on \(authority):\(port): \(SystemFailure.text(of: error.code))", place: "--metrics-listen",
                hint: "port 0 takes a free one; the address must be one of this machine")
        }
    }

    private init(_ loop: EventLoop, _ board: ScrapeBoard, _ desk: LoopBox<ScrapeDesk>, url: String) {
        (self.loop, self.board, self.desk, self.url) = (loop, board, desk, url)
    }

    /// Shows a snapshot to all who scrape from now on; any thread, never waits.
    public func show(_ snapshot: RunSnapshot) {
        board.put(snapshot)
    }

    /// Shows the last snapshot, which no other may follow; any thread.
    public func showLast(_ snapshot: RunSnapshot) {
        board.put(snapshot, isLast: true)
    }

    /// Waits until all who scrape have the last snapshot: each connection that fetched numbers before, and at least one.
    ///
    /// - Returns: Whether they have; true at once when nobody ever scraped; false when the time was over, or after ``giveUp()``.
    public func awaitLastScrape(within limit: Duration) async -> Bool {
        let desk = desk
        return await Task(executorPreference: loop) { await desk.value.finish(by: .now() + limit) }.value
    }

    /// Ends the wait for the last scrape; any thread.
    public func giveUp() {
        let desk = desk
        loop.post { desk.value.giveUp() }
    }

    /// Closes all connections and ends the thread; blocks until it has ended.
    public func stop() {
        let desk = desk
        let loop = loop
        loop.post {
            desk.value.close()
            loop.stop()
        }
        loop.join()
    }
}
