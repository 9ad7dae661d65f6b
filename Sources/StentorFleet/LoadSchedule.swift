import StentorBase
import StentorProfile

/// Which device is meant to be connected when, as a pure function of the profile's load and connect rate.
///
/// The number of devices follows the load's steps linearly. Device i (from 0) is meant to be there while the number is i + 1 or more, so low
/// indices come first and leave last. Dials are due when a device is meant to come, but no faster than the connect rate: dial n is due at
/// `max(meant n, due n−1 + 1/rate)` (an open process: it never waits for an answer). A device that the rate would hold back until it is to
/// leave again does not come at all, and takes no turn.
public struct LoadSchedule: Sendable {
    /// A stretch of time in which a device is meant to be connected.
    public struct Stay: Sendable, Equatable {
        /// When the load asks for the device, from the run's start.
        public let meant: Duration
        /// When its dial is due: as meant, or later by the connect rate.
        public let dial: Duration
        /// When it is to leave; nil: it stays to the end of the load.
        public let leave: Duration?
    }

    private struct Corner: Sendable {
        let at: Double
        let devices: Double
    }

    /// When the load ends.
    public let duration: Duration
    private let corners: [Corner]
    private let stays: [[Stay]]
    /// Of all stays, in the order of their dials, which is also that of `meant`.
    private let dials: [(meant: Duration, due: Duration)]

    /// Works the schedule out; takes time and memory in proportion to the devices.
    public init(_ load: Profile.Load, connectRatePerSecond: Double) {
        duration = load.totalDuration
        var corners = [Corner(at: 0, devices: 0)]
        for step in load.steps {
            let at = (corners.last?.at ?? 0) + step.duration.inSeconds
            switch step {
            case .ramp(let target, _): corners.append(Corner(at: at, devices: Double(target)))
            case .hold: corners.append(Corner(at: at, devices: corners.last?.devices ?? 0))
            }
        }
        self.corners = corners
        (stays, dials) = Self.stays(corners: corners, devices: load.peakDevices, rate: connectRatePerSecond)
    }

    /// One device that is there from the start on, and no other.
    init(alone device: Int, for duration: Duration) {
        self.duration = duration
        corners = [Corner(at: 0, devices: 1), Corner(at: duration.inSeconds, devices: 1)]
        stays = Array(repeating: [], count: device) + [[Stay(meant: .zero, dial: .zero, leave: duration)]]
        dials = [(.zero, .zero)]
    }

    /// The stays of a device, in order; empty for a device that the load never asks for.
    public func stays(ofDevice index: Int) -> [Stay] {
        index < stays.count ? stays[index] : []
    }

    /// How many devices are ever meant to be connected.
    public var deviceCount: Int { stays.count }

    /// How many devices are meant to be connected at a time.
    public func devices(at elapsed: Duration) -> Int {
        let time = elapsed.inSeconds
        guard let after = corners.firstIndex(where: { $0.at > time }) else { return Int(corners.last?.devices ?? 0) }
        let (from, to) = (corners[max(0, after - 1)], corners[after])
        guard to.at > from.at else { return Int(to.devices) }
        return Int((from.devices + (to.devices - from.devices) * (time - from.at) / (to.at - from.at)).rounded(.down))
    }

    /// How the number of devices moves at a time.
    public func slope(at elapsed: Duration) -> Slope {
        let time = max(0, elapsed.inSeconds)
        guard let after = corners.firstIndex(where: { $0.at > time }), after > 0 else { return .over }
        let (from, to) = (corners[after - 1], corners[after])
        if to.devices == from.devices { return .level }
        guard to.devices < from.devices else { return .rising }
        return corners[after...].contains { $0.devices > to.devices } ? .rising : .falling
    }

    /// How the number of devices moves.
    public enum Slope: Sendable, Equatable {
        /// It changes on the way to a plateau (also downwards, when it rises again later).
        case rising
        /// It stays.
        case level
        /// It falls for the last time.
        case falling
        /// The load has ended.
        case over
    }

    /// Whether all devices that are meant to be there by a time were dialled by then: false while the connect rate holds dials back.
    public func dialsAreDue(by elapsed: Duration) -> Bool {
        var (low, high) = (0, dials.count)
        while low < high {
            let middle = (low + high) / 2
            if dials[middle].meant <= elapsed { low = middle + 1 } else { high = middle }
        }
        return low == 0 || dials[low - 1].due <= elapsed
    }

    private static func stays(
        corners: [Corner], devices: Int, rate: Double
    ) -> (stays: [[Stay]], dials: [(meant: Duration, due: Duration)]) {
        struct Arrival {
            let device: Int
            let meant: Double
            let leave: Double?
        }
        var arrivals: [Arrival] = []
        for device in 0..<devices {
            var came: Double?
            for (from, to) in zip(corners, corners.dropFirst()) where from.devices != to.devices {
                let level = Double(device + 1)
                let crossing = from.at + (to.at - from.at) * (level - from.devices) / (to.devices - from.devices)
                if from.devices < level, to.devices >= level {
                    came = crossing
                } else if from.devices >= level, to.devices < level, let start = came {
                    arrivals.append(Arrival(device: device, meant: start, leave: crossing))
                    came = nil
                }
            }
            if let start = came { arrivals.append(Arrival(device: device, meant: start, leave: nil)) }
        }
        arrivals.sort { ($0.meant, $0.device) < ($1.meant, $1.device) }
        var stays = [[Stay]](repeating: [], count: devices)
        var dials: [(meant: Duration, due: Duration)] = []
        var earliest = 0.0
        for arrival in arrivals {
            let dial = max(arrival.meant, earliest)
            if let leave = arrival.leave, dial >= leave { continue }
            earliest = dial + 1 / rate
            let stay = Stay(meant: .seconds(arrival.meant), dial: .seconds(dial), leave: arrival.leave.map { .seconds($0) })
            stays[arrival.device].append(stay)
            dials.append((stay.meant, stay.dial))
        }
        return (stays, dials)
    }
}
