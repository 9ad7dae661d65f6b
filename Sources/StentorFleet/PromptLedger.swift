import StentorBase
import StentorDialect
import StentorMetrics

/// The accounts of the prompts shown to one device, across reconnects: each ends as answered, substituted, expired or superseded, or is open.
struct PromptLedger {
    private struct Open {
        let card: PromptCard
        let phase: Phase
        /// What the device will answer; nil: nothing.
        let response: PromptResponse?
        /// When the answer is due; nil: it was given on this connection, or there is none.
        var due: Instant?
        var given: Instant?
        /// The connection on which the last answer went out; nil: none did.
        var connection: Int?
    }

    private var open: [Open] = []
    private var connection = 0
    private var nextMark = 0
    private var marks: [(mark: Int, id: String)] = []

    /// A card was shown.
    ///
    /// - Parameter decide: What to answer and after which time; asked once for each card, nil for no answer.
    mutating func shown(
        _ card: PromptCard, at now: Instant, phase: Phase, _ shard: MetricShard, decide: (PromptCard) -> (PromptResponse, Duration)?
    ) {
        if let index = open.firstIndex(where: { $0.card.id == card.id }) {
            // Shown again after a reconnect: still open there, so an answer of an earlier connection never arrived; one of this connection
            // has only crossed the card on its way.
            if let given = open[index].connection, given < connection {
                open[index].given = nil
                open[index].due = now
            }
            return
        }
        shard.count(.promptsReceived)
        shard.count(.promptsOpen)
        let decision = decide(card)
        if decision == nil { shard.count(.promptsIgnored) }
        open.append(Open(card: card, phase: phase, response: decision?.0, due: decision.map { now + $0.1 }))
    }

    /// The next answer that is due: the card's id, the answer, and the mark under which its sending is reported.
    mutating func takeDue(at now: Instant) -> (id: String, response: PromptResponse, mark: Int)? {
        guard let index = open.firstIndex(where: { $0.due.map { $0 <= now } ?? false }), let response = open[index].response else {
            return nil
        }
        open[index].due = nil
        open[index].given = now
        open[index].connection = connection
        nextMark += 1
        marks.append((nextMark, open[index].card.id))
        return (open[index].card.id, response, nextMark)
    }

    /// An answer was handed to the kernel.
    mutating func sent(_ mark: Int, at now: Instant) {
        guard let position = marks.firstIndex(where: { $0.mark == mark }) else { return }
        let id = marks.remove(at: position).id
        if let index = open.firstIndex(where: { $0.card.id == id }) { open[index].given = now }
    }

    /// A card was closed.
    mutating func closed(_ id: String, optionID: String?, isExpired: Bool, at now: Instant, _ shard: MetricShard) {
        guard let index = open.firstIndex(where: { $0.card.id == id }) else { return }
        let prompt = open.remove(at: index)
        shard.count(.promptsOpen, by: -1)
        if isExpired { return shard.count(.promptsExpired) }
        guard prompt.connection != nil, let response = prompt.response else { return shard.count(.promptsSuperseded) }
        if let given = prompt.given { shard.record(.promptAnswer, from: given, to: now, phase: prompt.phase) }
        let isAsGiven = response.optionID == nil || optionID == nil || response.optionID?.lowercased() == optionID?.lowercased()
        shard.count(isAsGiven ? .promptsAnswered : .promptsSubstituted)
    }

    /// The connection is gone: answers not handed over are due again.
    mutating func connectionLost(at now: Instant) {
        connection += 1
        for entry in marks {
            if let index = open.firstIndex(where: { $0.card.id == entry.id }) {
                open[index].given = nil
                open[index].due = now
            }
        }
        marks.removeAll()
    }

    /// When the next answer is due; nil when none is.
    var due: Instant? {
        var earliest: Instant?
        for prompt in open { if let due = prompt.due, due < earliest ?? .distantFuture { earliest = due } }
        return earliest
    }

    /// Answers given whose cards are not closed yet.
    var unconfirmedCount: Int { open.count { $0.given != nil } }
}
