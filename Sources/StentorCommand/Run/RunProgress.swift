import StentorBase
import StentorFleet
import StentorMetrics
import StentorProfile

/// Shows the progress of a run on stderr: live on a terminal, a line every 10 s elsewhere. Control loop only.
final class RunProgress {
    private let console: Console
    private let profile: Profile
    private let schedule: LoadSchedule
    private var view: ProgressView
    private let isLive: Bool
    private let isShown: Bool
    private var nextLine = ProgressView.lineInterval

    init(_ console: Console, profile: Profile, schedule: LoadSchedule, isShown: Bool) {
        let traits = console.errorTraits
        self.console = console
        self.profile = profile
        self.schedule = schedule
        self.isShown = isShown
        isLive = traits.isTerminal
        view = ProgressView(columns: traits.columns, rows: traits.rows, hasColours: traits.hasColours)
    }

    func show(_ snapshot: RunSnapshot, outages: [Outage]) {
        guard isShown else { return }
        let frame = frame(snapshot, outages)
        if isLive {
            let traits = console.errorTraits
            view.resize(columns: traits.columns, rows: traits.rows)
            console.report(view.screen(frame))
        } else if frame.elapsed >= nextLine {
            nextLine += ProgressView.lineInterval
            console.report(view.line(frame))
        }
    }

    /// Says something between two frames.
    func say(_ text: String) {
        if isLive { console.report(view.erase()) }
        console.report("stentor: \(text)\n")
    }

    /// Takes the live view away, so that the summary stands alone.
    func end() {
        if isLive, isShown { console.report(view.erase()) }
    }

    private func frame(_ snapshot: RunSnapshot, _ outages: [Outage]) -> ProgressFrame {
        let elapsed = Duration.seconds(snapshot.elapsedSeconds)
        var frame = ProgressFrame(
            title: snapshot.identity.profile, target: snapshot.identity.targetHost, phase: snapshot.phase.name, elapsed: elapsed,
            total: profile.load.totalDuration, wantedDevices: schedule.devices(at: elapsed))
        frame.states = DeviceState.allCases.map { ProgressFrame.State($0.name, Int(snapshot.devices(in: $0))) }
        frame.rates = [
            rate("sent", .messagesSent, snapshot), rate("answered", .messagesAnswered, snapshot), rate("dials", .dials, snapshot),
            rate("photos", .uploadsConfirmed, snapshot), rate("prompts", .promptsAnswered, snapshot),
            rate("not sent", .messagesNotSent, snapshot),
        ]
        frame.latencies = [
            latency("reply", .reply, snapshot), latency("usable", .usable, snapshot), latency("reconnect", .reconnect, snapshot),
        ]
        frame.errors = errors(snapshot)
        if let last = outages.last {
            let after = last.endSeconds.map { " (over after \(Quantity.secondsText($0 - last.startSeconds)))" }
            frame.notice = "outage: \(last.name)\(after ?? "")"
        }
        return frame
    }

    private func rate(_ name: String, _ counter: Counter, _ snapshot: RunSnapshot) -> ProgressFrame.Rate {
        ProgressFrame.Rate(name, perSecond: snapshot.live.rate(counter) ?? 0, total: Int(snapshot.count(counter)))
    }

    private func latency(_ name: String, _ metric: Metric, _ snapshot: RunSnapshot) -> ProgressFrame.Latency {
        let distribution = snapshot.live.distribution(metric)
        return ProgressFrame.Latency(name, p50: distribution[.p50], p99: distribution[.p99], count: Int(distribution.count))
    }

    private func errors(_ snapshot: RunSnapshot) -> [ProgressFrame.ErrorCount] {
        let counters: [(String, Counter)] = [
            ("lost", .messagesLost), ("late", .messagesLate), ("duplicated", .messagesDuplicated), ("reordered", .messagesReordered),
            ("corrupt", .mediaCorrupt), ("malformed", .framesMalformed), ("server errors", .serverErrors),
        ]
        let counted = counters.map { ($0.0, Int(snapshot.count($0.1))) }
        let dials = snapshot.labels(.dialFailures).filter { $0.label != DialCause.cancelled.rawValue }.map { ($0.label, Int($0.count)) }
        return (counted + dials).filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }.map { ProgressFrame.ErrorCount($0.0, $0.1) }
    }
}
