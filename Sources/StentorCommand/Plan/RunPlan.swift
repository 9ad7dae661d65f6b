import StentorBase
import StentorFleet
import StentorMetrics
import StentorProfile

/// What a run of a profile would do, and what it needs of a machine: worked out, nothing started.
struct RunPlan: Sendable {
    /// A step of the load.
    struct Step: Sendable, Equatable {
        let at: Duration
        let from: Int
        let to: Int
        let lasts: Duration
        let isRamp: Bool
    }

    /// Things that devices do, over the whole run.
    struct Work: Sendable, Equatable {
        /// How many are expected; what the schedule draws may differ a little.
        let total: Double
        /// How many in a second while the most devices are connected.
        let peakPerSecond: Double
        /// The size of one, in bytes.
        let sizeBytes: ClosedRange<Int>

        /// The sum of the sizes, in bytes.
        var totalBytes: Double { total * (Double(sizeBytes.lowerBound) + Double(sizeBytes.upperBound)) / 2 }
    }

    /// Something that the machine must have.
    struct Need: Sendable, Equatable {
        /// What it is.
        enum Kind: String, Sendable {
            case descriptors = "file descriptors"
            case ports = "local ports"
            case memory
        }

        let kind: Kind
        let needed: Int
        /// What there is; nil when it could not be read.
        let available: Int?

        var isMet: Bool { available.map { needed <= $0 } ?? true }
    }

    let profile: Profile
    let steps: [Step]
    let duration: Duration
    let peakDevices: Int
    /// First dials; a device that comes twice is dialled twice.
    let dials: Int
    /// When the last of them is due.
    let lastDial: Duration?
    /// The dials per second that the ramps ask for, or the connect rate if that is less.
    let dialsPerSecond: Double
    /// Devices that the drills disconnect in all, each of which dials again.
    let drilledDevices: Int
    /// What cuts connections all the time.
    let drops: [Drops]
    /// The drills in the order of time.
    let drills: [DrillForecast]
    /// How devices come back; nil for a dialect that this version does not speak.
    let comeback: Comeback?
    /// The windows of each gate on a drift, in the order of the gates; nil for other gates.
    let driftOutlooks: [DriftOutlook?]
    /// Devices that leave a port lingering in TIME_WAIT after the largest drill with a closing handshake.
    let lingeringPorts: Int
    let texts: Work?
    let photos: Work?
    let pings: Double?
    let absences: Double?
    let needs: [Need]
    let machine: PlanMachine

    /// Works a plan out; takes time and memory in proportion to the devices.
    init(_ profile: Profile, on machine: PlanMachine) {
        self.profile = profile
        self.machine = machine
        steps = Self.steps(profile.load)
        duration = profile.load.totalDuration
        let peak = profile.load.peakDevices
        peakDevices = peak
        let schedule = LoadSchedule(profile.load, connectRatePerSecond: profile.connectRatePerSecond)
        let end = duration
        // What the connect rate holds back beyond the end is never dialled.
        let stays = (0..<schedule.deviceCount).flatMap { schedule.stays(ofDevice: $0) }.filter { $0.dial < end }
        dials = stays.count
        lastDial = stays.map(\.dial).max()
        let steepest = steps.map { Double($0.to - $0.from) / $0.lasts.inSeconds }.max() ?? 0
        dialsPerSecond = min(profile.connectRatePerSecond, steepest)
        let deviceSeconds = stays.reduce(0) { $0 + (($1.leave ?? end) - $1.dial).inSeconds }
        func work(_ every: Duration, _ size: ClosedRange<Int>) -> Work {
            Work(total: deviceSeconds / every.inSeconds, peakPerSecond: Double(peak) / every.inSeconds, sizeBytes: size)
        }
        texts = profile.behaviour.text.map { work($0.every, $0.bodyBytes) }
        photos = profile.behaviour.photo.map { work($0.every, $0.sizeBytes) }
        pings = profile.behaviour.ping.map { deviceSeconds / $0.every.inSeconds }
        absences = profile.behaviour.away.map { deviceSeconds / $0.every.inSeconds }
        drops = Self.drops(profile, deviceSeconds: deviceSeconds)
        let drills = Self.drills(profile, schedule)
        self.drills = drills
        drilledDevices = drills.reduce(0) { $0 + $1.reconnects }
        lingeringPorts = drills.filter(\.lingers).map(\.reconnects).max() ?? 0
        comeback = Self.comeback(profile)
        driftOutlooks = Self.outlooks(profile, schedule)
        needs = Self.needs(profile, on: machine)
    }

    /// What the machine cannot give, one failure each.
    var failures: [UserFailure] {
        [machine.foreignAddress].compactMap(\.self)
            + needs.compactMap { need in
                guard !need.isMet, let available = need.available else { return nil }
                switch need.kind {
                case .descriptors:
                    return UserFailure(
                        .machine, "\(peakDevices) devices need \(need.needed) file descriptors, and the hard limit is \(available)",
                        place: "devices.count", hint: "raise the hard limit (ulimit -Hn), or use fewer devices on this machine")
                case .ports:
                    return PortLimit.failure(devices: peakDevices, available: available)
                case .memory:
                    return UserFailure(
                        .machine,
                        "\(peakDevices) devices need about \(Quantity.bytesText(Double(need.needed))) of memory, and \(Quantity.bytesText(Double(available))) are available",
                        place: "devices.count", hint: "use fewer devices on this machine")
                }
            }
    }

    private static func steps(_ load: Profile.Load) -> [Step] {
        var steps: [Step] = []
        var at = Duration.zero
        for step in load.steps {
            let from = steps.last?.to ?? 0
            switch step {
            case .ramp(let to, let over): steps.append(Step(at: at, from: from, to: to, lasts: over, isRamp: true))
            case .hold(let duration): steps.append(Step(at: at, from: from, to: from, lasts: duration, isRamp: false))
            }
            at += step.duration
        }
        return steps
    }

    private static func needs(_ profile: Profile, on machine: PlanMachine) -> [Need] {
        let devices = profile.load.peakDevices
        var cost = DeviceCost.plainBytes
        switch profile.target.endpoint {
        case .embedded: cost += DeviceCost.gatewayBytes
        case .url(let url): if url.isSecure { cost = DeviceCost.tlsBytes }
        }
        let addresses = profile.target.dialAddressCount
        return [
            Need(kind: .descriptors, needed: devices + DescriptorLimit.reserve, available: machine.descriptorLimit),
            Need(
                kind: .ports, needed: devices, available: machine.ports.map { max(0, $0.total(addresses: addresses) - machine.portsTaken) }),
            Need(kind: .memory, needed: devices * cost, available: machine.availableMemoryBytes),
        ]
    }
}
