import StentorBase
import StentorMetrics
import StentorProfile

/// Scripted moments: each opens an outage window.
extension FleetRun {
    func startDrills(at now: Instant) {
        while end == nil, let drill = pendingDrills.first, start + drill.at <= now {
            pendingDrills.removeFirst()
            apply(phases.drillStarted(drill.name, view(at: now)))
            switch drill.action {
            case .disconnect(let disconnect): disconnectDevices(disconnect, drill: drill, at: now)
            case .command(let command): run(command, drill.name, since: now)
            case .restartEmbedded(let restart):
                drillsUnderWay += 1
                restartEmbedded(restart) { [unowned self] failure in
                    ended(drill.name, since: now, failure.map { .failed($0) } ?? .restarted, output: "")
                }
            }
        }
    }

    func run(_ command: Profile.Command, _ name: String, since begin: Instant) {
        drillsUnderWay += 1
        let child = DrillCommand(command, on: control) { [unowned self] outcome, output in
            ended(name, since: begin, outcome, output: output)
        }
        commands.append(child)
        child.start()
    }

    func ended(_ name: String, since begin: Instant, _ outcome: DrillRecord.Outcome, output: String) {
        drillsUnderWay -= 1
        let record = DrillRecord(
            name: name, startSeconds: (begin - start).inSeconds, endSeconds: (Instant.now() - start).inSeconds, outcome: outcome,
            output: output
        )
        drillRecords.append(record)
        if let warning = record.warning { warnings.append(warning) }
        drillEnded(record)
    }

    /// Which devices a drill takes, and when within its window, follows from the seed and the drill's name alone.
    func disconnectDevices(_ disconnect: Profile.Disconnect, drill: Profile.Drill, at now: Instant) {
        let seed = plan.profile.seed ^ SplitMix64.hash(drill.name)
        for link in links {
            // A loop that is late to hear of it still has cuts ahead: the window must not close as one that cost nobody anything.
            link.signals.cutsAhead.add(1, ordering: .relaxed)
            link.loop.post {
                defer { link.signals.cutsAhead.subtract(1, ordering: .relaxed) }
                for device in link.crew.value.devices {
                    var random = SeededRandom(seed: seed, stream: UInt64(device.index))
                    let isTaken = random.unit() < disconnect.share
                    let offset = random.duration(in: .zero...disconnect.within)
                    if isTaken { device.cut(at: now + offset, how: disconnect.how) }
                }
            }
        }
    }
}
