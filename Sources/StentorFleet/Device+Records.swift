import StentorBase
import StentorMetrics

extension Device {
    /// The id that records name it by.
    private var recordName: String {
        let profile = crew.plan.profile
        return profile.devices.id.id(ofDevice: index, seed: profile.seed)
    }

    /// Counts a dial that failed, and keeps it for timelines.
    func count(dialFailure cause: DialCause, status: Int? = nil) {
        shard.count(dialFailure: cause)
        trail.dialFailed(cause, status: status, at: crew.nanoseconds(loop.now))
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
        for text in texts.takeOffences() { shard.note(record(text, at: now)) }
        for photo in uploads.takeOffences() { shard.note(record(photo, at: now)) }
    }

    /// Notes a file from the server that is not whole.
    func noteDownload(_ fate: OffenderRecord.Fate, since first: Instant, at now: Instant, reason: String) {
        shard.note(
            OffenderRecord(
                device: recordName, item: .download, fate: fate, startedSeconds: crew.seconds(first), knownSeconds: crew.seconds(now),
                detail: reason, timeline: timeline([(.firstPart, first)], since: first)))
    }

    private func record(_ text: TextLedger.Offence, at now: Instant) -> OffenderRecord {
        let silence = isHalfOpen ? "its socket has gone silent" : ""
        var events = text.others.map { DeviceEvent(.otherReplied, seconds: crew.seconds($0.replied), number: $0.sequence) }
        events += timeline(
            [(.due, text.due), (.sent, text.sent), (.replyBegan, text.begun)] + text.replied.map { (.replied, $0) }
                + [(.deadline, text.deadline), (.heard, text.fate == .lost ? heardAt : nil)],
            since: text.due ?? now)
        return OffenderRecord(
            device: recordName, item: .text, sequence: text.sequence, fate: text.fate, dueSeconds: text.due.map(crew.seconds),
            startedSeconds: text.sent.map(crew.seconds), knownSeconds: crew.seconds(now),
            detail: text.isCut ? "its connection broke while it waited (\(lossCause.rawValue))" : silence, timeline: events)
    }

    private func record(_ photo: UploadLedger.Offence, at now: Instant) -> OffenderRecord {
        OffenderRecord(
            device: recordName, item: .upload, sequence: photo.sequence, fate: photo.fate, dueSeconds: crew.seconds(photo.due),
            startedSeconds: crew.seconds(photo.started), knownSeconds: crew.seconds(now), detail: photo.detail,
            timeline: timeline(
                [
                    (.due, photo.due), (.begun, photo.started), (.sent, photo.ended), (.confirmed, photo.confirmed),
                    (.deadline, photo.fate == .corrupt ? nil : photo.deadline), (.heard, photo.fate == .lost ? heardAt : nil),
                ], since: photo.due))
    }

    /// What is known of an item's way, and what its device's connections went through meanwhile.
    private func timeline(_ way: [(DeviceEvent.Kind, Instant?)], since start: Instant) -> [DeviceEvent] {
        let events = way.compactMap { kind, instant in instant.map { DeviceEvent(kind, seconds: crew.seconds($0)) } }
        return events + trail.events(since: crew.seconds(start))
    }
}
