import StentorFleet
import StentorMetrics
import Testing

/// What a run left: its outcome, the records that it noted, and what the gateway says about it.
public struct RunResult: Sendable {
    /// What the fleet left.
    public let outcome: FleetOutcome
    /// The gateway's totals, one line of JSON; empty: it was asked by nobody.
    public let gateway: String
    /// What it noted about single devices and items.
    public let records: Records

    /// Makes a result.
    public init(outcome: FleetOutcome, gateway: String, records: Records = Records()) {
        (self.outcome, self.gateway, self.records) = (outcome, gateway, records)
    }

    /// A count of the whole run.
    public func count(_ counter: Counter) -> Int64 { outcome.snapshot.count(counter) }
    /// Counts by label.
    public func labels(_ family: LabelFamily) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: outcome.snapshot.labels(family).map { ($0.label, $0.count) })
    }
    /// How many devices ended in a state.
    public func devices(_ state: DeviceState) -> Int64 { outcome.snapshot.devices(in: state) }
    /// How many samples a metric has over all phases.
    public func samples(_ metric: Metric) -> Int {
        Phase.allCases.reduce(0) { $0 + Int(outcome.snapshot.distribution(metric, in: $1)?.count ?? 0) }
    }

    /// What holds of every run, however it went.
    public func expectSound(_ devices: Int64, warnings: [String] = [], location: SourceLocation = #_sourceLocation) {
        let ends: [Counter] = [.messagesAnswered, .messagesLate, .messagesLost, .messagesInDoubt]
        #expect(count(.messagesSent) == ends.reduce(0) { $0 + count($1) }, sourceLocation: location)
        let uploads: [Counter] = [.uploadsConfirmed, .uploadsLate, .uploadsCorrupt, .uploadsLost, .uploadsInDoubt]
        #expect(count(.uploadsSent) == uploads.reduce(0) { $0 + count($1) }, sourceLocation: location)
        let prompts: [Counter] = [.promptsAnswered, .promptsSubstituted, .promptsExpired, .promptsSuperseded, .promptsOpen]
        #expect(count(.promptsReceived) == prompts.reduce(0) { $0 + count($1) }, sourceLocation: location)
        let downloads: [Counter] = [.downloadsComplete, .downloadsCorrupt, .downloadsIncomplete, .downloadsByURL, .downloadsOpen]
        #expect(count(.downloadsStarted) == downloads.reduce(0) { $0 + count($1) }, sourceLocation: location)
        #expect(self.devices(.left) + self.devices(.failed) == devices, sourceLocation: location)
        #expect(count(.disconnects) == labels(.losses).values.reduce(0, +), sourceLocation: location)
        #expect(count(.ready) == count(.disconnects), sourceLocation: location)
        #expect(outcome.warnings == warnings, sourceLocation: location)
        #expect(samples(.connect) == Int(count(.connects)), sourceLocation: location)
        // Whole and part are read from the same clock; a dial that takes no time is none.
        let shortest = Phase.allCases.compactMap { outcome.snapshot.distribution(.connect, in: $0)?.min }
        #expect(shortest.allSatisfy { $0 > 0 }, sourceLocation: location)
    }
}
