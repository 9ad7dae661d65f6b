import Foundation
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct OffenderFileTests {
    private let folder: FreshDirectory

    init() throws {
        folder = try FreshDirectory()
    }

    /// Writes offenders, a second for each list, and gives the lines and the tally.
    private func write(
        _ seconds: [[OffenderRecord]], bounds: OffenderFile.Bounds = .init()
    ) throws -> (lines: [String], tally: OffenderTally, bytes: Int) {
        var file = OffenderFile(try AppendedFile("offenders.jsonl", path: folder.path("offenders.jsonl")), bounds: bounds)
        for records in seconds {
            let shard = MetricShard()
            for record in records { shard.note(record) }
            var delta = ShardDelta()
            shard.drain(into: &delta)
            file.append(delta)
        }
        file.finish()
        try file.file.flush()
        let text = try folder.read("offenders.jsonl")
        return (text.split(separator: "\n").map(String.init), file.tally, text.utf8.count)
    }

    private func record(_ number: Int, _ item: OffenderRecord.Item = .text, _ fate: OffenderRecord.Fate = .lost) -> OffenderRecord {
        OffenderRecord(device: "phone-1", item: item, sequence: number, fate: fate, knownSeconds: 61)
    }

    @Test func `a line tells the item and its timeline, in the order of time`() throws {
        let record = OffenderRecord(
            device: "phone-1", item: .text, sequence: 7, fate: .lost, dueSeconds: 1, startedSeconds: 1.0015, knownSeconds: 61,
            timeline: [
                DeviceEvent(.deadline, seconds: 61), DeviceEvent(.lost, seconds: 2.25, cause: "reset", number: 1006),
                DeviceEvent(.due, seconds: 1),
            ])
        let expected = """
            {"device":"phone-1","item":"text","sequence":7,"fate":"lost","due_s":1.0,"started_s":1.002,"known_s":61.0,"detail":null,\
            "timeline":[{"at_s":1.0,"event":"due"},{"at_s":2.25,"event":"lost","cause":"reset","number":1006},\
            {"at_s":61.0,"event":"deadline"}]}
            """
        let written = try write([[record]])
        #expect(written.lines == [expected])
        #expect(written.tally == OffenderTally(recorded: 1, dropped: 0))
    }

    @Test func `the latest events of a timeline are kept`() {
        let events = (0..<40).map { DeviceEvent(.dialled, seconds: Double($0)) }
        let record = OffenderRecord(device: "d", item: .text, fate: .lost, knownSeconds: 40, timeline: events)
        #expect(record.timeline == Array(events.suffix(OffenderRecord.eventLimit)))
    }

    @Test func `the whole is bounded, and the last line says how many are missing`() throws {
        let seconds = (0..<12).map { second in
            (0..<900).map { record($0, OffenderRecord.Item.allCases[second % 4], OffenderRecord.Fate.allCases[second / 4]) }
        }
        let written = try write(seconds)
        #expect(written.tally == OffenderTally(recorded: 10_000, dropped: 800))
        #expect(written.lines.count == 10_001 && written.lines.last == #"{"truncated":true,"dropped":800}"#)
    }

    @Test func `no kind crowds out another`() throws {
        let written = try write(
            [(0..<5).map { record($0) }, [record(5, .upload, .corrupt)]], bounds: .init(linesPerKind: 3))
        #expect(written.tally == OffenderTally(recorded: 4, dropped: 2))
        #expect(written.lines.dropLast().last?.contains(#""item":"upload""#) == true)
    }

    @Test func `its size is bounded too`() throws {
        let written = try write([(0..<900).map { record($0) }], bounds: .init(bytes: 5000))
        #expect(written.tally.recorded > 20 && written.tally.recorded + written.tally.dropped == 900)
        #expect(written.bytes <= 5000 + 64)
    }

    @Test func `what a second was too short for is counted`() throws {
        let written = try write([(0..<1200).map { record($0) }])
        #expect(written.tally == OffenderTally(recorded: 1000, dropped: 200))
    }

    @Test(arguments: ["\u{202E}evil\n{\"x\":1}", "\u{0}\u{1B}[31m", String(repeating: "n", count: 10_000)])
    func `text from outside stays on its line`(text: String) throws {
        let record = OffenderRecord(device: text, item: .upload, fate: .corrupt, knownSeconds: 1, detail: text)
        let written = try write([[record]])
        #expect(written.lines.count == 1)
        let line = try #require(try? JSONTree.object(reading: Array(written.lines[0].utf8)))
        #expect((line["detail"]?.string ?? "").count <= 200)
        for key in ["device", "detail"] {
            let scalars = line[key]?.string?.unicodeScalars ?? "".unicodeScalars
            #expect(!scalars.contains { $0.value < 32 || $0.properties.generalCategory == .format }, "\(key)")
        }
    }
}
