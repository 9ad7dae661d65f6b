import StentorBase
import StentorMetrics
import StentorProfile
import StentorPush
import StentorReport

/// The pushes of a run: a client on a thread of its own, fed once per interval.
final class RunPush: Sendable {
    private let client: PushClient
    private let every: Duration
    let isRequired: Bool
    /// Labels that series carry themselves; those of the grouping key are set by the Pushgateway.
    private let labels: [(name: String, value: String)]

    /// How long the last push may take, retries included.
    private static let finishLimit = Duration.seconds(10)

    /// Checks where and how to push; nothing is sent yet.
    ///
    /// - Throws: ``UserFailure`` when address, labels or credentials cannot be used.
    init(_ push: Profile.Push, profile: String, labels: [Assignment]) throws(UserFailure) {
        let known = try Self.labels(push.labels.map { ($0.name, $0.value) } + labels.map { ($0.name, $0.value) })
        let grouped = push.group.compactMap { name in known.first { $0.name == name } }
        self.labels = known.filter { !push.group.contains($0.name) }
        let group = [GroupingLabel("profile", profile)] + grouped.map { GroupingLabel($0.name, $0.value) }
        let credentials: PushTarget.Credentials =
            switch push.credentials {
            case .none: .none
            case .basic(let username, let password): .basic(user: username.reveal(), password: password)
            case .bearer(let token): .bearer(token)
            }
        let target = try PushTarget(
            url: push.url, job: push.job, labels: group, credentials: credentials, caFile: push.caFile,
            onFinish: push.onFinish == .keep ? .keep : .delete)
        client = try PushClient(target, seed: SplitMix64.hash(profile))
        every = push.every
        isRequired = push.isRequired
    }

    /// The labels with the last value of each name, none of them a name that the numbers have themselves.
    private static func labels(_ given: [(name: String, value: String)]) throws(UserFailure) -> [(name: String, value: String)] {
        var labels: [(name: String, value: String)] = []
        for label in given {
            guard !PrometheusText.reservedLabels.contains(label.name) else {
                throw UserFailure(
                    .profile, "the label '\(label.name)' is one that the numbers have themselves", place: "push.labels",
                    hint: "choose another name")
            }
            labels.removeAll { $0.name == label.name }
            labels.append(label)
        }
        return labels
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
        return (Self.record(summary), summary.finishSucceeded)
    }

    var record: PushRecord { Self.record(client.summary) }

    private static func record(_ summary: PushSummary) -> PushRecord {
        PushRecord(attempts: summary.attempts, failed: summary.failed, lastError: summary.lastError)
    }
}
