import StentorBase
import StentorLoop
import StentorMetrics
import StentorReport

/// Where the numbers of a run go while it lives, and at its end. Control loop only.
struct RunExports {
    /// Pushes; nil when the profile has none.
    let push: RunPush?
    /// Scrapes; nil when nobody asked for them.
    let scrape: RunScrape?

    /// Starts what has not started, and shows the run as it is before its first second.
    func start(_ identity: RunIdentity, _ console: Console) throws(UserFailure) {
        if let scrape {
            scrape.show(RunSnapshot(identity: identity, elapsedSeconds: 0, phase: .ramp, totals: Totals()))
            console.report("stentor: metrics at \(scrape.url)\n")
        }
        try push?.start()
    }

    /// Brings a snapshot to both; never blocks.
    func offer(_ snapshot: RunSnapshot, second: Int) {
        scrape?.show(snapshot)
        push?.offer(snapshot, second: second)
    }

    /// Brings the last snapshot to both, and waits for the push, at most ten seconds.
    ///
    /// - Returns: Why the report is not where it had to be; nil when it is, and when it did not have to be anywhere.
    func finish(_ report: inout RunReport, on control: EventLoop) async -> UserFailure? {
        let last = report.snapshot
        scrape?.showLast(last)
        guard let push else { return nil }
        let (record, succeeded) = await control.offload { push.finish(last) }
        report.push = record
        guard !succeeded, push.isRequired else { return nil }
        return UserFailure(.target, "the last push failed: \(record.lastError ?? "no reason")", place: "push.url")
    }
}
