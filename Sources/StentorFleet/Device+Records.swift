import StentorBase
import StentorMetrics

extension Device {
    /// The id that records name it by.
    private var recordName: String {
        let profile = crew.plan.profile
        return profile.devices.id.id(ofDevice: index, seed: profile.seed)
    }

    /// Notes that the device came back from its loss, or is no longer watched; does nothing when there was none.
    func noteReturn(isReady: Bool, at now: Instant) {
        guard let wayBack else { return }
        shard.note(
            ReconnectRecord(
                device: recordName, lostSeconds: crew.seconds(wayBack.lostAt), endSeconds: crew.seconds(now), isReady: isReady,
                attempts: attempts, cause: lossCause, stages: wayBack.stages(endingAt: now)))
    }

    /// When the connection that is being lost was cut; nil: only the other side knows.
    var cutInstant: Instant? {
        if case .halfOpen(let since) = mishaps?.silence { return since }
        return lossCause == .fault ? loop.now : nil
    }

    /// Notes what the accounts found wrong.
    func noteOffences(at now: Instant) {
        for text in texts.takeOffences() {
            let silence = isHalfOpen ? "its socket has gone silent" : ""
            shard.note(
                OffenderRecord(
                    device: recordName, item: .text, sequence: text.sequence, fate: text.fate, dueSeconds: text.due.map(crew.seconds),
                    startedSeconds: text.sent.map(crew.seconds), knownSeconds: crew.seconds(now),
                    detail: text.isCut ? "its connection broke while it waited (\(lossCause.rawValue))" : silence))
        }
        for photo in uploads.takeOffences() {
            shard.note(
                OffenderRecord(
                    device: recordName, item: .upload, sequence: photo.sequence, fate: photo.fate, dueSeconds: crew.seconds(photo.due),
                    startedSeconds: crew.seconds(photo.started), knownSeconds: crew.seconds(now)))
        }
    }

    /// Notes a file from the server that is not whole.
    func noteDownload(_ fate: OffenderRecord.Fate, since first: Instant, at now: Instant, reason: String) {
        shard.note(
            OffenderRecord(
                device: recordName, item: .download, fate: fate, startedSeconds: crew.seconds(first), knownSeconds: crew.seconds(now),
                detail: reason))
    }
}
