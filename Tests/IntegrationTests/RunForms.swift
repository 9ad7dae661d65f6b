import Foundation
import StentorBase
import TestSupport
import Testing

/// Everything that a run says of itself, read by means that share no code with what wrote it.
struct RunForms {
    let run: StentorRun
    let console: ConsoleForm
    let html: HTMLForm
    let page: String
    /// The pushed samples: the sum over all series of a name, and that of each label besides the group's own.
    let pushed: [String: Int]
    /// Counts of `intervals.hlog` by tag, as HdrHistogram for Python reads them.
    let intervals: [String: Int]
    let timeline: Timeline

    private static let judge = """
        import sys
        from hdrh.histogram import HdrHistogram
        from hdrh.log import HistogramLogReader
        log, sums = HistogramLogReader(sys.argv[1], HdrHistogram(1, 2**62 - 1, 2)), {}
        while (interval := log.get_next_interval_histogram()) is not None:
            sums[interval.get_tag()] = sums.get(interval.get_tag(), 0) + interval.get_total_count()
        for tag, count in sums.items():
            print(tag, count)
        """

    init(_ run: StentorRun, pushed text: String) async throws {
        let path = try #require(run.path)
        self.run = run
        console = ConsoleForm(run.outcome.output)
        page = try String(contentsOfFile: path + "/report.html", encoding: .utf8)
        html = HTMLForm(page)
        pushed = Self.samples(text)
        timeline = Timeline(try String(contentsOfFile: path + "/timeline.csv", encoding: .utf8))
        intervals = try await Self.intervals(path + "/intervals.hlog")
        let json = try await ChildProcess.run([StentorBinary.path, "report", path, "--json"])
        #expect(json.output == (try String(contentsOfFile: path + "/summary.json", encoding: .utf8)))
    }

    /// The counts of a histogram log by tag.
    static func intervals(_ path: String) async throws -> [String: Int] {
        let lines = try await HdrPython.run(judge, [path]).split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(uniqueKeysWithValues: lines.compactMap { line in Int(line[1]).map { (String(line[0]), $0) } })
    }

