import StentorBase
import StentorLoop
import StentorMetrics
import StentorProfile

/// What the fleet counted, and what follows from it.
extension FleetRun {
    func collect() async {
        for link in links {
            let delta = await withUnsafeContinuation { (continuation: UnsafeContinuation<ShardDelta, Never>) in
                link.loop.post { continuation.resume(returning: link.crew.value.collect()) }
            }
            totals.add(delta)
        }
        totals.endSecond()
        generator = probe.read(links.map(\.loop))
    }

    func snapshot() -> RunSnapshot {
        RunSnapshot(
            identity: identity, elapsedSeconds: max(0, (Instant.now() - start).inSeconds), phase: phases.phase, totals: totals,
            generator: generator)
    }

    func checkReachability(_ snapshot: RunSnapshot) {
        guard end == nil, snapshot.count(.ready) == 0, snapshot.elapsedSeconds >= unreachableAfter.inSeconds else { return }
        let failures = snapshot.labels(.dialFailures).filter { DialCause(rawValue: $0.label)?.isGeneratorLimit != true }
        let failed = failures.reduce(0) { $0 + $1.count }
        // Every device that has dialled has failed at least once, and none was ever ready.
        if failed >= min(Int64(plan.schedule.deviceCount), 3), failed * 2 >= snapshot.count(.dials) { stop(.unreachable, grace: .zero) }
    }

    func checkAbortingGates(_ snapshot: RunSnapshot) {
        guard end == nil else { return }
        for rule in plan.profile.gates where rule.abortsRun && snapshot.elapsedSeconds >= rule.after.inSeconds {
            if rule.gate.evaluate(snapshot).verdict == .fail { return stop(.gateFailed(rule.text)) }
        }
    }

    func conclude() -> FleetOutcome {
        if let open = phases.finish() { note(open) }
        generator = probe.total(devices: plan.schedule.deviceCount)
        let snapshot = snapshot()
        let longest = links.map { $0.signals.longestLag.load(ordering: .relaxed) }.max() ?? 0
        // A defect of ours makes a run say nothing of the target, as an overload does.
        var limits = GeneratorVerdict.reasons(snapshot, longestLag: .nanoseconds(longest))
        limits += totals.openAccounts.map { "the outcomes of \($0.name) do not add up to it: a defect of Stentor" }
        let stuck = snapshot.devices(in: .stuck)
        if stuck > 0 { limits.append("\(stuck) devices neither progressed nor failed: a defect of Stentor") }
        return FleetOutcome(
            end: end ?? .completed, snapshot: snapshot, outages: outages,
            generatorLimits: limits, warnings: warnings,
            drills: drillRecords)
    }
}
