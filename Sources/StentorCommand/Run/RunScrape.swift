import StentorBase
import StentorMetrics
import StentorScrape

/// The numbers of a run for scrapers: a server beside the run, which shows each snapshot.
final class RunScrape: Sendable {
    private let server: ScrapeServer
    private let linger: Duration

    /// Begins to listen where the arguments say so; nil when they do not.
    ///
    /// - Parameters:
    ///   - profile: The profile's name, a label of every series as it is in the grouping key of pushes.
    ///   - shard: The run's shard; empty: no label.
    /// - Throws: ``UserFailure`` when the address cannot be had.
    static func start(
        _ arguments: RunArguments, profile: String, shard: String = "", labels: SeriesLabels
    ) async throws(UserFailure) -> RunScrape? {
        guard let address = arguments.metricsAddress else {
            guard arguments.metricsLinger == nil else {
                throw UserFailure(.arguments, "needs --metrics-listen", place: "--metrics-linger")
            }
            return nil
        }
        let identity = [(name: "profile", value: profile)] + (shard.isEmpty ? [] : [(name: "shard", value: shard)])
        let server = try await ScrapeServer.start(host: address.host, port: address.port, labels: identity + labels.all)
        return RunScrape(server, linger: arguments.metricsLinger ?? RunArguments.defaultLinger)
    }

    private init(_ server: ScrapeServer, linger: Duration) {
        (self.server, self.linger) = (server, linger)
    }

    /// Where the numbers are.
    var url: String { server.url }

    /// Shows numbers, from now on.
    func show(_ snapshot: RunSnapshot) { server.show(snapshot) }

    /// Shows the end of the run.
    func showLast(_ snapshot: RunSnapshot) { server.showLast(snapshot) }

    /// Waits until all who scrape have the end of the run.
    ///
    /// - Returns: What the user should know when they have not; nil when they have, and when nobody ever scraped.
    func awaitLastScrape() async -> String? {
        guard await !server.awaitLastScrape(within: linger) else { return nil }
        return "the end of the run was not scraped: Prometheus has older numbers"
    }

    /// Ends the wait; any thread.
    func giveUp() { server.giveUp() }

    /// Closes all; blocks for a moment.
    func stop() { server.stop() }
}
