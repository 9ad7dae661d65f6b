import StentorBase
import StentorLoop

/// Takes memory at a steady rate and never gives it back, so that a soak has something to find. Loop thread only.
final class MemoryLeak {
    private let loop: EventLoop
    private let bytesPerSecond: Double
    private var timer: LoopTimer?
    private var kept: [[UInt8]] = []
    private var lastAt: Instant

    /// How many bytes it holds.
    private(set) var bytes = 0

    private static let step = Duration.milliseconds(200)

    /// Begins to leak.
    init(_ loop: EventLoop, bytesPerSecond: Double) {
        (self.loop, self.bytesPerSecond, lastAt) = (loop, bytesPerSecond, loop.now)
        schedule()
    }

    /// Ends the growth; what was taken stays until the object is gone.
    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func schedule() {
        let timer = timer ?? LoopTimer { [unowned self] in grow() }
        self.timer = timer
        loop.schedule(timer, at: loop.now + Self.step)
    }

    private func grow() {
        let count = Int(bytesPerSecond * (loop.now - lastAt).inSeconds)
        if count > 0 {
            lastAt = loop.now
            // Filled with something: untouched pages, or pages of zeros from calloc, would not be resident.
            kept.append([UInt8](repeating: 0xA5, count: count))
            bytes += count
        }
        schedule()
    }
}
