import StentorBase
import StentorMetrics

/// The accounts of one device's texts, across reconnects: each is sent once and ends as answered, late or lost, or is in doubt.
///
/// `sent = answered + late + lost + in doubt` holds after every call.
struct TextLedger {
    private struct Open {
        let sequence: Int
        let due: Instant
        let phase: Phase
        let deadline: Instant
        /// When its last byte was handed to the kernel; nil: it waits for that.
        var sent: Instant?
        /// When the first message of its reply came.
        var begun: Instant?
        /// Past its deadline: counted as lost.
        var isLost = false
        /// Past its deadline before it was handed over: it may still be, or its connection ends first.
        var isOverdue = false
        /// Its connection broke while it waited.
        var isCut = false
    }

    /// A text that did not arrive as it should, and what is known of its way.
    struct Offence {
        let sequence: Int
        let fate: OffenderRecord.Fate
        var due: Instant?
        var sent: Instant?
        var begun: Instant?
        var deadline: Instant?
        /// When replies to it were complete.
        var replied: [Instant] = []
        /// The latest replies to other texts since it was due.
        var others: [ClosedTexts.Text] = []
        var isCut = false
    }

    /// How many texts past their deadline are remembered, to tell late replies from second ones.
    private static let lostLimit = 256

    private var open: [Open] = []
    private var lastSequence = 0
    private var lostCount = 0
    /// Numbers of the latest texts that a lost connection kept from being sent: nothing can answer them.
    private var unsent: [Int] = []
    /// Replies to sequences at or below it cannot be judged any more.
    private var forgotten = 0
    private var highestAnswered = 0
    private var offences: [Offence] = []
    private var closed = ClosedTexts()

    /// The offences since the last time; usually none.
    mutating func takeOffences() -> [Offence] {
        guard !offences.isEmpty else { return [] }
        defer { offences = [] }
        return offences
    }

    /// The number for the next text.
    mutating func nextSequence() -> Int {
        lastSequence += 1
        return lastSequence
    }

    /// A text was queued.
    mutating func queued(_ sequence: Int, due: Instant, deadline: Instant, phase: Phase) {
        open.append(Open(sequence: sequence, due: due, phase: phase, deadline: deadline))
    }

    /// The last byte of a text was handed to the kernel.
    mutating func sent(_ sequence: Int, at now: Instant, _ shard: MetricShard) {
        guard let index = index(of: sequence), open[index].sent == nil else { return }
        open[index].sent = now
        shard.count(.messagesSent)
        shard.record(.sendLag, from: open[index].due, to: now, phase: open[index].phase)
        if open[index].isOverdue { lose(index, shard) } else { shard.count(.messagesInDoubt) }
    }

    private mutating func lose(_ index: Int, _ shard: MetricShard) {
        open[index].isLost = true
        lostCount += 1
        shard.count(.messagesLost)
        offences.append(offence(open[index], .lost))
    }

    /// The connection is gone: what was not handed over was not sent, the rest stays in doubt.
    mutating func connectionLost(_ shard: MetricShard) {
        let dropped = open.filter { $0.sent == nil }.map(\.sequence)
        if !dropped.isEmpty {
            open.removeAll { $0.sent == nil }
            unsent = (unsent + dropped).suffix(Self.lostLimit)
            shard.count(.messagesNotSent, by: dropped.count)
        }
        for index in open.indices { open[index].isCut = true }
    }

    /// The first message of a reply came.
    mutating func replyBegan(_ sequence: Int, at shown: Instant, _ shard: MetricShard) {
        guard let index = index(of: sequence), let sent = open[index].sent, open[index].begun == nil else { return }
        open[index].begun = shown
        shard.record(.replyFirst, from: open[index].due, to: shown, phase: open[index].phase)
        shard.record(.replyFirstService, from: sent, to: shown, phase: open[index].phase)
    }

    /// A reply is complete.
    ///
    /// - Returns: Whether it answers a text of this device, the first or a further time.
    mutating func replyEnded(_ sequence: Int, edits: Int, at now: Instant, _ shard: MetricShard) -> Bool {
        guard sequence > 0, sequence <= lastSequence else { return false }
        guard let index = index(of: sequence) else {
            guard sequence > forgotten, !unsent.contains(sequence) else { return false }
            shard.count(.messagesDuplicated)
            offences.append(duplicate(of: sequence, at: now))
            return true
        }
        guard let sent = open[index].sent else { return false }
        let text = open.remove(at: index)
        let isLate = text.isLost || now > text.deadline
        if text.isLost {
            lostCount -= 1
            shard.count(.messagesLost, by: -1)
            shard.count(.messagesLate)
        } else {
            shard.count(.messagesInDoubt, by: -1)
            shard.count(isLate ? .messagesLate : .messagesAnswered)
        }
        if isLate { offences.append(offence(text, .late, replied: now)) }
        if sequence < highestAnswered {
            shard.count(.messagesReordered)
            offences.append(offence(text, .reordered, replied: now))
        }
        closed.add(ClosedTexts.Text(sequence: sequence, due: text.due, sent: sent, replied: now))
        highestAnswered = max(highestAnswered, sequence)
        shard.record(.reply, from: text.due, to: now, phase: text.phase)
        shard.record(.replyService, from: sent, to: now, phase: text.phase)
        shard.record(.edits, UInt64(edits), phase: text.phase)
        return true
    }

    /// Counts what is past its deadline as lost; what has not reached the kernel, as the target does not read, may yet be sent, and is lost then.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    mutating func deadlinePassed(at now: Instant, _ shard: MetricShard) -> Bool {
        guard let deadline, deadline <= now else { return false }
        for index in open.indices where !open[index].isLost && !open[index].isOverdue && open[index].deadline <= now {
            if open[index].sent == nil {
                open[index].isOverdue = true
            } else {
                shard.count(.messagesInDoubt, by: -1)
                lose(index, shard)
            }
        }
        while lostCount > Self.lostLimit, let first = open.firstIndex(where: \.isLost) {
            forgotten = max(forgotten, open[first].sequence)
            open.remove(at: first)
            lostCount -= 1
        }
        return true
    }

    private func offence(_ text: Open, _ fate: OffenderRecord.Fate, replied: Instant? = nil) -> Offence {
        Offence(
            sequence: text.sequence, fate: fate, due: text.due, sent: text.sent, begun: text.begun,
            deadline: fate == .reordered ? nil : text.deadline, replied: replied.map { [$0] } ?? [], others: closed.since(text.due),
            isCut: text.isCut)
    }

    private func duplicate(of sequence: Int, at now: Instant) -> Offence {
        guard let first = closed[sequence] else { return Offence(sequence: sequence, fate: .duplicated, replied: [now]) }
        return Offence(
            sequence: sequence, fate: .duplicated, due: first.due, sent: first.sent, replied: [first.replied, now],
            others: closed.since(first.due).filter { $0.sequence != sequence })
    }

    /// The next deadline of a text that waits; nil when none does.
    var deadline: Instant? {
        // Deadlines rise with the order of the texts, so the first one that waits has the earliest.
        open.first { !$0.isLost && !$0.isOverdue }?.deadline
    }

    /// Texts that were sent or queued and wait for their reply.
    var waitingCount: Int { open.count - lostCount }

    private func index(of sequence: Int) -> Int? {
        open.firstIndex { $0.sequence == sequence }
    }
}
