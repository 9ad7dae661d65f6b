import StentorBase
import StentorMetrics

/// All that is said about a run: one snapshot and what stands around it.
///
/// The one value that console, `summary.json` and the later forms of the report are made from, so that they agree. While the run goes
/// on it makes a checkpoint: verdict `incomplete`, no exit code.
public struct RunReport: Sendable {
    /// What the run is.
    public var run: RunRecord
    /// What it measured, with its verdict and gates.
    public var snapshot: RunSnapshot
    /// What the process ends with; nil while the run goes on.
    public var exitCode: ExitCode?
    /// Why the verdict is what it is, in sentences; see ``VerdictRule``.
    public var reasons: [String]
    /// What the reader should know besides, a sentence each, in the order in which it came up.
    public var warnings: [String]
    /// The outages, in order of their start.
    public var outages: [Outage]
    /// What a gateway that Stentor started itself printed at its end; nil when there was none.
    public var targetTotals: TargetTotals?
    /// Our counts beside the gateway's own; empty when they were not compared.
    public var reconciliation: [ReconciliationRow]
    /// What became of the pushes; nil when nothing was to be pushed.
    public var push: PushRecord?
    /// What stands in `offenders.jsonl`; nil when it is not known.
    public var offenders: OffenderTally?
    /// Where the run directory is, as the user may type it; nil when there is none. Only the console shows it.
    public var directoryPath: String?

    /// Makes a report; what is not given is empty or unknown.
    public init(
        run: RunRecord, snapshot: RunSnapshot, exitCode: ExitCode? = nil, reasons: [String] = [], warnings: [String] = [],
        outages: [Outage] = [], targetTotals: TargetTotals? = nil, reconciliation: [ReconciliationRow] = [], push: PushRecord? = nil,
        offenders: OffenderTally? = nil, directoryPath: String? = nil
    ) {
        (self.run, self.snapshot, self.exitCode, self.reasons, self.warnings) = (run, snapshot, exitCode, reasons, warnings)
        (self.outages, self.targetTotals, self.reconciliation) = (outages, targetTotals, reconciliation)
        (self.push, self.offenders, self.directoryPath) = (push, offenders, directoryPath)
    }

    /// Takes over what a ``VerdictRule`` found, into the snapshot too.
    public mutating func conclude(_ outcome: VerdictRule.Outcome) {
        snapshot.verdict = outcome.verdict
        (exitCode, reasons) = (outcome.exitCode, outcome.reasons)
    }
}
