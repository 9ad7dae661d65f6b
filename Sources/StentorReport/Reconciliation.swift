import StentorBase
import StentorMetrics

/// One number as both ends counted it.
public struct ReconciliationRow: Sendable, Equatable {
    /// What is compared, close to the names of our counts.
    public let name: String
    /// What the devices counted.
    public let ours: Int64
    /// What the gateway counted.
    public let theirs: Int64

    /// Makes a row.
    public init(name: String, ours: Int64, theirs: Int64) {
        (self.name, self.ours, self.theirs) = (name, ours, theirs)
    }

    /// Whether both ends agree.
    public var isEqual: Bool { ours == theirs }
}

/// Compares our counts with the totals of a Hermes gateway, ours or an independent one.
///
/// Both ends are right and still differ where something was under way when a connection broke: a text that the kernel took and nobody
/// received, a reply sent into a dead socket. Without losses, and after a drain, every row must be equal.
///
/// The gateway counts by copies, frames and outcomes that ours know otherwise:
/// * `replies.sent` includes second copies (`duplicated`), so `sent − duplicated` is the number of texts that got a reply.
/// * `replies.lost` were withheld on purpose, `unsent` found no device: neither was ever seen, so both are lost to us.
/// * `prompts.answered` includes the answers that it `substituted`; ours are apart.
/// * `uploads.bytes` are those of complete files; `corrupt_bytes` were received too.
/// * `hellos` includes those that it refused; of `refused`, those named `http_…` were refused before any hello.
/// * An `audio` is answered like a text and counted in `replies`; then the rows of replies mean nothing and are left out.
public enum Reconciliation {
    /// Compares the counts of a finished run.
    ///
    /// - Parameters:
    ///   - ours: The last snapshot.
    ///   - devicesEverReady: Devices that were ready at least once. Nil: taken as `ready` − `reconnects`, which holds when every
    ///     device that comes back counts as a reconnect, also after leaving on purpose.
    ///   - theirs: What the gateway printed at its end.
    /// - Returns: 15 rows; 11 when there was audio.
    /// - Throws: ``TargetTotals/Failure`` naming the first count that the totals lack.
    public static func rows(
        ours: RunSnapshot, devicesEverReady: Int? = nil, theirs: TargetTotals
    ) throws(TargetTotals.Failure) -> [ReconciliationRow] {
        var rows = [row("texts sent", ours.count(.messagesSent), try theirs.count("texts"))]
        if try theirs.count("audios", missing: 0) == 0 { rows += try replies(ours, theirs) }
        rows += try files(ours, theirs)
        rows += try prompts(ours, theirs)
        let everReady = devicesEverReady.map(Int64.init) ?? ours.count(.ready) - ours.count(.reconnects)
        return rows + [
            row("devices", everReady, try theirs.count("devices")), row("ready", ours.count(.ready), try acceptedHellos(theirs)),
            row("violations", 0, try violations(theirs)),
        ]
    }

    /// Compares the counts of a finished run with the totals of a gateway of another dialect, by that dialect's rules.
    ///
    /// - Returns: A row for each rule, and one for violations.
    /// - Throws: ``TargetTotals/Failure`` naming the first count that the totals lack.
    public static func rows(
        _ rules: [AgreementRule], ours: RunSnapshot, theirs: TargetTotals
    ) throws(TargetTotals.Failure) -> [ReconciliationRow] {
        var rows: [ReconciliationRow] = []
        for rule in rules {
            var sum: Int64 = 0
            for path in rule.theirs { sum &+= try theirs.count(dotted: path) }
            let own = rule.ours.map { name in
                guard let counter = Counter(name: name) else { preconditionFailure("Reconciliation: no count is named \(name)") }
                return ours.count(counter)
            }
            rows.append(row(rule.name, own.reduce(0, +), sum))
        }
        return rows + [row("violations", 0, try violations(theirs))]
    }

    private static func violations(_ theirs: TargetTotals) throws(TargetTotals.Failure) -> Int64 {
        try theirs.counts("violations").reduce(0) { $0 &+ $1.count }
    }

    private static func row(_ name: String, _ ours: Int64, _ theirs: Int64) -> ReconciliationRow {
        ReconciliationRow(name: name, ours: ours, theirs: theirs)
    }

    private static func replies(_ ours: RunSnapshot, _ theirs: TargetTotals) throws(TargetTotals.Failure) -> [ReconciliationRow] {
        let sent = try theirs.count("replies", "sent")
        let duplicated = try theirs.count("replies", "duplicated")
        let missing = try theirs.count("replies", "lost") + theirs.count("replies", "unsent")
        return [
            row("texts replied", ours.count(.messagesAnswered) + ours.count(.messagesLate), sent - duplicated),
            row("texts lost", ours.count(.messagesLost), missing), row("texts duplicated", ours.count(.messagesDuplicated), duplicated),
            row("texts reordered", ours.count(.messagesReordered), try theirs.count("replies", "reordered")),
        ]
    }

    private static func files(_ ours: RunSnapshot, _ theirs: TargetTotals) throws(TargetTotals.Failure) -> [ReconciliationRow] {
        let bytes = try theirs.count("uploads", "bytes") + theirs.count("uploads", "corrupt_bytes", missing: 0)
        return [
            row(
                "uploads confirmed", ours.count(.uploadsConfirmed) + ours.count(.uploadsLate), try theirs.count("uploads", "complete")),
            row("upload bytes", ours.count(.uploadsBytes), bytes),
            row("photos received", ours.count(.downloadsComplete) + ours.count(.downloadsByURL), try theirs.count("photos", "sent")),
        ]
    }

    private static func prompts(_ ours: RunSnapshot, _ theirs: TargetTotals) throws(TargetTotals.Failure) -> [ReconciliationRow] {
        let answered = ours.count(.promptsAnswered) + ours.count(.promptsSubstituted)
        return [
            row("prompts received", ours.count(.promptsReceived), try theirs.count("prompts", "sent")),
            row("prompts answered", answered, try theirs.count("prompts", "answered")),
            row("prompts expired", ours.count(.promptsExpired), try theirs.count("prompts", "expired")),
            row("prompts substituted", ours.count(.promptsSubstituted), try theirs.count("prompts", "substituted")),
        ]
    }

    private static func acceptedHellos(_ theirs: TargetTotals) throws(TargetTotals.Failure) -> Int64 {
        let refused = theirs.has("refused") ? try theirs.counts("refused") : []
        let afterHello = refused.filter { !$0.name.hasPrefix("http_") }
        return try theirs.count("hellos") - afterHello.reduce(0) { $0 &+ $1.count }
    }
}
