import StentorBase
import StentorDialect
import StentorMetrics
import StentorProfile

/// Faults, drills, the way back, and windows of drifts, in full words.
extension PlanText {
    /// How often devices are to come back; nil when nothing in the profile sends them away.
    var reconnects: String? {
        var parts: [String] = []
        if plan.drilledDevices > 0 { parts.append("about \(plan.drilledDevices) by drills") }
        let dropped = plan.drops.filter { $0.drop.how != .beforeReady }.reduce(0) { $0 + $1.total }
        if dropped > 0 { parts.append("at most about \(Int(dropped.rounded())) by drops") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    var faults: [String] {
        guard !plan.profile.faults.isEmpty else { return [] }
        let drops = plan.drops.flatMap { drops in
            let rate = "at most \(Quantity.significant(drops.peakPerSecond))/s, about \(Int(drops.total.rounded())) in all"
            let every = "of each device every \(Self.exact(drops.drop.every)) in the mean, at random"
            return wrapped("  ", "drop: \(Self.words(drops.drop.how)) \(every): \(rate)")
        }
        let readers = plan.profile.faults.slowReaders.flatMap { readers in
            let count = Int((Double(plan.peakDevices) * readers.share).rounded())
            let rate = Quantity.bytesText(Double(readers.bytesPerSecond)) + "/s"
            return wrapped("  ", "slow readers: \(Self.percent(readers.share)) of the devices, about \(count), read at most \(rate)")
        }
        return ["faults"] + drops + readers
    }

    var drills: [String] {
        guard !plan.drills.isEmpty else { return [] }
        return ["drills"]
            + plan.drills.flatMap { forecast in
                let name = TerminalText.clean(forecast.drill.name)
                return wrapped("  \(right(Self.exact(forecast.drill.at), 10))  ", "\(name): \(Self.action(forecast))")
            }
    }

    private static func action(_ forecast: RunPlan.DrillForecast) -> String {
        let count = forecast.devices.map { "about \($0) of \(devices(forecast.connected))" } ?? ""
        switch forecast.drill.action {
        case .disconnect(let disconnect):
            let within = disconnect.within > .zero ? "within \(exact(disconnect.within))" : "at once"
            return "\(words(disconnect.how)) of \(percent(disconnect.share)) of the ready devices \(within), \(count)"
        case .command(let command):
            let words = forecast.words.map { TerminalText.clean($0) }.joined(separator: " ")
            return "runs '\(words)', killed after \(exact(command.within)); what it costs is not known"
        case .restartEmbedded(let restart):
            let end = restart.how == .kill ? "kills the embedded gateway" : "ends the embedded gateway in order"
            return "\(end) and starts it again \(exact(restart.down)) later, which cuts \(count)"
        }
    }

    private static func words(_ cut: Profile.Cut) -> String {
        switch cut {
        case .reset: "TCP reset"
        case .close: "orderly close"
        case .halfOpen: "silent socket (half_open)"
        case .afterSend: "TCP reset behind the next text (after_send)"
        case .midUpload: "TCP reset between two parts of the next photo (mid_upload)"
        case .beforeReady: "TCP reset before ready at the next dial (before_ready)"
        }
    }

    static func percent(_ share: Double) -> String {
        let number = share * 100
        return (number == number.rounded() ? Quantity.fixed(number, decimals: 0) : Quantity.significant(number)) + " %"
    }

    var comeback: [String] {
        guard let comeback = plan.comeback else { return [] }
        guard comeback.policy.attemptLimit != 0 else { return ["reconnect"] + wrapped("  ", "never: a device that is lost is failed") }
        let waits = comeback.waits.map(Self.exact).joined(separator: ", ")
        let ends = comeback.policy.attemptLimit.map { $0 <= comeback.waits.count } ?? false
        let then = ends || comeback.waits.count < 2 ? "" : ", and so on"
        var lines = wrapped("  waits       ", waits + then + Self.jitter(comeback.policy.jitter))
        lines += wrapped("  worst wait  ", Self.exact(comeback.worstWait) + " before one attempt")
        let attempts = comeback.policy.attemptLimit.map { limit in
            let sum = comeback.worstSum.map { ", after \(Self.exact($0)) of waiting at most" } ?? ""
            return "\(limit) after a loss, then the device is failed\(sum)"
        }
        return ["reconnect, as \(policyName)"] + lines + wrapped("  attempts    ", attempts ?? "without limit")
    }

    private var policyName: String {
        switch plan.profile.reconnect.policy {
        case .dialect: "the dialect \(plan.profile.target.dialect.rawValue) has it"
        case .fixed: "'fixed' says"
        case .exponential: "'exponential' says"
        }
    }

    private static func jitter(_ jitter: ReconnectPolicy.Jitter) -> String {
        switch jitter {
        case .none: "; without jitter: devices lost together dial together"
        case .equal: "; of each a half, and a random part of the other half"
        case .full: "; of each a random part"
        }
    }

    static func windows(_ outlook: DriftOutlook) -> String {
        let windows = "\(outlook.windows) windows of \(outlook.windowSeconds) s"
        guard outlook.isEnough else {
            return
                "no data: needs \(DriftOutlook.windowsNeeded) windows with enough samples in steady, and there will be \(outlook.windows)"
        }
        return "over at most \(windows) in steady"
    }
}
