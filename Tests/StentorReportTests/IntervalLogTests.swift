import Foundation
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct IntervalLogTests {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    private func bytes(_ directory: RunDirectory) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: directory.path + "/intervals.hlog")))
    }

    @Test func `the header has the lines that HdrHistogram's tools look for`() {
        let lines = String(decoding: IntervalLog.header(runID: "a\nb", baseSeconds: 1_796_010_131.25), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        #expect(lines.first == "#[Intervals of the run a b, logged by stentor]")
        #expect(
            lines.suffix(4) == [
                "#[Histogram log format version 1.3]", "#[BaseTime: 1796010131.250 (seconds since epoch)]",
                "#[StartTime: 1796010131.250 (seconds since epoch), 2026-11-30T03:42:11.250Z]",
                #""StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram""#,
            ])
    }

    @Test func `a line has tag, start, length and maximum in milliseconds or in the recorded unit`() throws {
        var fixture = try JournalFixture(below: root.path)
        let second = fixture.second(length: 1.0004) {
            $0.record(.reply, 2_769_000, phase: .steady)
            $0.record(.uploadRate, 5000, phase: .ramp)
        }
        let text = String(decoding: IntervalLog().lines(second.delta, from: 0.5, to: second.endSeconds), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("Tag=reply.steady,0.500,0.500,2.769,HISTFAAAA"))
        #expect(lines[1].hasPrefix("Tag=upload_rate.ramp,0.500,0.500,5000.000,HISTFAAAA"))
    }

    @Test func `all intervals together are the summary, per metric and phase`() throws {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        for number in 0..<30 { journal.record(fixture.second { JournalFixture.various(number, $0) }) }
        #expect(journal.finish().isEmpty)
        let reader = IntervalLogReader(try bytes(fixture.directory))
        #expect(reader.damagedLines == 0)
        var sums: [String: UInt64] = [:]
        for entry in reader.entries { sums["\(entry.metric.name).\(entry.phase.name)", default: 0] += entry.histogram.count }
        let json = SummaryDocument.json(ReportFixture.report(fixture.snapshot()))
        var expected: [String: UInt64] = [:]
        for metric in json["distributions"]?.members ?? [] {
            for phase in metric.value.members ?? [] {
                expected["\(metric.key).\(phase.key)"] = phase.value["count"]?.int.map(UInt64.init)
            }
        }
        #expect(sums == expected)
        #expect(sums.count == 6)
    }

    @Test(.requiresHdrPython) func `HdrHistogram for Python reads the same counts and percentiles, per tag`() async throws {
        #expect(await HdrPython.isInstalled)
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        for number in 0..<30 { journal.record(fixture.second { JournalFixture.various(number, $0) }) }
        _ = journal.finish()
        let script = """
            import sys
            from hdrh.histogram import HdrHistogram
            from hdrh.log import HistogramLogReader
            log = HistogramLogReader(sys.argv[1], HdrHistogram(1, 2**62 - 1, 2))
            sums = {}
            while True:
                h = log.get_next_interval_histogram()
                if h is None:
                    break
                sums.setdefault(h.get_tag(), HdrHistogram(1, 2**62 - 1, 2)).add(h)
            print("start", log.get_start_time_sec())
            for tag, h in sums.items():
                print(tag, h.get_total_count(), *(h.get_value_at_percentile(p) for p in (50, 90, 95, 99, 99.9, 100)))
            """
        let output = try await HdrPython.run(script, [fixture.directory.path + "/intervals.hlog"])
        var lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.removeFirst() == ["start", "1796010131.0"])
        #expect(lines.count == 6)
        for line in lines {
            let tag = line[0].split(separator: ".")
            let (metric, phase) = (try #require(Metric(name: tag[0])), try #require(Phase(name: tag[1])))
            let ours = fixture.snapshot().histogram(metric, in: phase)
            #expect(UInt64(line[1]) == ours.count)
            for (index, quantile) in [0.5, 0.9, 0.95, 0.99, 0.999, 1].enumerated() {
                // Python rounds the rank to the nearest, ours up: asked for the same rank.
                let rank = (quantile * Double(ours.count) + 0.5).rounded(.down) / Double(ours.count)
                let (theirs, own) = (try #require(Double(line[2 + index])), Double(try #require(ours.value(atQuantile: rank))))
                #expect(abs(theirs - own) <= own * Histogram.relativeError, "\(line[0]) at \(quantile)")
            }
        }
    }

    @Test func `a torn last line and damaged lines do not hide the others`() throws {
        var fixture = try JournalFixture(below: root.path)
        let journal = try RunJournal(fixture.directory, runID: "r")
        for _ in 0..<3 { journal.record(fixture.second { $0.record(.reply, 5, phase: .steady) }) }
        _ = journal.finish()
        var whole = try bytes(fixture.directory)
        let intact = IntervalLogReader(whole).entries
        #expect(intact.count == 3)
        whole.removeLast(20)
        #expect(IntervalLogReader(whole).entries == Array(intact.prefix(2)))
        let damaged = Array("Tag=reply.steady,0.1,x,1,HISTF\nTag=reply,0,1,1,A\nTag=later.steady,0,1,1,A\nnonsense\n".utf8)
        let reader = IntervalLogReader(whole + Array("\n".utf8) + damaged)
        #expect(reader.entries.count == 2)
        // The torn line, three of ours; the tag of a later version is none.
        #expect(reader.damagedLines == 4)
    }
}
