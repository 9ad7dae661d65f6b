import StentorMetrics
import Synchronization

/// Where the run leaves its newest snapshot for the scrape loop; the only place in which the two threads meet.
final class ScrapeBoard: Sendable {
    /// What hangs there.
    struct Notice: Sendable {
        let snapshot: RunSnapshot
        /// Rises with each notice, from 1.
        let number: Int
        /// Whether no other follows.
        let isLast: Bool
    }

    private let newest = Mutex<Notice?>(nil)

    /// Puts up a snapshot in place of the one before; never waits for a scrape.
    func put(_ snapshot: RunSnapshot, isLast: Bool = false) {
        newest.withLock { $0 = Notice(snapshot: snapshot, number: ($0?.number ?? 0) + 1, isLast: isLast) }
    }

    var notice: Notice? { newest.withLock { $0 } }
}
