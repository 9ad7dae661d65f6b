import StentorMetrics
import Synchronization

/// The records that a run noted, second by second.
public final class Records: Sendable {
    private let state = Mutex<(offenders: [OffenderRecord], reconnects: [ReconnectRecord])>(([], []))

    /// Starts with none.
    public init() {}

    /// Takes the records of a snapshot's last second.
    public func add(_ snapshot: RunSnapshot) {
        state.withLock {
            $0.offenders += snapshot.lastSecond.offenders
            $0.reconnects += snapshot.lastSecond.reconnects
        }
    }

    /// Items that did not arrive as they should.
    public var offenders: [OffenderRecord] { state.withLock { $0.offenders } }
    /// Losses, and what became of the devices.
    public var reconnects: [ReconnectRecord] { state.withLock { $0.reconnects } }

    /// The numbers of a device's texts that were lost and stayed so.
    public func lost(_ device: String) -> Set<Int> {
        let own = offenders.filter { $0.device == device && $0.item == .text }
        return Set(own.filter { $0.fate == .lost }.compactMap(\.sequence)).subtracting(
            own.filter { $0.fate == .late }.compactMap(\.sequence))
    }
}
