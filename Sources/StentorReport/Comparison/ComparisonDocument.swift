import StentorBase
import StentorMetrics
import StentorStatistics

/// `stentor compare --json`: all that a comparison says. Its form is `Docs/compare.schema.json`.
///
/// What is not known is `null`; limits of an interval that the data do not give are `null` too.
public enum ComparisonDocument {
    /// The form described here; a later one that readers of this one cannot read has a higher number.
    public static let format = 1

    /// The document as UTF-8, indented by two blanks.
    public static func bytes(_ comparison: Comparison) -> [UInt8] { json(comparison).prettyBytes }

    static func json(_ comparison: Comparison) -> JSONTree {
        .object([
            "format": .integer(format), "calibration": .bool(comparison.isCalibration), "base": .list(comparison.base.map(run)),
            "candidate": .list(comparison.candidate.map(run)),
            "unlike": .list(comparison.unlike.map { .object(["what": .text($0.what), "detail": .text($0.detail)]) }),
            "remarks": .list(comparison.remarks.map { .text($0) }), "judged": .integer(comparison.judgedCount),
            "better": .list(comparison.better.map { .text($0.name) }), "worse": .list(comparison.worse.map { .text($0.name) }),
            "numbers": .list(comparison.numbers.map(number)), "outages": .list(comparison.outages.map(outage)),
        ])
    }

    private static func run(_ run: ComparedRun) -> JSONTree {
        .object([
            "path": .text(run.path), "run_id": .text(run.runID), "profile": .filledText(run.profile),
            "profile_digest": .filledText(run.profileDigest), "seed": .filledText(run.seed), "planned_seconds": .number(run.plannedSeconds),
            "cores": .integer(run.cores), "memory_bytes": .integer(run.memoryBytes), "verdict": .text(run.verdict),
            "version": .filledText(run.version), "target": .filledText(run.target), "labels": .list(run.labels.map { .text($0) }),
        ])
    }

    // MARK: - Numbers

    private static func number(_ number: NumberComparison) -> JSONTree {
        let finding = number.finding
        return .object([
            "name": .text(number.name), "unit": .text(unit(number.unit)), "better_when": .text(number.better.rawValue),
            "judged": .bool(number.isJudged),
            "base": side(number.base), "candidate": side(number.candidate), "difference": estimate(finding?.difference),
            "relative": .number(finding?.relative), "effect": finding?.effect.map(effect) ?? .null, "p": .number(finding?.p),
            "adjusted_p": .number(finding?.adjustedP), "verdict": verdict(finding?.verdict),
            "smallest_shown": .number(finding?.smallestShown), "run_deviation": .number(finding?.runDeviation),
            "method": finding.map { method($0.method) } ?? .null, "missing": .filledText(number.missing),
        ])
    }

    private static func unit(_ unit: Unit) -> String {
        switch unit {
        case .seconds: "seconds"
        case .bytes: "bytes"
        case .bytesPerSecond: "bytes_per_second"
        case .count: "count"
        case .share: "share"
        }
    }

    private static func verdict(_ verdict: ComparisonVerdict?) -> JSONTree {
        switch verdict {
        case .better: .text("better")
        case .worse: .text("worse")
        case .noDifferenceShown: .text("no_difference_shown")
        case nil: .null
        }
    }

    private static func side(_ side: NumberComparison.Side) -> JSONTree {
        .object([
            "value": .number(side.value), "count": .integer(Int(side.count)), "events": .integer(side.events),
            "by_run": .list(side.byRun.map { .number($0) }),
        ])
    }

    private static func estimate(_ estimate: Estimate?) -> JSONTree {
        guard let estimate else { return .null }
        return .object(["value": .number(estimate.value), "low": .number(estimate.low), "high": .number(estimate.high)])
    }

    private static func effect(_ effect: Finding.Effect) -> JSONTree {
        switch effect {
        case .cliffsDelta(let value): .object(["kind": .text("cliffs_delta"), "value": .number(value)])
        case .cohensH(let value): .object(["kind": .text("cohens_h"), "value": .number(value)])
        case .paceRatio(let value): .object(["kind": .text("pace_ratio"), "value": .number(value)])
        }
    }

    private static func method(_ method: NumberComparison.Method) -> JSONTree {
        switch method {
        case .blockBootstrap(let block, let time):
            .object(["kind": .text("block_bootstrap"), "block_seconds": .number(block), "autocorrelation_seconds": .number(time)])
        case .score(let dispersion): .object(["kind": .text("score"), "dispersion": .number(dispersion)])
        case .exact(let dispersion): .object(["kind": .text("exact"), "dispersion": .number(dispersion)])
        case .restrictedMean(let limit): .object(["kind": .text("restricted_mean"), "up_to_seconds": .number(limit)])
        case .median: .object(["kind": .text("survival_median")])
        case .deviceMean: .object(["kind": .text("device_mean")])
        }
    }

    // MARK: - Outages

    private static func outage(_ outage: OutageComparison) -> JSONTree {
        let paired = outage.paired
        return .object([
            "name": .text(outage.name), "base": side(outage.base), "candidate": side(outage.candidate),
            "horizon_seconds": .number(outage.horizonSeconds),
            "log_rank": outage.logRank.map {
                .object(["statistic": .number($0.statistic), "p": .number($0.p), "pace_ratio": .number($0.paceRatio)])
            } ?? .null,
            "paired": .object([
                "devices": .integer(outage.pairedDevices), "sooner": .integer(paired.sooner), "later": .integer(paired.later),
                "same": .integer(paired.same), "undecided": .integer(paired.undecided), "median_difference": estimate(paired.median),
                "p": .number(paired.p),
            ]),
        ])
    }

    private static func side(_ side: OutageComparison.Side) -> JSONTree {
        .object([
            "devices": .integer(side.devices), "censored": .integer(side.censored), "median_seconds": estimate(side.median),
            "mean_seconds": estimate(side.restrictedMean), "attempts": .integer(side.attempts), "wasted_dials": .integer(side.wastedDials),
            "texts_lost": .integer(side.textsLost), "texts_duplicated": .integer(side.textsDuplicated),
            "herds": .list(side.herds.map(herd)), "curve": .list((side.curve?.steps ?? []).map(step)),
        ])
    }

    private static func herd(_ herd: OutageComparison.Herd) -> JSONTree {
        .object([
            "ready_after_seconds": .list(herd.readyAfterSeconds.map { .number($0) }),
            "peak_dials_per_second": .integer(herd.peakDialsPerSecond), "retry_synchronisation": .number(herd.retrySynchronisation),
        ])
    }

    private static func step(_ step: SurvivalCurve.Step) -> JSONTree {
        .object([
            "seconds": .number(step.time), "at_risk": .integer(step.atRisk), "events": .integer(step.events),
            "waiting": .number(step.waiting.value), "low": .number(step.waiting.low), "high": .number(step.waiting.high),
        ])
    }
}
