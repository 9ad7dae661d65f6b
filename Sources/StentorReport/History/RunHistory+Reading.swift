import StentorBase

extension RunHistory {
    /// The runs that a selection means, newest first.
    ///
    /// - Throws: A failure of cause `.file` when they cannot be read.
    public func runs(_ selection: HistorySelection = HistorySelection()) throws(UserFailure) -> [RecordedRun] {
        let (rows, labelRows) = try attempt { database throws(Database.Failure) in
            // Both from one moment: a run forgotten in between must not lose its labels only.
            try database.snapshot { () throws(Database.Failure) in
                (
                    try database.rows(Self.allRuns, [.text(selection.profile)]),
                    try database.rows("SELECT run, name, value FROM labels ORDER BY run, name")
                )
            }
        }
        var labels: [Int: [RunRecord.Label]] = [:]
        for row in labelRows {
            guard let run = row[0].int, let name = row[1].text, let value = row[2].text else { continue }
            labels[run, default: []].append(.init(name: name, value: value))
        }
        return selection.chosen(of: rows.compactMap { RecordedRun($0, labels: labels[$0[0].int ?? -1] ?? []) })
    }

    private static let allRuns: StaticString = """
        SELECT id, run_id, shard, hostname, started_ms, profile, profile_digest, ended_ms, elapsed_s, verdict, exit_code, devices, version,
            dialect, target_host, server_version, directory
        FROM runs WHERE ?1 IS NULL OR profile = ?1 ORDER BY started_ms DESC, id DESC
        """

    /// One number of all runs that have it, by the run's key.
    func values(of number: RunNumber) throws(UserFailure) -> [Int64: (value: Double, samples: Int?)] {
        let rows = try attempt { database throws(Database.Failure) in
            try database.rows(
                "SELECT run, value, samples FROM numbers WHERE name = ?1 AND phase = ?2",
                [.text(number.name), .text(number.phase?.name ?? "")])
        }
        var values: [Int64: (value: Double, samples: Int?)] = [:]
        for row in rows {
            guard let run = row[0].int, let value = row[1].double else { continue }
            values[Int64(run)] = (value, row[2].int)
        }
        return values
    }

    /// All numbers of a run, by name and phase.
    func numbers(of run: RecordedRun) throws(UserFailure) -> [RecordedNumber] {
        let rows = try attempt { database throws(Database.Failure) in
            try database.rows("SELECT name, phase, value, samples FROM numbers WHERE run = ?1 ORDER BY name, phase", [.integer(run.key)])
        }
        return rows.compactMap { row in
            guard let name = row[0].text, let phase = row[1].text, let value = row[2].double else { return nil }
            return RecordedNumber(name: name, phase: phase.isEmpty ? nil : phase, value: value, samples: row[3].int)
        }
    }

    /// The gates of a run, in their order; none of a run that was recorded before gates were kept.
    func gates(of run: RecordedRun) throws(UserFailure) -> [RecordedGate] {
        let rows = try attempt { database throws(Database.Failure) in
            try database.rows("SELECT expression, verdict, value, reason FROM gates WHERE run = ?1 ORDER BY position", [.integer(run.key)])
        }
        return rows.map {
            RecordedGate(expression: $0[0].text ?? "", verdict: $0[1].text ?? "", value: $0[2].double, reason: $0[3].text)
        }
    }
}
