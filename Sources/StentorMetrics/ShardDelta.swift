/// What a shard counted since the last hand-over: a value that crosses threads, and can be merged.
public struct ShardDelta: Sendable {
    private var histograms: [Histogram]
    /// One bit for each histogram that holds something; 26 metrics × 5 phases do not fit one word.
    private var touched: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var counters: [Int64]
    private var states: [Int64]
    private var labels: [CappedCounts]
    /// Devices that came back, or did not, in the order in which it was known.
    public private(set) var reconnects: [ReconnectRecord] = []
    /// Items that did not arrive as they should, at most ``offendersKept``.
    public private(set) var offenders: [OffenderRecord] = []
    /// How many offenders were beyond ``offendersKept``.
    public private(set) var offendersDropped = 0

    /// How many offenders one delta keeps: a server that loses everything must not fill the memory.
    public static let offendersKept = 1000

    /// Makes an empty delta; its histograms take no memory before their first value.
    public init() {
        precondition(Metric.allCases.count * Phase.allCases.count <= 192, "ShardDelta: more histograms than bits")
        histograms = Array(repeating: Histogram(), count: Metric.allCases.count * Phase.allCases.count)
        counters = Array(repeating: 0, count: Counter.allCases.count)
        states = Array(repeating: 0, count: DeviceState.allCases.count)
        labels = Array(repeating: CappedCounts(), count: LabelFamily.allCases.count)
    }

    /// The values of a metric in a phase.
    public func histogram(_ metric: Metric, in phase: Phase) -> Histogram { histograms[Self.slot(metric, phase)] }
    /// The values of a metric over all phases; for the live view, never for a verdict.
    public func histogram(_ metric: Metric) -> Histogram {
        Phase.allCases.reduce(into: Histogram()) { $0.merge(histogram(metric, in: $1)) }
    }
    /// The count itself, or its change; negative when a revisable count or a level fell.
    ///
    /// A derived one is the sum of its parts.
    public func count(_ counter: Counter) -> Int64 {
        counter.parts.isEmpty ? counters[counter.rawValue] : counter.parts.reduce(0) { $0 + count($1) }
    }
    /// How many devices are in a state, or the change of that number.
    public func devices(in state: DeviceState) -> Int64 { states[state.rawValue] }
    /// The counts of a family by label.
    public func labels(_ family: LabelFamily) -> CappedCounts { labels[family.rawValue] }

    @inline(__always)
    mutating func record(_ metric: Metric, _ value: UInt64, _ phase: Phase) {
        let slot = Self.slot(metric, phase)
        touch(slot)
        histograms[slot].record(value)
    }

    @inline(__always)
    mutating func count(_ counter: Counter, by amount: Int64) { counters[counter.rawValue] &+= amount }

    mutating func move(from old: DeviceState?, to new: DeviceState?, by devices: Int64) {
        if let old { states[old.rawValue] -= devices }
        if let new { states[new.rawValue] += devices }
    }

    mutating func add(_ family: LabelFamily, _ label: String, by amount: Int64) { labels[family.rawValue].add(label, by: amount) }

    mutating func note(_ record: ReconnectRecord) { reconnects.append(record) }

    var hasRoomForOffender: Bool { offenders.count < Self.offendersKept }

    mutating func dropOffender() { offendersDropped += 1 }

    mutating func note(_ record: OffenderRecord) {
        if hasRoomForOffender { offenders.append(record) } else { dropOffender() }
    }

    /// Adds all that another delta counted, and its records.
    public mutating func merge(_ other: ShardDelta) {
        mergeNumbers(other)
        reconnects += other.reconnects
        offendersDropped += other.offendersDropped
        for record in other.offenders { note(record) }
    }

    /// Forgets the records and keeps the numbers.
    mutating func dropRecords() {
        reconnects = []
        offenders = []
        offendersDropped = 0
    }

    /// Adds all that another delta counted, without its records.
    mutating func mergeNumbers(_ other: ShardDelta) {
        other.forEachTouched { slot in
            touch(slot)
            histograms[slot].merge(other.histograms[slot])
        }
        for index in counters.indices { counters[index] &+= other.counters[index] }
        for index in states.indices { states[index] &+= other.states[index] }
        for index in labels.indices { labels[index].merge(other.labels[index]) }
    }

    /// Empties it and keeps the memory; what was not touched costs nothing.
    public mutating func clear() {
        let before = touched
        touched = (0, 0, 0)
        Self.forEach(before) { histograms[$0].clear() }
        for index in counters.indices { counters[index] = 0 }
        for index in states.indices { states[index] = 0 }
        for index in labels.indices { labels[index].clear() }
        dropRecords()
    }

    /// Calls for each metric and phase that has values, in order.
    public func forEachDistribution(_ body: (Metric, Phase, Histogram) -> Void) {
        let phases = Phase.allCases
        let metrics = Metric.allCases
        forEachTouched { body(metrics[$0 / phases.count], phases[$0 % phases.count], histograms[$0]) }
    }

    @inline(__always)
    private static func slot(_ metric: Metric, _ phase: Phase) -> Int { metric.rawValue &* 5 &+ phase.rawValue }

    @inline(__always)
    private mutating func touch(_ slot: Int) {
        let bit: UInt64 = 1 << UInt64(slot & 63)
        switch slot >> 6 {
        case 0: touched.0 |= bit
        case 1: touched.1 |= bit
        default: touched.2 |= bit
        }
    }

    private func forEachTouched(_ body: (Int) -> Void) { Self.forEach(touched, body) }

    private static func forEach(_ bits: (UInt64, UInt64, UInt64), _ body: (Int) -> Void) {
        for (word, base) in [(bits.0, 0), (bits.1, 64), (bits.2, 128)] {
            var rest = word
            while rest != 0 {
                body(base + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
