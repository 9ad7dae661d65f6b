import StentorFleet
import StentorMetrics
import StentorProfile
import TestSupport
import Testing

/// What a gateway says that it saw and did, from the line of totals that ours and the independent one print alike.
public struct GatewayTruth: Sendable {
    /// What it says of one device, by the markers of the texts.
    public struct Device: Sendable {
        /// Texts received.
        public var texts = 0
        /// The numbers of the texts received.
        public var seen: Set<Int> = []
        /// Replies that went out.
        public var replied = 0
        /// Texts whose reply found no socket.
        public var unsent: Set<Int> = []

        /// Adds what another life of the gateway says of it.
        mutating func add(_ other: Device) {
            (texts, replied) = (texts + other.texts, replied + other.replied)
            seen.formUnion(other.seen)
            unsent.formUnion(other.unsent)
        }
    }

    /// By device id.
    public private(set) var devices: [String: Device]
    /// All that it printed.
    public private(set) var totals: [Facts]

    /// Reads a line of totals.
    public init(_ json: String) throws {
        let facts = try Facts(json)
        totals = [facts]
        devices = facts["per_device"].members.mapValues { device in
            var truth = Device(texts: device["texts"].count ?? 0, replied: device["replied"].count ?? 0)
            guard let first = device["first"].count, let highest = device["highest"].count else { return truth }
            truth.seen = Set(first...highest).subtracting(device["gaps"].elements.compactMap(\.count))
            truth.unsent = Set(device["unsent"].elements.compactMap(\.count))
            return truth
        }
    }

    /// Adds what the gateway's next life says.
    public mutating func add(_ later: GatewayTruth) {
        totals += later.totals
        devices.merge(later.devices) { earlier, later in
            var sum = earlier
            sum.add(later)
            return sum
        }
    }

    /// A number of the totals, over all lives; what stands nowhere is 0.
    public func count(_ path: String...) -> Int {
        totals.reduce(0) { sum, life in sum + (path.reduce(life) { $0[$1] }.count ?? 0) }
    }

    /// Counts by kind, over all lives.
    public func counts(_ path: String...) -> [String: Int] {
        totals.reduce(into: [:]) { sum, life in
            for (name, value) in path.reduce(life, { $0[$1] }).members { sum[name, default: 0] += value.count ?? 0 }
        }
    }
}
