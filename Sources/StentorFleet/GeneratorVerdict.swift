import StentorBase
import StentorMetrics

/// Judges whether the generator, not the target, was the limit of a run. `Docs/metrics.md` tells why each of these.
public enum GeneratorVerdict {
    /// A loop that was late by this much at the 99th percentile measured itself.
    public static let lagLimit = Duration.milliseconds(100)
    /// A loop that stood still for this long invalidates the run, whatever the percentile.
    public static let freezeLimit = Duration.seconds(1)
    /// A loop that used this share of a core over 10 s had no CPU left: what it received waited for it.
    public static let cpuLimit = 0.95

    /// Why the generator was the limit, a sentence each; empty when it was not.
    ///
    /// - Parameter longestLag: The longest that any loop was late.
    public static func reasons(_ snapshot: RunSnapshot, longestLag: Duration) -> [String] {
        var reasons = snapshot.labels(.dialFailures).compactMap { dials($0.label, $0.count) }
        if longestLag >= freezeLimit {
            reasons.append("the generator stood still for \(Quantity.text(longestLag))")
        }
        if let share = snapshot.generator.busiestLoopShare, share >= cpuLimit {
            reasons.append(
                "an event loop used \(Quantity.fixed(share * 100, decimals: 0)) % of a core for 10 s: too little CPU for this load")
        }
        for phase in Phase.allCases {
            guard let lag = snapshot.distribution(.loopLag, in: phase)?[.p99], lag > lagLimit.inSeconds else { continue }
            reasons.append("the event loops were late by \(Quantity.secondsText(lag)) (p99) in \(phase.name): too little CPU for this load")
        }
        return reasons
    }

    private static func dials(_ label: String, _ count: Int64) -> String? {
        guard let cause = DialCause(rawValue: label), cause.isGeneratorLimit else { return nil }
        let dials = count == 1 ? "1 dial" : "\(count) dials"
        return cause == .portsExhausted
            ? "\(dials) found no free local port on this machine (EADDRNOTAVAIL): add target.source_addresses, or use fewer devices"
            : "\(dials) found no free file descriptor in this process (EMFILE): raise the limit (ulimit -Hn), or use fewer devices"
    }
}
