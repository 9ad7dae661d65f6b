import StentorBase
import StentorMetrics

/// Decides how a run ended: the verdict, the exit code, and why.
///
/// The first of these that applies, because each makes those below it say nothing:
///
/// 1. **Target never reachable** (fail, 69): dials were made and no device ever became ready. There is nothing to judge, and the gates
///    would only say "no data". It also beats an interruption, for who stops such a run wants to know this, but only if a dial had
///    failed at the target by then; a run stopped before its first dial ended proves nothing. When this machine was what kept every dial
///    from leaving, the run is invalid instead.
/// 2. **Interrupted** (interrupted, 130 or 143): the load was not what the profile says, so neither pass nor fail can be said of it.
/// 3. **Invalid** (invalid, 98): the generator was the limit, so a failed gate may be its own fault, and a passed one luck.
/// 4. **A gate failed or had no data** (fail, 99).
/// 5. **Pass** (pass, 0): also without gates.
///
/// Every one of these codes promises a complete report. When that cannot be written, the code is 1 (``Outcome/withoutReport(_:)``).
public enum VerdictRule {
    /// A signal that ended the run early.
    public enum Interruption: Sendable {
        /// SIGINT.
        case interrupt
        /// SIGTERM.
        case terminate
        /// SIGHUP: the terminal was closed. It ends a run as SIGTERM does, and with its code.
        case hangUp
    }

    /// How a run ended.
    public struct Outcome: Sendable, Equatable {
        /// The verdict.
        public let verdict: Verdict
        /// What the process ends with.
        public let exitCode: ExitCode
        /// Why, in sentences without a full stop, the decisive one first; empty for a pass.
        public let reasons: [String]

        /// The same end with a report that could not be written: the verdict stays, the exit code is 1, the failure is the first reason.
        public func withoutReport(_ failure: UserFailure) -> Outcome {
            let place = failure.place.isEmpty ? "" : "\(failure.place): "
            return Outcome(verdict: verdict, exitCode: .failure, reasons: ["\(place)\(failure.message)"] + reasons)
        }
    }

    /// Judges a run that has ended.
    ///
    /// - Parameters:
    ///   - snapshot: The last snapshot; its own verdict and gates are not looked at.
    ///   - gates: The results of all gates.
    ///   - interruption: The signal that ended the run; nil when it ran to its end, or a gate aborted it.
    ///   - generatorLimits: Why the generator was the limit, a sentence each; empty when it was not.
    public static func judge(
        _ snapshot: RunSnapshot, gates: [GateResult], interruption: Interruption?, generatorLimits: [String]
    ) -> Outcome {
        let dials = DialsSeen(snapshot)
        let limits = dials.neverLeft.map { [$0] + generatorLimits } ?? generatorLimits
        let failed = gates.filter { $0.verdict != .pass }.map(\.failureText)
        if let unreachable = dials.unreachable(wasInterrupted: interruption != nil) {
            return Outcome(verdict: .fail, exitCode: .targetUnreachable, reasons: [unreachable] + signalText(interruption) + limits)
        }
        if let interruption {
            let code: ExitCode = interruption == .interrupt ? .interrupted : .terminated
            return Outcome(verdict: .interrupted, exitCode: code, reasons: signalText(interruption) + limits + failed)
        }
        if !limits.isEmpty { return Outcome(verdict: .invalid, exitCode: .invalidRun, reasons: limits + failed) }
        if !failed.isEmpty { return Outcome(verdict: .fail, exitCode: .gateFailed, reasons: failed) }
        return Outcome(verdict: .pass, exitCode: .success, reasons: [])
    }

    private static func signalText(_ interruption: Interruption?) -> [String] {
        switch interruption {
        case .interrupt: ["interrupted by SIGINT"]
        case .terminate: ["terminated by SIGTERM"]
        case .hangUp: ["terminated by SIGHUP: the terminal was closed"]
        case nil: []
        }
    }
}

/// What the dials of a run say about its target.
private struct DialsSeen {
    let dials: Int64
    let connects: Int64
    let ready: Int64
    let atTarget: [(label: String, count: Int64)]
    let atGenerator: [(label: String, count: Int64)]

    init(_ snapshot: RunSnapshot) {
        (dials, connects, ready) = (snapshot.count(.dials), snapshot.count(.connects), snapshot.count(.ready))
        let failures = snapshot.labels(.dialFailures)
        atGenerator = failures.filter { DialCause(rawValue: $0.label)?.isGeneratorLimit == true }
        atTarget = failures.filter { DialCause(rawValue: $0.label).map { !$0.isGeneratorLimit && $0 != .cancelled } ?? true }
    }

    /// Why the target counts as never reachable; nil when it does not.
    func unreachable(wasInterrupted: Bool) -> String? {
        guard dials > 0, ready == 0 else { return nil }
        if atTarget.isEmpty {
            return wasInterrupted || !atGenerator.isEmpty ? nil : "the target was never reachable: no dial was answered before the end"
        }
        let what = connects == 0 ? "the target was never reachable" : "no device ever became ready"
        return "\(what): \(Self.text(atTarget)) of \(dials) \(dials == 1 ? "dial" : "dials")"
    }

    /// Why no dial left this machine; nil when one did, or none was made.
    var neverLeft: String? {
        guard ready == 0, atTarget.isEmpty, !atGenerator.isEmpty else { return nil }
        return "no device ever became ready, for want of resources of this machine: \(Self.text(atGenerator)) of \(dials) dials"
    }

    private static func text(_ failures: [(label: String, count: Int64)]) -> String {
        failures.map { "\($0.count) \($0.label)" }.joined(separator: ", ")
    }
}

extension GateResult {
    /// The gate and why it did not hold.
    var failureText: String { "\(expression): \(reason)" }
}
