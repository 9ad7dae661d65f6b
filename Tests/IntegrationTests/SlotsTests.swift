import Synchronization
import TestSupport
import Testing

/// The slots that keep tests of whole programs from measuring each other.
struct SlotsTests {
    @Test func `no more run at once than there are slots, and all run`() async {
        let slots = Slots(3)
        let tally = Tally()
        await withTaskGroup { group in
            for count in [1, 2, 1, 3, 9, 1, 1, 2] {
                group.addTask {
                    await slots.take(count) {
                        let cost = min(count, 3)
                        tally.began(cost)
                        for _ in 0..<5 { await Task.yield() }
                        tally.ended(cost)
                    }
                }
            }
        }
        let (running, peak, done) = tally.numbers
        #expect(running == 0 && peak == 3 && done == 8)
    }
}

private final class Tally: Sendable {
    private let state = Mutex((running: 0, peak: 0, done: 0))

    var numbers: (running: Int, peak: Int, done: Int) { state.withLock { $0 } }

    func began(_ cost: Int) {
        state.withLock {
            $0.running += cost
            $0.peak = max($0.peak, $0.running)
        }
    }

    func ended(_ cost: Int) {
        state.withLock {
            $0.running -= cost
            $0.done += 1
        }
    }
}
