import StentorMetrics

/// Decides in which phase a run is, and opens and closes outage windows. Pure: told what the fleet looks like, it answers what is new.
///
///     ramp ⇄ steady → drain
///       │      │
///       └─ outage → recovery ─┘      (a drill, or ready devices collapsing together)
struct PhaseMachine: ~Copyable {
    /// What the fleet looks like at a tick.
    struct View {
        /// Seconds since the start of the run.
        var elapsed: Double
        /// How the wanted number of devices moves.
        var slope: LoadSchedule.Slope
        /// Devices that are meant to be connected.
        var wanted: Int
        /// Devices that are ready.
        var ready: Int
        /// Losses and returns since the start of the run, of devices that did not mean to leave.
        var losses: Int
        var returns: Int
        /// Dials since the start.
        var dials: Int
        /// When the dials since the last look began, in hundredths of a second.
        var dialTimes: [Int] = []
        /// Devices that a drill has chosen and not cut off yet.
        var cutsAhead = 0
        /// Whether the run is ending.
        var isEnding: Bool
    }

    /// What a tick changed.
    enum Action: Equatable {
        /// The phase is another one now.
        case enter(Phase)
        /// An outage opened or changed its numbers or closed.
        case outageOpened(String)
        case outageClosed(Outage)
    }

    private struct Window {
        var outage: Outage
        /// Devices that were ready before it: as many are to be ready again, however many the load wants.
        var readyBefore: Int
        var lossesBefore: Int
        var returnsBefore: Int
        var dialsBefore: Int
        var dialTicks: [(at: Double, dials: Int)] = []
        var hasReturned = false
        var crowd = DialCrowd()

        /// Dials of the last second; ticks do not come at whole seconds, so what a slightly longer time saw is scaled down.
        mutating func dialsPerSecond(_ view: View) -> Int {
            dialTicks.append((view.elapsed, view.dials))
            while dialTicks.count > 2, view.elapsed - dialTicks[1].at >= 1 { dialTicks.removeFirst() }
            let seconds = max(1, view.elapsed - dialTicks[0].at)
            return Int((Double(view.dials - dialTicks[0].dials) / seconds).rounded())
        }
    }

    /// Ready devices collapse when this share of them (and three at least) is lost within ``collapseSeconds``.
    static let collapseShare = 0.1
    /// See ``collapseShare``.
    static let collapseSeconds = 2.0
    /// The share of lost devices that must be back for a window to close.
    static let closeShare = 0.99
    /// How long a window is open at least: what a drill does begins a little after it.
    static let shortestWindowSeconds = 0.5

    /// How long a level load may wait for its last devices before it counts as steady all the same, in seconds.
    static let settleSeconds = 30.0

    private(set) var phase = Phase.ramp
    private var window: Window?
    /// The looks of the last ``collapseSeconds``, oldest first; emptied when a window closes.
    private var history: [View] = []
    private var hasPlateaued = false
    private var levelSince: Double?

    init() {}

    /// The outage that is open, with its numbers so far.
    var openOutage: Outage? { window?.outage }

    /// A drill begins: what follows is an outage.
    mutating func drillStarted(_ name: String, _ view: View) -> [Action] {
        var actions: [Action] = []
        if let closed = close() { actions.append(.outageClosed(closed)) }
        return actions + open(name, since: view)
    }

    /// Looks at the fleet.
    mutating func tick(_ view: View) -> [Action] {
        var actions: [Action] = []
        history.append(view)
        history.removeAll { $0.elapsed < view.elapsed - Self.collapseSeconds }
        if view.isEnding || view.slope == .falling || view.slope == .over {
            if let closed = close() { actions.append(.outageClosed(closed)) }
            return actions + enter(.drain)
        }
        if window == nil, let before = viewBeforeCollapse(view) { actions += open("collapse", since: before) }
        if window != nil {
            actions += follow(view)
            if window != nil { return actions }
        }
        notePlateau(view)
        return actions + enter(hasPlateaued ? .steady : .ramp)
    }

