import StentorMetrics

/// Finds out what happened from one state of a run to the next. Pure.
///
/// Phases and gates are noticed at the end of a second; outages carry their own times.
struct EventWatcher {
    private let drills: Set<String>
    private var phase: Phase?
    private var gates: [String: GateResult.Verdict] = [:]
    private var opened = 0
    private var closed: Set<Int> = []

    /// - Parameter drills: The names of the profile's drills: an outage of such a name was opened by it.
    init(drills: Set<String>) {
        self.drills = drills
    }

    /// What is new, in the order of time.
    mutating func events(_ second: JournalSecond) -> [RunEvent] {
        outages(second) + phaseChange(second) + gateChanges(second)
    }

    private mutating func outages(_ second: JournalSecond) -> [RunEvent] {
        var events: [RunEvent] = []
        for (index, outage) in second.outages.enumerated() {
            let number = index + 1
            if number > opened {
                opened = number
                if drills.contains(outage.name) { events.append(event(.drill(name: outage.name), second, outage.startSeconds)) }
                events.append(event(.outageOpened(number: number, name: outage.name), second, outage.startSeconds))
            }
            if let end = outage.endSeconds, closed.insert(number).inserted {
                events.append(event(.outageClosed(number: number, outage), second, end))
            }
        }
        return events
    }

    private mutating func phaseChange(_ second: JournalSecond) -> [RunEvent] {
        let next = second.snapshot.phase
        guard next != phase else { return [] }
        defer { phase = next }
        return [event(.phase(from: phase, to: next), second, second.endSeconds)]
    }

    private mutating func gateChanges(_ second: JournalSecond) -> [RunEvent] {
        second.snapshot.gates.compactMap { gate in
            let before = gates.updateValue(gate.verdict, forKey: gate.expression)
            guard before != gate.verdict else { return nil }
            return event(
                .gate(expression: gate.expression, from: before, to: gate.verdict, valueText: gate.valueText), second, second.endSeconds)
        }
    }

    private func event(_ kind: RunEvent.Kind, _ second: JournalSecond, _ elapsed: Double) -> RunEvent {
        RunEvent(kind, wallSeconds: second.wallSeconds + (elapsed - second.endSeconds), elapsedSeconds: elapsed)
    }
}
