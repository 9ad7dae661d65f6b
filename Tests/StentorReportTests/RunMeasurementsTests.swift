import Foundation
import StentorBase
import StentorMetrics
import StentorStatistics
import TestSupport
import Testing

@testable import StentorReport

struct RunMeasurementsTests {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    /// The directory of a run that has ended.
    private func finished() throws -> RunDirectory {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        try fixture.directory.write(ReportFixture.run)
        fixture.outages = [Outage(name: "drop", startSeconds: 4, endSeconds: 9, devicesLost: 2, attempts: 3, peakDialsPerSecond: 2)]
        for number in 0..<30 {
            fixture.phase = (4..<9).contains(number) ? .recovery : .steady
            journal.record(
                fixture.second { shard in
                    JournalFixture.various(number, shard)
                    shard.count(.messagesLost, by: number == 20 ? 3 : 0)
                    guard number == 8 else { return }
                    shard.note(
                        ReconnectRecord(device: "a", lostSeconds: 4.5, endSeconds: 6, isReady: true, attempts: 2, cause: .endOfStream))
                    shard.note(
                        ReconnectRecord(device: "b", lostSeconds: 4.5, endSeconds: 8, isReady: false, attempts: 1, cause: .endOfStream))
                })
        }
        #expect(journal.finish().isEmpty)
        var report = RunReport(run: ReportFixture.run, snapshot: fixture.snapshot(), outages: fixture.outages)
        report.snapshot.verdict = .pass
        try fixture.directory.write(report)
        return fixture.directory
    }

    private func refusal(_ path: String) -> UserFailure? {
        do throws(UserFailure) {
            _ = try RunMeasurements(directory: path)
            return nil
        } catch { return error }
    }

    @Test func `a directory is read as it was recorded`() throws {
        let directory = try finished()
        let run = try RunMeasurements(directory: directory.path + "/")
        #expect(run.identity.path == directory.path && run.identity.verdict == "pass" && run.identity.cores == 2)
        #expect(run.identity.labels == ["server=1.1.1"] && run.identity.target == "gw.example")
        #expect(run.counts[.messagesSent] == 1200 && run.counts[.messagesLost] == 3)
        let samples = try #require(run.series[.init(.reply, .steady)])
        #expect(samples.reduce(0) { $0 + $1.cells.reduce(0) { $0 + $1.count } } == 20 * 40)
        #expect(samples.allSatisfy { $0.lengthSeconds == 1 })
        #expect(run.rows.count == 30 && run.rows.count { $0.isSteady } == 23)
        #expect(run.rows.map { $0.added["texts_lost_total"] ?? 0 }.filter { $0 != 0 } == [3])
        #expect(run.rows.allSatisfy { $0.added["texts_sent_per_s"] == 40 })
        #expect(run.outages.map(\.name) == ["drop"] && run.outages[0].endSeconds == 9 && run.outages[0].peakDialsPerSecond == 2)
        #expect(run.returns.map(\.device) == ["a", "b"] && run.returns.map(\.attempts) == [2, 1])
        #expect(run.returns.map(\.lifetime) == [Lifetime(time: 1.5, isEvent: true), Lifetime(time: 3.5, isEvent: false)])
        #expect(run.offences?.isEmpty == true)
    }

    @Test func `an hlog that lost its end is told with what is missing`() throws {
        let directory = try finished()
        let text = try root.read("\(directory.name)/intervals.hlog")
        try root.write(text.prefix(text.count * 2 / 3) + "", to: "\(directory.name)/intervals.hlog")
        let failure = try #require(refusal(directory.path))
        #expect(failure.cause == .file && failure.place == directory.path + "/intervals.hlog")
        #expect(failure.message.hasPrefix("has ") && failure.message.hasSuffix("it is truncated or damaged"))
    }

    @Test(arguments: ["summary.json", "timeline.csv", "reconnects.csv", "intervals.hlog"]) func `a missing file is named`(
        name: String
    ) throws {
        let directory = try finished()
        try FileManager.default.removeItem(atPath: directory.path + "/" + name)
        #expect(refusal(directory.path)?.message == "is missing, and a comparison needs it")
        #expect(refusal(directory.path)?.place == directory.path + "/" + name)
    }

