import StentorBase

/// How much of a core each loop used, over windows that tell saturation from a burst.
///
/// A loop without a pause is not late by much: its timers are looked at between two rounds of events. What it delays are the messages that wait in
/// the kernel, and that shows in no lag but in its CPU time.
struct LoopLoad {
    /// What a window lasts, at least.
    static let window = Duration.seconds(10)

    private struct Reading {
        let at: Instant
        let cpuNanoseconds: [Int64]
    }

    /// Since the last reading that is a window old.
    private var readings: [Reading] = []
    /// The largest share of a core that one loop used over a window, 0...1; nil before the first window has passed.
    private(set) var busiest: Double?

    /// Takes the CPU times of all loops, counted from any origin; the order of loops must not change.
    mutating func add(cpuNanoseconds: [Int64], at now: Instant) {
        readings.append(Reading(at: now, cpuNanoseconds: cpuNanoseconds))
        while readings.count > 2, now - readings[1].at >= Self.window { readings.removeFirst() }
        let first = readings[0]
        guard now - first.at >= Self.window else { return }
        let elapsed = Double((now - first.at).wholeNanoseconds)
        for (cpu, before) in zip(cpuNanoseconds, first.cpuNanoseconds) {
            busiest = max(busiest ?? 0, min(1, max(0, Double(cpu - before) / elapsed)))
        }
    }
}