    /// A plateau begins when nearly all devices are there, not when the schedule says so; but devices that never come must not keep the rest
    /// from being measured.
    private mutating func notePlateau(_ view: View) {
        guard view.slope == .level else {
            hasPlateaued = false
            levelSince = nil
            return
        }
        let since = levelSince ?? view.elapsed
        levelSince = since
        let isComplete = Double(view.ready) >= Self.closeShare * Double(view.wanted)
        if isComplete || view.elapsed - since >= Self.settleSeconds { hasPlateaued = true }
    }

    /// The run is over: what is still open is told as it is.
    mutating func finish() -> Outage? { close() }

    // MARK: - Windows

    private mutating func open(_ name: String, since view: View) -> [Action] {
        window = Window(
            outage: Outage(name: name, startSeconds: view.elapsed, devicesLost: 0), readyBefore: view.ready, lossesBefore: view.losses,
            returnsBefore: view.returns, dialsBefore: view.dials, dialTicks: [(view.elapsed, view.dials)])
        // A collapse is noticed late; the last look itself is followed up by whoever opens the window.
        for late in history.dropLast() where late.elapsed > view.elapsed { window?.crowd.add(late.dialTimes) }
        return [.outageOpened(name)] + enter(.outage)
    }

    /// A collapse is noticed late: this is the last look before its first loss, so that what was lost just before belongs to it.
    private func viewBeforeCollapse(_ view: View) -> View? {
        guard let first = history.first, let ready = history.map(\.ready).max() else { return nil }
        let lost = view.losses - first.losses
        guard lost >= 3, Double(lost) >= Self.collapseShare * Double(ready) else { return nil }
        return history.last { $0.losses == first.losses }
    }

    private mutating func follow(_ view: View) -> [Action] {
        guard var current = window else { return [] }
        let lost = view.losses - current.lossesBefore
        let back = view.returns - current.returnsBefore
        let since = view.elapsed - current.outage.startSeconds
        current.outage.devicesLost = lost
        current.outage.attempts = view.dials - current.dialsBefore
        current.outage.peakDialsPerSecond = max(current.outage.peakDialsPerSecond ?? 0, current.dialsPerSecond(view))
        current.crowd.add(view.dialTimes)
        current.outage.retrySynchronisation = current.crowd.share
        let share = lost > 0 ? Double(back) / Double(lost) : 0
        func reached(_ wanted: Double, _ earlier: Double?) -> Double? { share >= wanted ? earlier ?? since : nil }
        current.outage.readyAfter50Seconds = reached(0.5, current.outage.readyAfter50Seconds)
        current.outage.readyAfter90Seconds = reached(0.9, current.outage.readyAfter90Seconds)
        current.outage.readyAfter99Seconds = reached(0.99, current.outage.readyAfter99Seconds)
        current.outage.readyAfter100Seconds = reached(1, current.outage.readyAfter100Seconds)
        var actions: [Action] = []
        if back > 0, !current.hasReturned {
            current.hasReturned = true
            actions += enter(.recovery)
        }
        window = current
        let isBack = share >= Self.closeShare && Double(view.ready) >= Self.closeShare * Double(min(view.wanted, current.readyBefore))
        if isBack || lost == 0, view.cutsAhead == 0, since > Self.shortestWindowSeconds, var closed = close() {
            closed.endSeconds = view.elapsed
            actions.append(.outageClosed(closed))
        }
        return actions
    }

    /// What was lost before belongs to the window that closes, so that it opens no second one.
    private mutating func close() -> Outage? {
        guard let closed = window?.outage else { return nil }
        window = nil
        history.removeAll()
        return closed
    }

    private mutating func enter(_ next: Phase) -> [Action] {
        guard next != phase else { return [] }
        phase = next
        return [.enter(next)]
    }
}
