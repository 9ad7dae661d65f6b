import StentorFleet
import StentorMetrics
import StentorProfile
import Testing

extension RunResult {
    /// Both ends agree on every text, one by one.
    ///
    /// A device knows which texts it sent, as far as its kernel; the gateway which it received. A text that was sent and not received died in a kernel at a
    /// cut: nobody can know at which end, so it must be lost, and nothing else may be. A reply that went out and did not arrive died the same way.
    /// All else is decided, and equal:
    ///
    ///     sent              = received + lost without being received
    ///     received          = answered + late + lost after being received
    ///     replies unsent    ⊆ lost
    ///     answered + late  <= replied <= received − replies unsent
    ///
    /// - Parameters:
    ///   - devices: The ids of its devices.
    ///   - isOrderly: Nothing was cut: nothing may be lost, and the gateway has received and answered all.
    public func expectAgreement(
        with truth: GatewayTruth, on devices: [String], isOrderly: Bool, _ name: String, location: SourceLocation = #_sourceLocation
    ) {
        let name = Comment(rawValue: name)
        var (received, unseen, silenced, replied, lost) = (0, 0, 0, 0, 0)
        for device in devices {
            let theirs = truth.devices[device] ?? GatewayTruth.Device()
            let ours = records.lost(device)
            #expect(theirs.texts == theirs.seen.count, "\(name): no text twice, none without its number", sourceLocation: location)
            #expect(theirs.unsent.isSubset(of: ours), name, sourceLocation: location)
            #expect(theirs.replied <= theirs.seen.count - theirs.unsent.count, name, sourceLocation: location)
            received += theirs.seen.count
            replied += theirs.replied
            lost += ours.count
            unseen += ours.subtracting(theirs.seen).count
            silenced += ours.intersection(theirs.seen).count
        }
        #expect(count(.messagesInDoubt) == 0, name, sourceLocation: location)
        #expect(count(.messagesDuplicated) + count(.messagesReordered) + count(.messagesUnmatched) == 0, name, sourceLocation: location)
        #expect(count(.messagesSent) == received + unseen, name, sourceLocation: location)
        #expect(count(.messagesLost) == lost, name, sourceLocation: location)
        #expect(count(.messagesAnswered) + count(.messagesLate) == received - silenced, name, sourceLocation: location)
        #expect(count(.messagesAnswered) + count(.messagesLate) <= replied, name, sourceLocation: location)
        if isOrderly { #expect(lost == 0 && count(.messagesAnswered) + count(.messagesLate) == replied, name, sourceLocation: location) }
        for offender in records.offenders where offender.item == .text && offender.fate == .lost {
            // What was not cut off, or sent into silence, has arrived; unless a cut came when its time was over already.
            let hasArrived = offender.sequence.map { truth.devices[offender.device]?.seen.contains($0) ?? false } ?? false
            #expect(
                offender.detail != "" || hasArrived || count(.disconnects) > labels(.losses)["left"] ?? 0, "\(name): \(offender)",
                sourceLocation: location)
        }
        expectWaysBackAddUp(name, location)
    }

    /// Every loss has its record, and the stages of every way back are the whole of it.
    private func expectWaysBackAddUp(_ name: Comment, _ location: SourceLocation) {
        #expect(records.reconnects.count { $0.isReady } == count(.reconnects), name, sourceLocation: location)
        for record in records.reconnects {
            let whole = record.endSeconds - record.lostSeconds
            #expect(abs(record.stages.sum - whole) < 1e-6, "\(name): \(record)", sourceLocation: location)
        }
    }
}