    private static func samples(_ text: String) -> [String: Int] {
        var sums: [String: Int] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]),
                let whole = Int(exactly: value)
            else { continue }
            let name = line.prefix { $0 != "{" && $0 != " " }
            sums[String(name), default: 0] += whole
            for label in line[name.endIndex..<space].dropFirst().dropLast().split(separator: ",") {
                sums["\(name) \(label)", default: 0] += whole
            }
        }
        return sums
    }

    // MARK: - Counts

    private static let groups: [(label: String, prefix: String, table: String)] = [
        ("texts", "messages.", "Texts"), ("photos sent", "uploads.", "Photos sent"), ("photos got", "downloads.", "Photos received"),
        ("prompts", "prompts.", "Prompts"), ("frames", "frames.", "Messages of the dialect"),
    ]
    private static let words = [
        "downloads.started": "begun", "downloads.by_url": "by URL", "dials": "dialled", "connects": "upgraded", "disconnects": "ended",
        "reconnects": "reconnected",
    ]

    /// Every count of the summary is the same in the report, at the Pushgateway, on the console and in the timeline, where it stands there.
    func expectCountsAgree() throws {
        var compared = 0
        for (name, value) in run.summary["counts"].members {
            let count = value.count ?? 0
            #expect(pushed[PushTests.familyName(name)] == count, "\(name) as it was pushed")
            expectInHTML(name, value)
            compared += expectOnConsole(name, count)
        }
        #expect(compared >= 30, "the console tells most of them")
        for (column, name) in Timeline.rates { #expect(timeline.sum(column) == (try run.count(name)), "\(column)") }
        for (column, name) in Timeline.totals { #expect(timeline.last(column) == (try run.count(name)), "\(column)") }
    }

    private func expectInHTML(_ name: String, _ value: Facts) {
        let key = name.map { "._".contains($0) ? " " : String($0) }.joined()
        let rows = html.tables.filter { Self.countTables.contains($0.key) }.values.flatMap(\.self)
        let short = key.split(separator: " ").dropFirst().joined(separator: " ")
        let group = Self.groups.first { name.hasPrefix($0.prefix) }
        let own = group.flatMap { html.tables[$0.table] } ?? rows
        let cell = own.first { $0[0] == key || $0[0] == short && group != nil }?[1]
        guard let count = value.count else { return #expect(cell == nil || cell == "not measured", "\(name)") }
        let isBytes = name.hasSuffix("bytes") || name.hasPrefix("bytes.")
        if let cell { return #expect(isBytes ? cell == Quantity.bytesText(Double(count)) : HTMLForm.number(cell) == count, "\(name)") }
        #expect(count == 0, "\(name) is not in the report")
    }

    private static let countTables = Set(groups.map(\.table) + ["Connections", "Bytes and pings"])

    /// Compares a count with the console's; gives how many comparisons that were.
    private func expectOnConsole(_ name: String, _ count: Int) -> Int {
        let group = Self.groups.first { name.hasPrefix($0.prefix) }
        let word = Self.words[name] ?? String(name.dropFirst(group?.prefix.count ?? 0)).replacing("_", with: " ")
        guard let shown = console.numbers[group?.label ?? "connections"]?[word] else { return 0 }
        #expect(shown == count, "\(name) on the console")
        return 1
    }

    // MARK: - Labels and distributions

    private static let families: [(name: String, label: String, console: String?, column: String?)] = [
        ("dial_failures", "cause", "dial failures", "dial"), ("connection_losses", "cause", "losses", "loss"),
        ("close_codes", "code", "close codes", nil), ("server_error_codes", "code", "server errors", nil),
        ("sent_frame_types", "type", nil, nil), ("received_frame_types", "type", nil, nil),
    ]

    /// Every label of the families that a run has: report, Pushgateway, and where they stand there, console and timeline.
    func expectLabelsAgree() {
        for family in Self.families {
            let title = family.name.prefix(1).uppercased() + family.name.dropFirst().replacing("_", with: " ")
            for (label, value) in run.summary["by_label", family.name].members {
                let (name, count) = ("\(family.name) \(label)", value.count ?? -1)
                #expect(html.numbers(title)[label] == count, "\(name) in the report")
                #expect(pushed["stentor_\(family.name)_total \(family.label)=\"\(label)\""] == count, "\(name) as it was pushed")
                if let console = family.console { #expect(self.console.numbers[console]?[label] == count, "\(name) on the console") }
                if let column = family.column { #expect(timeline.last("\(column)_\(label)_total") == count, "\(name) in the timeline") }
            }
        }
        #expect(run.summary["by_label", "connection_losses", "fault"].count ?? 0 > 0, "the drill cut some")
    }

    /// The count of every distribution: report, console, histogram log, Pushgateway.
    func expectDistributionsAgree() {
        let rows = html.tables["Distributions, apart by phase"] ?? []
        var told = 0
        for (metric, phases) in run.summary["distributions"].members {
            for (phase, numbers) in phases.members {
                let (tag, count) = ("\(metric).\(phase)", numbers["count"].count)
                #expect(intervals[tag] == count, "\(tag) in the histogram log")
                let row = rows.first { $0[0] == metric && $0[1] == phase }
                #expect(row.flatMap { HTMLForm.number($0[2]) } == count, "\(tag) in the report")
                let names = ["_seconds", "_bytes_per_second", ""].map { "stentor_\(metric)\($0)_count phase=\"\(phase)\"" }
                #expect(names.compactMap { pushed[$0] } == [count], "\(tag) as it was pushed")
                guard let shown = console.samples["\(metric) \(phase)"] else { continue }
                told += 1
                #expect(shown == count, "\(tag) on the console")
            }
        }
        #expect(told >= 8 && rows.count == intervals.count && console.samples.count == told)
    }
}
