import StentorBase
import StentorMetrics
import StentorWire

/// When a rate says something about the way to the peer.
enum RateRule {
    /// A transfer that took less only measured how fast a buffer of this machine's kernel was filled or emptied.
    static let shortest = Duration.milliseconds(1)
}

/// The accounts of one device's photos: each is sent once and ends as confirmed, late, corrupt or lost, or is in doubt.
struct UploadLedger {
    private struct Open {
        let sequence: Int
        let id: String
        let photo: PhotoLibrary.Photo
        let due: Instant
        let phase: Phase
        let deadline: Instant
        var started: Instant
        var hasBegun = false
        var ended: Instant?
        var isLost = false
    }

    /// A photo that did not arrive as it should.
    struct Offence {
        let sequence: Int
        let fate: OffenderRecord.Fate
        let due: Instant
        let started: Instant
        let ended: Instant?
        let deadline: Instant
        /// When the server said what it got; nil: it did not.
        var confirmed: Instant?
        var detail = ""
    }

    private static let lostLimit = 64

    private var open: [Open] = []
    private var lastSequence = 0
    private var lostCount = 0
    private var offences: [Offence] = []

    /// The offences since the last time; usually none.
    mutating func takeOffences() -> [Offence] {
        guard !offences.isEmpty else { return [] }
        defer { offences = [] }
        return offences
    }

    private mutating func offended(_ photo: Open, _ fate: OffenderRecord.Fate, confirmed: Instant? = nil, _ detail: String = "") {
        offences.append(
            Offence(
                sequence: photo.sequence, fate: fate, due: photo.due, started: photo.started, ended: photo.ended,
                deadline: photo.deadline, confirmed: confirmed, detail: detail))
    }

    /// A photo was queued; gives the number that marks it.
    mutating func queued(_ id: String, _ photo: PhotoLibrary.Photo, due: Instant, at now: Instant, deadline: Instant, phase: Phase) -> Int {
        lastSequence += 1
        open.append(Open(sequence: lastSequence, id: id, photo: photo, due: due, phase: phase, deadline: deadline, started: now))
        return lastSequence
    }

    /// All that was queued before it is with the kernel: its own bytes come next.
    mutating func reached(_ sequence: Int, at now: Instant) {
        if let index = index(of: sequence) { open[index].started = now }
    }

    /// Its first bytes are with the kernel.
    mutating func began(_ sequence: Int, _ shard: MetricShard) {
        guard let index = index(of: sequence), !open[index].hasBegun else { return }
        open[index].hasBegun = true
        shard.count(.uploadsSent)
        shard.count(.uploadsInDoubt)
    }

    /// Its last byte is with the kernel.
    mutating func ended(_ sequence: Int, at now: Instant, _ shard: MetricShard) {
        guard let index = index(of: sequence) else { return }
        open[index].ended = now
        let photo = open[index]
        shard.count(.uploadsBytes, by: photo.photo.bytes)
        shard.record(.upload, from: photo.started, to: now, phase: photo.phase)
        guard now - photo.started >= RateRule.shortest else { return }
        shard.recordRate(.uploadRate, bytes: photo.photo.bytes, over: now - photo.started, phase: photo.phase)
    }

    /// The connection is gone: photos of which nothing went out were not sent, the rest stays in doubt.
    mutating func connectionLost(_ shard: MetricShard) {
        let unsent = open.count { !$0.hasBegun }
        guard unsent > 0 else { return }
        open.removeAll { !$0.hasBegun }
        shard.count(.uploadsNotSent, by: unsent)
    }

    /// The server says what it got.
    ///
    /// - Returns: Whether it was a photo that waited.
    mutating func confirmed(_ id: String, bytes: Int, digest: SHA256Digest?, at now: Instant, _ shard: MetricShard) -> Bool {
        guard let photo = close(id, shard) else { return false }
        guard bytes == photo.photo.bytes, digest == nil || digest == photo.photo.digest else {
            shard.count(.uploadsCorrupt)
            let isShort = bytes != photo.photo.bytes
            offended(
                photo, .corrupt, confirmed: now,
                isShort ? "the server has \(bytes) of \(photo.photo.bytes) bytes" : "the server has other bytes (SHA-256)")
            return true
        }
        let isLate = photo.isLost || now > photo.deadline
        shard.count(isLate ? .uploadsLate : .uploadsConfirmed)
        if isLate { offended(photo, .late, confirmed: now) }
        if let ended = photo.ended { shard.record(.confirm, from: ended, to: now, phase: photo.phase) }
        return true
    }

    /// The server refused it as damaged or too large.
    mutating func refused(_ id: String, code: String, at now: Instant, _ shard: MetricShard) -> Bool {
        guard let photo = close(id, shard) else { return false }
        shard.count(.uploadsCorrupt)
        offended(photo, .corrupt, confirmed: now, "refused: \(code)")
        return true
    }

    private mutating func close(_ id: String, _ shard: MetricShard) -> Open? {
        guard let index = open.firstIndex(where: { $0.id == id && $0.hasBegun }) else { return nil }
        let photo = open.remove(at: index)
        if photo.isLost {
            lostCount -= 1
            shard.count(.uploadsLost, by: -1)
        } else {
            shard.count(.uploadsInDoubt, by: -1)
        }
        return photo
    }

    /// Counts what is past its deadline as lost; gives the ids that are forgotten for good.
    mutating func deadlinePassed(at now: Instant, _ shard: MetricShard) -> [String] {
        for index in open.indices where !open[index].isLost && open[index].hasBegun && open[index].deadline <= now {
            open[index].isLost = true
            lostCount += 1
            shard.count(.uploadsInDoubt, by: -1)
            shard.count(.uploadsLost)
            offended(open[index], .lost)
        }
        var forgotten: [String] = []
        while lostCount > Self.lostLimit, let first = open.firstIndex(where: \.isLost) {
            forgotten.append(open.remove(at: first).id)
            lostCount -= 1
        }
        return forgotten
    }

    /// The next deadline of a photo that waits; nil when none does.
    var deadline: Instant? { open.first { !$0.isLost && $0.hasBegun }?.deadline }

    /// Photos that were queued or sent and wait for their confirmation.
    var waitingCount: Int { open.count - lostCount }

    private func index(of sequence: Int) -> Int? {
        open.firstIndex { $0.sequence == sequence }
    }
}
