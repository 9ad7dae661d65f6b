import Glibc
import StentorMetrics

/// A run as the history knows it, without its numbers.
public struct RecordedRun: Sendable, Equatable {
    /// Its key in the database.
    let key: Int64
    /// The run's id. Two runs of one profile that began in the same second, in different folders, share it.
    public let runID: String
    /// The profile's name.
    public let profile: String
    /// The digest of the resolved profile; nil when unknown.
    public let profileDigest: String?
    /// The shard as `i/n`; empty when the run has only one.
    public let shard: String
    /// The machine that made the load.
    public let hostname: String
    /// The start on the wall clock, in seconds since 1970, to the millisecond.
    public let startedAtSeconds: Double
    /// The end on the wall clock; nil when the run was killed.
    public let endedAtSeconds: Double?
    /// How long it took; nil when unknown.
    public let elapsedSeconds: Double?
    /// How it ended.
    public let verdict: Verdict
    /// What the process ended with; nil when it was killed.
    public let exitCode: Int?
    /// How many devices there were; nil when unknown.
    public let devices: Int?
    /// The version of Stentor.
    public let version: String
    /// The dialect's name.
    public let dialect: String
    /// The target's host.
    public let targetHost: String
    /// The version that the target named, untrusted; nil when it named none.
    public let serverVersion: String?
    /// The user's labels, by name.
    public let labels: [RunRecord.Label]
    /// The absolute path of the run directory, as it was when the run was recorded last.
    public let directory: String
    /// Whether the run directory is no longer there.
    public let isVanished: Bool

    /// Whether its numbers say something about the target: it passed or failed.
    public var isJudged: Bool { verdict == .pass || verdict == .fail }

    /// The labels as `name=value`, separated by blanks; empty without.
    var labelText: String { labels.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
}

/// A number of a recorded run.
struct RecordedNumber: Sendable, Equatable {
    /// The name as gates write it, such as `reply.p99` or `messages.lost`.
    let name: String
    /// The phase of a statistic; nil: over the whole run.
    let phase: String?
    /// In seconds, bytes, bytes per second, things or as a fraction.
    let value: Double
    /// The samples behind it; nil for counts.
    let samples: Int?
}

/// A gate of a recorded run.
struct RecordedGate: Sendable, Equatable {
    let expression: String
    let verdict: String
    let value: Double?
    let reason: String?
}

extension RecordedRun {
    /// The columns in the order of ``RunHistory``'s query.
    init?(_ row: [Database.Value], labels: [RunRecord.Label]) {
        guard row.count == 17, let key = row[0].int, let runID = row[1].text, let started = row[4].double,
            let verdict = Verdict(rawValue: row[9].text ?? ""), let directory = row[16].text
        else { return nil }
        (self.key, self.runID, startedAtSeconds, self.verdict) = (Int64(key), runID, started / 1000, verdict)
        (shard, hostname, profile) = (row[2].text ?? "", row[3].text ?? "", row[5].text ?? "")
        (profileDigest, endedAtSeconds, elapsedSeconds) = (row[6].text, row[7].double.map { $0 / 1000 }, row[8].double)
        (exitCode, devices, version) = (row[10].int, row[11].int, row[12].text ?? "")
        (dialect, targetHost, serverVersion) = (row[13].text ?? "", row[14].text ?? "", row[15].text)
        (self.labels, self.directory) = (labels, directory)
        isVanished = access("\(directory)/\(RunDirectory.File.run.rawValue)", F_OK) != 0
    }
}
