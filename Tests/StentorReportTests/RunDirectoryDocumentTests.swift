import Foundation
import StentorMetrics
import TestSupport
import Testing

@testable import StentorReport

struct RunDirectoryDocumentTests {
    private let lines: [String]

    init() throws {
        let text = try String(contentsOfFile: Repository.root + "/Docs/run-directory.md", encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The rows of the table below a heading, as the names in their first cells and the second cells.
    private func rows(_ heading: String) throws -> [(name: String, text: String)] {
        let start = try #require(lines.firstIndex(of: "## " + heading))
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return (cells[0].trimmingCharacters(in: ["`"]), cells[1])
        }
    }

    @Test func `every file is listed`() {
        let listed = lines.prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "`").dropFirst().first
        }
        #expect(Set(listed.map(String.init)) == Set(RunDirectory.File.allCases.map(\.rawValue)))
    }

    @Test func `every column of the timeline is described as the code does`() throws {
        let rows = try rows("timeline.csv")
        #expect(rows.map(\.name) == TimelineColumn.all.map(\.name))
        for (row, column) in zip(rows, TimelineColumn.all) { #expect(row.text == column.help) }
    }

    @Test func `every column of the reconnects is described`() throws {
        #expect(try rows("reconnects.csv").map(\.name) == ReconnectRow.columns)
    }

    @Test func `every event is described with its members`() throws {
        let kinds: [RunEvent.Kind] = [
            .start(runID: "", profile: ""), .phase(from: nil, to: .ramp), .drill(name: ""),
            .drillEnded(name: "", result: "", output: ""), .outageOpened(number: 1, name: ""),
            .outageClosed(number: 1, Outage(name: "", startSeconds: 0, devicesLost: 0)),
            .gate(expression: "", from: nil, to: .pass, valueText: ""), .warning(""), .signal(""), .end(.pass, nil),
        ]
        let described = try rows("events.jsonl")
        #expect(described.count == kinds.count)
        for (row, kind) in zip(described, kinds) {
            let members = RunEvent(kind, wallSeconds: 0).json.members ?? []
            #expect(members.first { $0.key == "event" }?.value == .text(row.name))
            for member in members.dropFirst(3) { #expect(row.text.contains("`\(member.key)`"), "\(row.name): \(member.key)") }
        }
    }

    @Test func `every member of an offender is described`() throws {
        let start = try #require(lines.firstIndex(of: "## offenders.jsonl"))
        let text = lines[start...].prefix(8).joined(separator: " ")
        let record = OffenderRecord(
            device: "", item: .text, fate: .lost, knownSeconds: 0, timeline: [DeviceEvent(.lost, seconds: 0, cause: "reset", number: 1)])
        let words =
            (record.json.members ?? []).map(\.key) + OffenderRecord.Item.allCases.map(\.rawValue)
            + OffenderRecord.Fate.allCases.map(\.rawValue) + (record.timeline[0].json.members ?? []).map(\.key)
        for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
    }

    @Test func `every event of a timeline is described, in the order of its kinds`() throws {
        #expect(try rows("offenders.jsonl").map(\.name) == DeviceEvent.Kind.allCases.map(\.rawValue))
    }
}
