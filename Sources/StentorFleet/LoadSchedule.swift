import StentorBase
import StentorProfile

/// Which device is meant to be connected when, as a pure function of the profile's load and connect rate.
///
/// The number of devices follows the load's steps linearly. Device i (from 0) is meant to be there while the number is above i, so low indices
/// come first and leave last. Dials are due when a device is meant to come, but no faster than the connect rate: dial n is due at
/// `max(meant n, due n−1 + 1/rate)` (an open process: it never waits for an answer).
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
        stays = Self.stays(corners: corners, devices: load.peakDevices, rate: connectRatePerSecond)
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
        let time = elapsed.inSeconds
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

    /// Whether every dial that is due by a time has been due: false while the connect rate holds dials back.
    public func dialsAreDue(by elapsed: Duration) -> Bool {
        lastDial.map { $0 <= elapsed || devices(at: elapsed) == 0 } ?? true
    }

    private var lastDial: Duration? { stays.compactMap { $0.first?.dial }.max() }

    private static func stays(corners: [Corner], devices: Int, rate: Double) -> [[Stay]] {
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
        var earliest = 0.0
        for arrival in arrivals {
            let dial = max(arrival.meant, earliest)
            earliest = dial + 1 / rate
            stays[arrival.device].append(
                Stay(meant: .seconds(arrival.meant), dial: .seconds(dial), leave: arrival.leave.map { .seconds($0) }))
        }
        return stays
    }
}
