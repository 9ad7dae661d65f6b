import StentorBase
import StentorMetrics

/// The history as other programs read it: JSON and CSV.
public enum HistoryDocument {
    /// `history list --json`.
    public static func list(_ runs: [RecordedRun], database: String) -> String {
        text(.object(["database": .text(database), "runs": .list(runs.map { .object(members($0)) })]))
    }

    /// `history export --json` and `history show --json`: runs with their gates and all their numbers.
    ///
    /// - Throws: A failure of cause `.file` when they cannot be read.
    public static func export(_ runs: [RecordedRun], in history: RunHistory) throws(UserFailure) -> String {
        var all: [JSONTree] = []
        for run in runs { all.append(try whole(run, history)) }
        return text(.object(["database": .text(history.path), "runs": .list(all)]))
    }

    /// `history export`: a line for each number of each run.
    ///
    /// - Throws: A failure of cause `.file` when they cannot be read.
    public static func table(_ runs: [RecordedRun], in history: RunHistory) throws(UserFailure) -> String {
        var lines = [
            "run_id,shard,hostname,started_at,profile,profile_digest,verdict,labels,server_version,directory,number,phase,value,samples"
        ]
        for run in runs {
            let head = [
                run.runID, run.shard, run.hostname, UTCTime.text(run.startedAtSeconds), run.profile, run.profileDigest ?? "",
                run.verdict.rawValue, run.labelText, run.serverVersion ?? "", run.directory,
            ].map(CSVCell.text)
            for number in try history.numbers(of: run) {
                let cells = [
                    CSVCell.text(number.name), CSVCell.text(number.phase ?? ""), "\(number.value)", number.samples.map(String.init) ?? "",
                ]
                lines.append((head + cells).joined(separator: ","))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `history trend --json`.
    public static func trend(_ trend: HistoryTrend) -> String {
        text(
            .object([
                "profile": .text(trend.profile), "number": .text(trend.number.name), "phase": .filledText(trend.number.phase?.name),
                "unit": .text(unit(trend.number.unit)), "points": .list(trend.points.map(point)),
                "left_out": .object(trend.leftOut.map { .init(key: $0.verdict.rawValue, value: .integer($0.count)) }),
                "changes": trend.changes.map { .list($0.map { change($0, trend) }) } ?? .null,
                "significance": .number(ChangePoints.significance), "values_needed": .integer(ChangePoints.valuesNeeded),
            ]))
    }

    /// `history forget --json`.
    public static func forgotten(_ runs: [RecordedRun], database: String) -> String {
        text(.object(["database": .text(database), "forgotten": .list(runs.map { .object(members($0)) })]))
    }

    private static func text(_ tree: JSONTree) -> String { String(decoding: tree.prettyBytes, as: UTF8.self) }

    private static func unit(_ unit: Unit) -> String {
        switch unit {
        case .seconds: "seconds"
        case .bytes: "bytes"
        case .bytesPerSecond: "bytes_per_second"
        case .count: "count"
        case .share: "ratio"
        }
    }

    private static func members(_ run: RecordedRun) -> [JSONTree.Member] {
        let all: KeyValuePairs<String, JSONTree> = [
            "run_id": .text(run.runID), "shard": .filledText(run.shard), "profile": .text(run.profile),
            "profile_digest": .filledText(run.profileDigest), "hostname": .text(run.hostname),
            "started_at": .text(UTCTime.text(run.startedAtSeconds)),
            "ended_at": run.endedAtSeconds.map { .text(UTCTime.text($0)) } ?? .null, "elapsed_seconds": .number(run.elapsedSeconds),
            "verdict": .text(run.verdict.rawValue), "exit_code": .integer(run.exitCode), "devices": .integer(run.devices),
            "version": .text(run.version), "dialect": .text(run.dialect), "target_host": .text(run.targetHost),
            "server_version": .filledText(run.serverVersion),
            "labels": .object(run.labels.map { .init(key: $0.name, value: .text($0.value)) }), "directory": .text(run.directory),
            "directory_exists": .bool(!run.isVanished),
        ]
        return all.map { JSONTree.Member(key: $0.key, value: $0.value) }
    }

    private static func whole(_ run: RecordedRun, _ history: RunHistory) throws(UserFailure) -> JSONTree {
        let gates = try history.gates(of: run).map { gate in
            JSONTree.object([
                "expression": .text(gate.expression), "verdict": .text(gate.verdict), "value": .number(gate.value),
                "reason": .filledText(gate.reason),
            ])
        }
        let numbers = try history.numbers(of: run).map { number in
            JSONTree.object([
                "number": .text(number.name), "phase": .filledText(number.phase), "value": .number(number.value),
                "samples": .integer(number.samples),
            ])
        }
        return .object(members(run) + [.init(key: "gates", value: .list(gates)), .init(key: "numbers", value: .list(numbers))])
    }

    private static func point(_ point: HistoryTrend.Point) -> JSONTree {
        .object(
            members(point.run) + [.init(key: "value", value: .number(point.value)), .init(key: "samples", value: .integer(point.samples))])
    }

    private static func change(_ change: HistoryTrend.Change, _ trend: HistoryTrend) -> JSONTree {
        .object([
            "run_id": .text(trend.points[change.index].run.runID), "index": .integer(change.index), "before": .number(change.before),
            "after": .number(change.after), "runs": .integer(change.runs), "probability": .number(change.probability),
            "also_changed": .list(change.alsoChanged.map { .text($0) }), "also_changed_offset": .integer(change.alsoChangedOffset),
        ])
    }
}
