import StentorBase
import StentorProfile

/// The due instants of one behaviour of one device: an open process that runs on whatever happens to the device.
struct DueSchedule {
    /// The next instant at which something is due; nil before the start and after the end.
    private(set) var next: Instant?
    private let isEven: Bool
    private let everyNanoseconds: Int64

    init(every: Duration, spacing: Profile.Spacing) {
        everyNanoseconds = every.wholeNanoseconds
        isEven = spacing == .even
    }

    private var every: Duration { .nanoseconds(everyNanoseconds) }

    /// Starts at a random phase: evenly spread devices do not act in step, and a Poisson process has no memory.
    mutating func start(at now: Instant, random: inout SeededRandom) {
        next = now + (isEven ? random.duration(in: .zero...every) : random.exponential(mean: every))
    }

    /// Takes the next due instant, if it has come.
    mutating func take(at now: Instant, random: inout SeededRandom) -> Instant? {
        guard let due = next, due <= now else { return nil }
        next = due + (isEven ? every : random.exponential(mean: every))
        return due
    }

    mutating func stop() { next = nil }
}
