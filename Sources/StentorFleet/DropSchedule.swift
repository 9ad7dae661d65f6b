import StentorBase
import StentorProfile

/// When the drops of one device fall due during one stay: a Poisson process for each entry of the profile's faults.
///
/// Each process draws from a stream of its own, which follows from the seed, the entry, the device and the stay: what else the device does, or
/// what happens to it, shifts no drop.
struct DropSchedule {
    private struct Process {
        let drop: Profile.Drop
        var random: SeededRandom
        var next: Instant
    }

    private var processes: [Process]

    /// Starts all processes.
    ///
    /// - Parameters:
    ///   - stay: Number of the stay, from 1.
    ///   - start: When the stay's dial is due.
    init(_ drops: [Profile.Drop], seed: UInt64, device: Int, stay: Int, start: Instant) {
        processes = drops.enumerated().map { entry, drop in
            var random = SeededRandom(seed: seed ^ SplitMix64.hash("drop \(entry) \(stay)"), stream: UInt64(device))
            let first = start + random.exponential(mean: drop.every)
            return Process(drop: drop, random: random, next: first)
        }
    }

    /// The next instant at which a drop is due; nil: there are none.
    var next: Instant? { processes.map(\.next).min() }

    /// Takes the earliest drop that is due.
    mutating func take(at now: Instant) -> Profile.Cut? {
        guard let index = processes.indices.min(by: { processes[$0].next < processes[$1].next }), processes[index].next <= now else {
            return nil
        }
        let gap = processes[index].random.exponential(mean: processes[index].drop.every)
        processes[index].next = processes[index].next + gap
        return processes[index].drop.how
    }
}

/// When a device goes away during one stay, and for how long: at even distances from a random phase.
struct AbsenceSchedule {
    private let away: Profile.Away
    private var random: SeededRandom
    /// When the next absence is due.
    private(set) var next: Instant

    /// Starts; see ``DropSchedule``.
    init(_ away: Profile.Away, seed: UInt64, device: Int, stay: Int, start: Instant) {
        self.away = away
        random = SeededRandom(seed: seed ^ SplitMix64.hash("away \(stay)"), stream: UInt64(device))
        next = start + random.duration(in: .zero...away.every)
    }

    /// Takes the absence that is due; gives its length. Every one draws its length, also one that cannot happen.
    mutating func take(at now: Instant) -> Duration? {
        guard next <= now else { return nil }
        next = next + away.every
        return random.duration(in: away.length)
    }
}
