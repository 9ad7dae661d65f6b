import StentorBase

/// The pings of one device: at most one is in flight, and one that is not answered in time ends the connection.
struct PingSchedule {
    private let every: Duration
    private let within: Duration
    private var due: Instant?
    private var deadline: Instant?
    private(set) var number: UInt64 = 0
    private var sentAt: Instant?

    init(every: Duration, within: Duration) {
        self.every = every
        self.within = within
    }

    /// The next instant at which something is due.
    var next: Instant? { deadline ?? due }

    mutating func start(at now: Instant, random: inout SeededRandom) {
        due = Self.onGrid(now + random.duration(in: .zero...every))
        deadline = nil
    }

    mutating func stop() {
        due = nil
        deadline = nil
        sentAt = nil
    }

    /// Whether the peer is silent: the deadline of a pong has passed.
    func isOverdue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// The number of the ping that is due now, if one is.
    mutating func take(at now: Instant) -> UInt64? {
        guard deadline == nil, let instant = due, instant <= now else { return nil }
        number += 1
        deadline = now + within
        let next = instant + every
        due = Self.onGrid(next > now ? next : now + every)
        return number
    }

    mutating func sent(_ number: UInt64, at now: Instant) {
        if number == self.number { sentAt = now }
    }

    /// A pong came; gives the instant its ping was handed to the kernel, if it is the one awaited.
    mutating func answered(_ payload: [UInt8]) -> Instant? {
        guard deadline != nil, payload == Self.payload(number), let sent = sentAt else { return nil }
        deadline = nil
        sentAt = nil
        return sent
    }

    /// Pings go out on a grid that all devices share, so that a fleet that only pings lets its machine sleep: waking up costs more than a
    /// ping. Round trips run from the kernel's taking the ping, so the grid is in none of them.
    static let gridNanoseconds: Int64 = 25_000_000

    private static func onGrid(_ instant: Instant) -> Instant {
        Instant(nanoseconds: (instant.nanoseconds + gridNanoseconds - 1) / gridNanoseconds * gridNanoseconds)
    }

    static func payload(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
