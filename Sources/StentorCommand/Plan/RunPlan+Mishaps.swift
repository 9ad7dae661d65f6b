import StentorBase
import StentorDialect
import StentorFleet
import StentorMetrics
import StentorProfile

/// What goes wrong on purpose in a run, and how devices come back from it.
extension RunPlan {
    /// A kind of drop, with the cuts to expect.
    struct Drops: Sendable, Equatable {
        let drop: Profile.Drop
        /// Cuts while the most devices are connected. Drops of devices that are not ready do not happen, so there are no more.
        let peakPerSecond: Double
        /// Cuts in the whole run, at most about.
        let total: Double
    }

    /// A drill, with the devices that it takes.
    struct DrillForecast: Sendable, Equatable {
        let drill: Profile.Drill
        /// Devices meant to be connected when it begins.
        let connected: Int
        /// Those of them that lose their connection; nil when that is up to a command.
        let devices: Int?
        /// A command's words as they may be shown.
        let words: [String]

        /// Whether its cuts leave ports in TIME_WAIT: those with a closing handshake.
        var lingers: Bool {
            if case .disconnect(let disconnect) = drill.action { disconnect.how == .close } else { false }
        }

        /// Devices that are ready before the drill and dial again after it.
        var reconnects: Int {
            if case .disconnect(let disconnect) = drill.action, disconnect.how == .beforeReady { return 0 }
            return devices ?? 0
        }
    }

    /// The waits of a device that never gets through.
    struct Comeback: Sendable, Equatable {
        let policy: ReconnectPolicy
        /// Waits before jitter, up to where they grow no more, or to the last attempt.
        let waits: [Duration]
        /// The longest wait before one attempt; zero when there is no attempt.
        let worstWait: Duration
        /// From the loss until the device is given up, all attempts failing at once; nil: it never is.
        let worstSum: Duration?
    }

    static func drops(_ profile: Profile, deviceSeconds: Double) -> [Drops] {
        profile.faults.drops.map { drop in
            let each = 1 / drop.every.inSeconds
            return Drops(drop: drop, peakPerSecond: Double(profile.load.peakDevices) * each, total: deviceSeconds * each)
        }
    }

    static func drills(_ profile: Profile, _ schedule: LoadSchedule) -> [DrillForecast] {
        let forecasts = profile.drills.enumerated().map { index, drill in
            let connected = schedule.devices(at: drill.at)
            let words = profile.origins.filter { $0.path.hasPrefix("drills[\(index)].command[") }.map(\.value)
            let devices: Int? =
                switch drill.action {
                case .disconnect(let disconnect): Int((Double(connected) * disconnect.share).rounded())
                case .restartEmbedded: connected
                case .command: nil
                }
            return DrillForecast(drill: drill, connected: connected, devices: devices, words: words)
        }
        return forecasts.sorted { $0.drill.at < $1.drill.at }
    }

    static func comeback(_ profile: Profile) -> Comeback? {
        guard let dialect = Dialect.named(profile.target.dialect.rawValue) else { return nil }
        let policy = FleetPlan.reconnectPolicy(profile.reconnect, dialect)
        let limit = policy.attemptLimit ?? .max
        var waits: [Duration] = []
        while waits.count < limit, waits.count < 64 {
            let next = policy.plainDelay(attempt: waits.count + 1)
            if next == waits.last { break }
            waits.append(next)
        }
        let last = waits.last ?? .zero
        let sum = policy.attemptLimit.map { waits.reduce(.zero, +) + last * max(0, $0 - waits.count) }
        return Comeback(policy: policy, waits: waits, worstWait: last, worstSum: sum)
    }

    /// The windows of each gate on a drift, in the order of the gates; nil for other gates.
    static func outlooks(_ profile: Profile, _ schedule: LoadSchedule) -> [DriftOutlook?] {
        let drifts = profile.gates.map { rule -> Gate.Drift? in
            if case .drift(let drift, _, _) = rule.gate.subject { drift } else { nil }
        }
        guard drifts.contains(where: { $0 != nil }) else { return drifts.map { _ in nil } }
        let steady = steadySeconds(schedule)
        return drifts.map { drift in
            drift.map { DriftOutlook(of: $0, steadySeconds: steady, samplesPerSecond: samplesPerSecond($0, profile)) }
        }
    }

    /// How long the load is level and all are dialled, to a second or a ten-thousandth of the run.
    private static func steadySeconds(_ schedule: LoadSchedule) -> Int {
        let whole = schedule.duration.inSeconds
        let step = max(1, whole / 10_000)
        let looks = stride(from: step / 2, to: whole, by: step).count { time in
            let at = Duration.seconds(time)
            return schedule.slope(at: at) == .level && schedule.dialsAreDue(by: at)
        }
        return Int(Double(looks) * step)
    }

    /// Samples a second of the whole fleet, where the profile alone decides it.
    private static func samplesPerSecond(_ drift: Gate.Drift, _ profile: Profile) -> Double? {
        guard case .distribution(let metric, _) = drift else { return nil }
        let behaviour = profile.behaviour
        let known: [([Metric], Duration?)] = [
            ([.reply, .replyFirst, .replyService, .replyFirstService, .sendLag], behaviour.text?.every),
            ([.upload, .uploadRate, .confirm], behaviour.photo?.every), ([.pingRTT], behaviour.ping?.every),
        ]
        let every = known.first { $0.0.contains(metric) }?.1
        return every.map { Double(profile.load.peakDevices) / $0.inSeconds }
    }
}
