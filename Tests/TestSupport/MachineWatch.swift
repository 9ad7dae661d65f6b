import Foundation
import StentorBase
import Synchronization

/// Watches whether this machine has CPU to spare: whether a thread that wants to run every few milliseconds may, and how much the cores idle.
///
/// A run that says of itself that it was starved is believed only when this watch saw the machine busy, too.
public final class MachineWatch: Sendable {
    /// The watch of this process; it begins with its first use.
    public static let shared = MachineWatch()

    private static let period = Duration.milliseconds(10)
    /// A thread that is later than this was starved.
    private static let longestDelay = Duration.milliseconds(50)
    /// Cores that idle less than this share of the time are busy: whoever wants to run waits.
    private static let leastIdle = 0.1
    private static let looksPerReading = 50

    /// When it was last seen busy.
    private let lastBusy = Mutex(Instant.distantPast)

    private init() {
        Thread.detachNewThread { [self] in
            var ticks = Self.ticks()
            while true {
                for _ in 0..<Self.looksPerReading where wasLate() { note() }
                let later = Self.ticks()
                if let earlier = ticks, let later, Self.idleShare(from: earlier, to: later) < Self.leastIdle { note() }
                ticks = later
            }
        }
    }

    /// Whether the machine was busy at some time since an instant.
    public func sawBusyMachine(since begin: Instant) -> Bool {
        lastBusy.withLock { $0 } >= begin
    }

    private func note() {
        lastBusy.withLock { $0 = .now() }
    }

    private func wasLate() -> Bool {
        let due = Instant.now() + Self.period
        usleep(UInt32(Self.period / .microseconds(1)))
        return Instant.now() - due >= Self.longestDelay
    }

    /// The share of the cores' time that was idle between two readings; 1 when nothing passed.
    private static func idleShare(from earlier: [Double], to later: [Double]) -> Double {
        let passed = zip(later, earlier).map { $0 - $1 }
        let whole = passed.reduce(0, +)
        return whole > 0 && passed.count > 4 ? (passed[3] + passed[4]) / whole : 1
    }

    /// What the cores did since the start of the machine, in ticks: user, nice, system, idle, waiting for disks, and more (`man 5 proc_stat`).
    private static func ticks() -> [Double]? {
        let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8)
        return text?.split(separator: "\n").first?.split(separator: " ").dropFirst().compactMap { Double($0) }
    }
}