    @Test func `what is no run directory is told`() throws {
        #expect(refusal(root.path("nowhere"))?.message == "there is no such run directory")
        try root.write(#"{"format": 9, "version": "9.1.0"}"#, to: "run.json")
        #expect(refusal(root.path)?.message == "has the format 9, and this version reads formats up to 1")
    }

    @Test func `seconds become the steps of a thinned run`() {
        func interval(_ start: Double, _ length: Double) -> RunMeasurements.Interval {
            .init(startSeconds: start, lengthSeconds: length, cells: [CellCount(cell: 1, count: 1)])
        }
        let steps = Steps.regular([interval(0, 10), interval(10, 10)] + (20..<45).map { interval(Double($0), 1) })
        #expect(steps.map(\.startSeconds) == [0, 10, 20, 30, 40])
        #expect(steps.map { $0.cells.count } == [1, 1, 10, 10, 5])
        #expect(Steps.regular([interval(0, 1), interval(1, 1.2)]).count == 2)
    }
}

struct OutageDraftTests {
    private func run(_ name: String, outages: [String], offences: [RunMeasurements.Offence]? = [], later: Double = 0) -> RunMeasurements {
        RunMeasurements(
            identity: ComparedRun(path: name, runID: name),
            outages: outages.enumerated().map {
                .init(
                    name: $0.element, startSeconds: Double($0.offset) * 100 + 100, endSeconds: Double($0.offset) * 100 + 110,
                    devicesLost: 30)
            },
            returns: outages.indices.flatMap { outage in
                (0..<30).map { device in
                    .init(
                        device: "d\(device)", outage: outage + 1,
                        lifetime: Lifetime(time: 1 + Double(device) / 10 + later, isEvent: device > 0), attempts: 1 + device % 2)
                }
            }, offences: offences)
    }

    @Test func `outages are matched by name and by order among those of a name`() {
        let (drafts, unmatched) = OutageDrafts.matched(
            [run("a", outages: ["x", "y", "x"])], [run("b", outages: ["x", "x", "z"])])
        #expect(drafts.map(\.name) == ["x", "x #2"] && unmatched == ["y", "z"])
    }

    @Test func `devices, wasted dials and pairs are counted`() throws {
        let drafts = OutageDrafts.matched([run("a", outages: ["x"])], [run("b", outages: ["x"], later: 2)]).drafts
        let outage = try #require(drafts.first).comparison
        #expect(outage.base.devices == 30 && outage.base.censored == 1 && outage.base.attempts == 45 && outage.base.wastedDials == 16)
        #expect(outage.pairedDevices == 30 && outage.paired.later == 29 && outage.paired.undecided == 1)
        #expect(abs((outage.paired.median?.value ?? 0) - 2) < 1e-9)
        #expect((outage.logRank?.p ?? 1) < 0.001 && (outage.logRank?.paceRatio ?? 1) < 1)
        // The last device of each side is ready; of the base one is never watched to its end, but not as the last.
        #expect(abs(outage.horizonSeconds - 5.9) < 1e-9)
    }

    @Test func `a text belongs to the outage in which it was in flight`() throws {
        let offences: [RunMeasurements.Offence] = [
            .init(isDuplicate: false, dueSeconds: 95, knownSeconds: 155), .init(isDuplicate: false, dueSeconds: 90, knownSeconds: 99),
            .init(isDuplicate: false, dueSeconds: 111, knownSeconds: 171), .init(isDuplicate: true, dueSeconds: 105, knownSeconds: 112),
        ]
        let outage = try #require(
            OutageDrafts.matched([run("a", outages: ["x"], offences: offences)], [run("b", outages: ["x"], offences: nil)]).drafts.first)
        #expect(outage.comparison.base.textsLost == 1 && outage.comparison.base.textsDuplicated == 1)
        #expect(outage.comparison.candidate.textsLost == nil)
    }
}
