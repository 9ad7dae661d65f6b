import StentorMetrics

/// What of a run goes into the history: read from its summary, so that a run recorded at its end and one recorded again from its
/// directory are the same.
struct HistoryEntry: Equatable {
    /// The values of the columns of `runs`, in the order of ``RunHistory``'s statement, without the time of recording.
    let columns: [Database.Value]
    let labels: [RunRecord.Label]
    let numbers: [RecordedNumber]
    let gates: [RecordedGate]

    /// Reads a summary.
    ///
    /// - Parameter directory: The absolute path of the run directory.
    /// - Returns: Nil when it does not say which run it is.
    init?(summary: JSONTree, directory: String) {
        guard let run = summary["run"], let runID = run["run_id"]?.string, let profile = run["profile"]?.string,
            let started = run["started_at"]?.string.flatMap(UTCTime.milliseconds),
            let verdict = (summary["verdict"]?.string).flatMap(Verdict.init)
        else { return nil }
        let ended = run["ended_at"]?.string.flatMap(UTCTime.milliseconds)
        let devices = summary["devices"]?.members?.compactMap(\.value.int).reduce(0, +)
        columns = [
            .text(runID), .text(run["shard"]?.string ?? ""), .text(run["host"]?["hostname"]?.string ?? ""), .integer(started),
            .text(profile), .text(run["profile_digest"]?.string), .integer(ended), .real(summary["elapsed_seconds"]?.double),
            .text(verdict.rawValue), .integer(summary["exit_code"]?.int), .integer(devices), .text(run["version"]?.string ?? ""),
            .text(run["dialect"]?.string ?? ""), .text(run["target_host"]?.string ?? ""), .text(run["server_version"]?.string),
            .text(directory),
        ]
        labels = (run["labels"]?.members ?? []).compactMap { member in
            member.value.string.map { RunRecord.Label(name: member.key, value: $0) }
        }
        numbers = Self.counts(summary) + Self.shares(summary) + Self.distributions(summary)
        gates = (summary["gates"]?.elements ?? []).map { gate in
            RecordedGate(
                expression: gate["expression"]?.string ?? "", verdict: gate["verdict"]?.string ?? "", value: gate["value"]?.double,
                reason: gate["reason"]?.string)
        }
    }

    /// What was not measured is `null` there, and has no row here.
    private static func counts(_ summary: JSONTree) -> [RecordedNumber] {
        (summary["counts"]?.members ?? []).compactMap { member in
            member.value.measured.map { RecordedNumber(name: member.key, phase: nil, value: $0, samples: nil) }
        }
    }

    private static func shares(_ summary: JSONTree) -> [RecordedNumber] {
        guard let counts = summary["counts"] else { return [] }
        let count = { (counter: Counter) in Int64(counts[counter.name]?.int ?? 0) }
        let failures = (summary["by_label"]?[LabelFamily.dialFailures.name]?.members ?? []).map { ($0.key, Int64($0.value.int ?? 0)) }
        return Share.allCases.compactMap { share in
            let population = share.population(count, dialFailures: failures)
            guard population > 0 else { return nil }
            return RecordedNumber(
                name: share.name, phase: nil, value: Double(share.part(count)) / Double(population), samples: Int(population))
        }
    }

    private static func distributions(_ summary: JSONTree) -> [RecordedNumber] {
        (summary["distributions"]?.members ?? []).flatMap { metric in
            (metric.value.members ?? []).flatMap { phase in
                (phase.value.members ?? []).compactMap { statistic in
                    statistic.value.measured.map {
                        RecordedNumber(
                            name: "\(metric.key).\(statistic.key)", phase: phase.key, value: $0, samples: phase.value["count"]?.int)
                    }
                }
            }
        }
    }
}

extension JSONTree {
    /// The number; nil for any other value, and for what a file has as `null`: NaN and the infinities.
    fileprivate var measured: Double? { double.flatMap { $0.isFinite ? $0 : nil } }
}
