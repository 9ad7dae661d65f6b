import StentorBase
import StentorMetrics

/// The latest events of one device's connections, for the timelines of what did not arrive as it should.
///
/// Every device has one, whatever becomes of it: so an event takes 8 bytes, and the oldest one gives way to the newest.
struct DeviceTrail {
    /// How many events are kept: four reconnects, each a loss, a dial and an end of the dial.
    static let capacity = 12

    /// The events that it keeps, in three bits.
    private enum Code: UInt64 {
        case dialled, dialFailed, ready, lost, silenced, suspended, resumed

        var kind: DeviceEvent.Kind {
            switch self {
            case .dialled: .dialled
            case .dialFailed: .dialFailed
            case .ready: .ready
            case .lost: .lost
            case .silenced: .silenced
            case .suspended: .suspended
            case .resumed: .resumed
            }
        }
    }

    private static let dialCauses = DialCause.allCases.map(\.rawValue)
    private static let lossCauses = LossCause.allCases.map(\.rawValue)

    /// Ten microseconds since the start of the run in the upper 40 bits (127 days), then 3 bits of kind, 5 of cause, 16 of number.
    private var slots = InlineArray<12, UInt64>(repeating: 0)
    private var count: UInt32 = 0

    /// The device dialled, for the so manieth time since its last loss.
    mutating func dialled(attempt: Int, at nanoseconds: Int64) { note(.dialled, number: attempt, nanoseconds) }

    /// A dial came to nothing.
    mutating func dialFailed(_ cause: DialCause, status: Int? = nil, at nanoseconds: Int64) {
        note(.dialFailed, cause: DialCause.allCases.firstIndex(of: cause), number: status, nanoseconds)
    }

    /// The device was accepted.
    mutating func ready(at nanoseconds: Int64) { note(.ready, nanoseconds) }

    /// A ready connection ended.
    mutating func lost(_ cause: LossCause, closeCode: UInt16?, at nanoseconds: Int64) {
        note(.lost, cause: LossCause.allCases.firstIndex(of: cause), number: closeCode.map(Int.init), nanoseconds)
    }

    /// A fault made the socket play dead.
    mutating func silenced(at nanoseconds: Int64) { note(.silenced, nanoseconds) }
    /// The app went to the background.
    mutating func suspended(at nanoseconds: Int64) { note(.suspended, nanoseconds) }
    /// The app came back.
    mutating func resumed(at nanoseconds: Int64) { note(.resumed, nanoseconds) }

    private mutating func note(_ code: Code, cause: Int? = nil, number: Int? = nil, _ nanoseconds: Int64) {
        let time = UInt64(max(0, nanoseconds)) / 10_000
        let causeBits = UInt64(cause.map { $0 + 1 } ?? 0)
        slots[Int(count) % Self.capacity] = time << 24 | code.rawValue << 21 | causeBits << 16 | UInt64(min(max(0, number ?? 0), 0xFFFF))
        // Beyond the ring only the place matters and that there were more.
        count = count == .max ? count - UInt32(Self.capacity) + 1 : count + 1
    }

    /// What happened since an instant, and the one event before it that says how the device stood; in the order of time.
    ///
    /// - Parameter seconds: Since the start of the run.
    func events(since seconds: Double) -> [DeviceEvent] {
        let kept = min(Int(count), Self.capacity)
        let all = (Int(count) - kept..<Int(count)).map { event(slots[$0 % Self.capacity]) }
        let first = all.firstIndex { $0.seconds >= seconds } ?? all.endIndex
        if first > 0 { return Array(all[(first - 1)...]) }
        guard Int(count) > Self.capacity, let oldest = all.first else { return all }
        return [DeviceEvent(.leftOut, seconds: oldest.seconds)] + all
    }

    private func event(_ slot: UInt64) -> DeviceEvent {
        guard let kind = Code(rawValue: slot >> 21 & 7)?.kind else { preconditionFailure("DeviceTrail: unknown event") }
        let causes = kind == .lost ? Self.lossCauses : Self.dialCauses
        let (cause, number) = (Int(slot >> 16 & 31), Int(slot & 0xFFFF))
        return DeviceEvent(
            kind, seconds: Double(slot >> 24) / 100_000, cause: cause == 0 ? "" : causes[cause - 1], number: number == 0 ? nil : number)
    }
}
