import StentorBase
import StentorMetrics
import StentorProfile
import StentorPush
import StentorReport

/// The pushes of a run: a client on a thread of its own, fed once per interval.
final class RunPush: Sendable {
    private let client: PushClient
    private let every: Duration
    private let onFinish: Profile.OnFinish
    let isRequired: Bool
    /// Labels that series carry themselves; those of the grouping key are set by the Pushgateway.
    private let labels: [(name: String, value: String)]

    /// How long the last push may take, retries included.
    private static let finishLimit = Duration.seconds(10)

    /// Checks where and how to push; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - profile: The profile's name; with the job it is the grouping key of every run.
    ///   - shard: The run's shard, part of the grouping key; empty: none.
    /// - Throws: ``UserFailure`` when address, labels or credentials cannot be used.
    init(_ push: Profile.Push, profile: String, shard: String = "", labels: SeriesLabels) throws(UserFailure) {
        let grouped = push.group.compactMap { name in labels.all.first { $0.name == name } }
        self.labels = labels.all.filter { !push.group.contains($0.name) }
        let run = [GroupingLabel("profile", profile)] + (shard.isEmpty ? [] : [GroupingLabel("shard", shard)])
        let target = try PushTarget(
            url: push.url, job: push.job, labels: run + grouped.map { GroupingLabel($0.name, $0.value) },
            credentials: try Self.credentials(push.credentials), caFile: push.caFile, requestTimeout: push.timeout,
            usesEnvironmentProxy: push.proxy == .environment, onFinish: push.onFinish == .keep ? .keep : .delete)
        client = try PushClient(target, seed: SplitMix64.hash(profile))
        every = push.every
        isRequired = push.isRequired
        onFinish = push.onFinish
    }

    private static func credentials(_ given: Profile.PushCredentials) throws(UserFailure) -> PushTarget.Credentials {
        switch given {
        case .none: .none
        case .basic(let username, let password): .basic(user: username.reveal(), password: password)
        case .bearer(let token): .bearer(token)
        case .bearerFile(let path): .bearer(try TokenFiles.single(path))
        }
    }

    func start() throws(UserFailure) { try client.start() }

    /// Offers a snapshot when its turn has come; never blocks.
    func offer(_ snapshot: RunSnapshot, second: Int) {
        guard second % max(1, Int(every.inSeconds.rounded())) == 0 || second == 1 else { return }
        client.offer(PrometheusText.render(snapshot, labels: labels))
    }

    /// The last push; blocks for at most ten seconds.
    func finish(_ snapshot: RunSnapshot) -> (record: PushRecord, succeeded: Bool) {
        let summary = client.finish(body: PrometheusText.render(snapshot, labels: labels), within: Self.finishLimit)
        var record = Self.record(summary)
        record.end = summary.finishSucceeded ? (onFinish == .keep ? .kept : .deleted) : .failed
        return (record, summary.finishSucceeded)
    }

    var record: PushRecord { Self.record(client.summary) }

    private static func record(_ summary: PushSummary) -> PushRecord {
        PushRecord(
            attempts: summary.attempts, failed: summary.failed, failedInARow: summary.failedInARow,
            backOffSeconds: summary.backOff?.inSeconds, lastStatus: summary.lastStatus, lastError: summary.lastError)
    }
}
