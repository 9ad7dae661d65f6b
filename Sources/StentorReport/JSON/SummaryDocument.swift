import StentorMetrics

/// `summary.json`: all numbers of a run, its gates and its verdict. Its form is `Docs/summary.schema.json`.
///
/// What was not measured is `null`, never 0: so is a count when nothing was there to be counted, such as messages lost when none was
/// sent. Keys stand in a fixed order, so that two summaries can be compared line by line.
public enum SummaryDocument {
    /// The document as UTF-8, indented by two blanks.
    public static func bytes(_ report: RunReport) -> [UInt8] {
        json(report).prettyBytes
    }

    static func json(_ report: RunReport) -> JSONTree {
        let snapshot = report.snapshot
        return .object([
            "verdict": .text(snapshot.verdict.rawValue), "exit_code": .integer(report.exitCode.map { Int($0.rawValue) }),
            "reasons": .list(report.reasons.map { .text($0) }), "warnings": .list(report.warnings.map { .text($0) }),
            "run": report.run.json, "elapsed_seconds": .number(snapshot.elapsedSeconds), "phase": .text(snapshot.phase.name),
            "counts": counts(snapshot), "distributions": distributions(snapshot), "gates": .list(snapshot.gates.map(gate)),
            "outages": .list(report.outages.map(outage)), "devices": devices(snapshot), "by_label": families(snapshot),
            "offenders": report.offenders.map(offenders) ?? .null, "generator": generator(snapshot), "push": report.push.map(push) ?? .null,
            "target_totals": report.targetTotals?.json ?? .null,
            "reconciliation": report.reconciliation.isEmpty ? .null : .list(report.reconciliation.map(row)),
        ])
    }

    private static func object<Items: Sequence>(_ items: Items, _ member: (Items.Element) -> (String, JSONTree)) -> JSONTree {
        .object(
            items.map {
                let (key, value) = member($0)
                return JSONTree.Member(key: key, value: value)
            })
    }

    private static func counts(_ snapshot: RunSnapshot) -> JSONTree {
        object(Counter.allCases) { counter in
            let isMeasured = counter.population.isEmpty || counter.population.contains { snapshot.count($0) > 0 }
            return (counter.name, isMeasured ? .integer(snapshot.count(counter)) : .null)
        }
    }

    private static func distributions(_ snapshot: RunSnapshot) -> JSONTree {
        object(Metric.allCases) { ($0.name, phases(of: $0, snapshot)) }
    }

    /// By phase; phases without samples are absent.
    private static func phases(of metric: Metric, _ snapshot: RunSnapshot) -> JSONTree {
        let present = Phase.allCases.compactMap { phase in snapshot.distribution(metric, in: phase).map { (phase, $0) } }
        return object(present.filter { $0.1.count > 0 }) { ($0.0.name, distribution($0.1)) }
    }

    private static func distribution(_ distribution: Distribution) -> JSONTree {
        .object([
            "count": .unsigned(distribution.count), "min": .number(distribution.min), "mean": .number(distribution.mean),
            "p50": .number(distribution[.p50]), "p90": .number(distribution[.p90]), "p95": .number(distribution[.p95]),
            "p99": .number(distribution[.p99]), "p999": .number(distribution[.p999]), "max": .number(distribution.max),
        ])
    }

    private static func gate(_ gate: GateResult) -> JSONTree {
        .object([
            "expression": .text(gate.expression), "value": .number(gate.value), "count": .unsigned(gate.count),
            "phase": .filledText(gate.phase?.name), "verdict": .text(gate.verdict.rawValue), "reason": .filledText(gate.reason),
            "drift": drift(gate),
        ])
    }

    /// What stands behind a drift, in the unit and the time of its gate; null for other gates, and without data.
    private static func drift(_ gate: GateResult) -> JSONTree {
        guard let drift = gate.drift else { return .null }
        return .object([
            "slope": .number(gate.value), "low": .number(drift.low), "high": .number(drift.high), "windows": .unsigned(gate.count),
            "window_seconds": .integer(drift.windowSeconds),
        ])
    }

    private static func outage(_ outage: Outage) -> JSONTree {
        .object([
            "name": .text(outage.name), "at_seconds": .number(outage.startSeconds), "closed_after_seconds": .number(outage.durationSeconds),
            "devices_lost": .integer(outage.devicesLost), "ready_after_50_seconds": .number(outage.readyAfter50Seconds),
            "ready_after_90_seconds": .number(outage.readyAfter90Seconds), "ready_after_99_seconds": .number(outage.readyAfter99Seconds),
            "ready_after_100_seconds": .number(outage.readyAfter100Seconds), "attempts": .integer(outage.attempts),
            "peak_dials_per_second": .integer(outage.peakDialsPerSecond),
            "retry_synchronisation": .number(outage.retrySynchronisation),
        ])
    }

    private static func devices(_ snapshot: RunSnapshot) -> JSONTree {
        object(DeviceState.allCases) { ($0.name, .integer(snapshot.devices(in: $0))) }
    }

    /// Labels in the order of their names, which does not change with the counts.
    private static func families(_ snapshot: RunSnapshot) -> JSONTree {
        object(LabelFamily.allCases) { family in
            (family.name, object(snapshot.labels(family).sorted { $0.label < $1.label }) { ($0.label, .integer($0.count)) })
        }
    }

    private static func generator(_ snapshot: RunSnapshot) -> JSONTree {
        let numbers = snapshot.generator
        return .object([
            "cpu_share_by_loop": .list(numbers.cpuShareByLoop.map { .number($0) }), "cpu_busiest_10s": .number(numbers.busiestLoopShare),
            "late_timers": .integer(snapshot.count(.timersLate)), "resident_bytes": .integer(numbers.residentBytes),
            "resident_bytes_per_device": .integer(numbers.residentBytesPerDevice),
            "open_descriptors": .integer(numbers.openDescriptors), "descriptor_limit": .integer(numbers.descriptorLimit),
            "ports_left": .integer(numbers.portsLeft), "loop_lag": phases(of: .loopLag, snapshot),
            "dial_lag": phases(of: .dialLag, snapshot), "send_lag": phases(of: .sendLag, snapshot),
        ])
    }

    private static func offenders(_ tally: OffenderTally) -> JSONTree {
        .object(["recorded": .integer(tally.recorded), "dropped": .integer(tally.dropped)])
    }

    private static func push(_ push: PushRecord) -> JSONTree {
        .object([
            "attempts": .integer(push.attempts), "failed": .integer(push.failed), "failed_in_a_row": .integer(push.failedInARow),
            "back_off_seconds": .number(push.backOffSeconds), "last_status": .integer(push.lastStatus),
            "last_error": .filledText(push.lastError), "end": .filledText(push.end?.rawValue),
        ])
    }

    private static func row(_ row: ReconciliationRow) -> JSONTree {
        .object([
            "name": .text(row.name), "ours": .integer(row.ours), "theirs": .integer(row.theirs), "is_equal": .bool(row.isEqual),
        ])
    }
}
