import StentorBase
import StentorProfile

/// What faults, drills and absences do to one device. A device that has never met any has none.
final class Mishaps {
    /// A socket that plays dead.
    enum Silence {
        /// The device does not know; it was cut then.
        case halfOpen(since: Instant)
        /// The device's app is in the background until then.
        case suspended(until: Instant)
    }

    /// Drops and absences of the stay.
    var drops: DropSchedule?
    var absences: AbsenceSchedule?
    /// Points of the protocol at which the connection is to be cut.
    var armed: Set<Profile.Cut> = []
    /// The mark in the output at which it is cut: nothing may be sent behind it.
    var cutMark: UInt64?
    var silence: Silence?
    /// Whether the device has left in order to come back.
    var isGone = false

    /// The next instant at which something is due.
    var next: Instant? {
        var next = min(drops?.next ?? .distantFuture, absences?.next ?? .distantFuture)
        if case .suspended(let until) = silence { next = min(next, until) }
        return next == .distantFuture ? nil : next
    }

    /// The stay is over: nothing is due or armed any more.
    func clear() {
        drops = nil
        absences = nil
        armed = []
        cutMark = nil
        silence = nil
    }
}
