import StentorBase
import StentorMetrics
import TestSupport

@testable import StentorReport

/// A history in a folder of its own, and runs that never were.
struct HistoryFixture {
    let root: FreshDirectory
    var path: String { root.path("data/history.sqlite") }

    init() throws {
        root = try FreshDirectory()
    }

    func opened() throws -> RunHistory { try RunHistory(recordingAt: path) }

    /// The report of the n-th night, which lost `lost` texts and whose reply took `milliseconds`.
    static func report(
        _ night: Int, profile: String = "nightly-soak", server: String = "1.0.0", verdict: Verdict = .pass, milliseconds: Int = 100,
        lost: Int = 0
    ) -> RunReport {
        var snapshot = ReportFixture.snapshot(gates: ["messages.lost == 0"]) { shard in
            shard.move(from: nil, to: .left, devices: 10)
            shard.count(.messagesSent, by: 200)
            shard.count(.messagesAnswered, by: 200 - lost)
            shard.count(.messagesLost, by: lost)
            shard.count(dialFailure: .refused)
            shard.count(dialFailure: .cancelled)
            shard.count(.dials, by: 5)
            shard.count(.ready, by: 3)
            for _ in 1...200 { shard.record(.reply, UInt64(milliseconds) * 1_000_000, phase: .steady) }
            for _ in 1...8 { shard.record(.reply, 500_000_000, phase: .recovery) }
        }
        let start = 1_796_010_130.25 + Double(night) * 86_400
        var run = ReportFixture.run
        run.identity.profile = profile
        run.identity.runID = RunDirectory.name(profile: profile, startedAtSeconds: start)
        (run.identity.startedAtSeconds, run.endedAtSeconds) = (start, start + 60)
        run.labels = [.init(name: "server", value: server)]
        snapshot.verdict = verdict
        return RunReport(run: run, snapshot: snapshot, exitCode: verdict == .incomplete ? nil : verdict == .pass ? .success : .gateFailed)
    }

    /// Records a run whose directory has a `run.json`; the directory's name is the run's id.
    func record(_ report: RunReport, in history: RunHistory) throws {
        let directory = root.path("runs/\(report.run.identity.runID)")
        try root.write("{}", to: "runs/\(report.run.identity.runID)/run.json")
        try history.record(report, directory: directory)
    }

    /// What a call fails with; nil when it does not.
    static func failure(_ body: () throws(UserFailure) -> Void) -> UserFailure? {
        do throws(UserFailure) {
            try body()
            return nil
        } catch { return error }
    }
}
