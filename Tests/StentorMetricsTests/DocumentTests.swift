import Foundation
import StentorBase
import Testing

@testable import StentorMetrics

/// `Docs/metrics.md` and the code name the same numbers.
struct DocumentTests {
    private static let document: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return (try? String(contentsOf: root.appendingPathComponent("Docs/metrics.md"), encoding: .utf8)) ?? ""
    }()

    /// The cells of the table rows below a heading, without head and rule.
    private func rows(under heading: String) -> [[String]] {
        let section = Self.document.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") } ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "") }
        }
    }

    @Test func `each metric stands in the document with its unit and Prometheus name, and nothing else does`() {
        let units: [StentorMetrics.Unit: String] = [
            .seconds: "seconds", .bytes: "bytes", .bytesPerSecond: "bytes per second", .count: "count",
        ]
        let documented = rows(under: "Distributions").map { [$0[0], $0[3], $0[5]] }
        #expect(documented == Metric.allCases.map { [$0.name, units[$0.unit] ?? "?", $0.prometheusName] })
    }

    @Test func `each counter stands in the document with kind, meaning and Prometheus name, and nothing else does`() {
        let kinds: [Counter.Kind: String] = [.total: "total", .revisable: "revisable", .level: "level", .derived: "sum"]
        #expect(rows(under: "Counts") == Counter.allCases.map { [$0.name, kinds[$0.kind] ?? "?", $0.help, $0.prometheusName] })
    }

    @Test func `each family of labels stands in the document`() {
        #expect(rows(under: "Labelled counts") == LabelFamily.allCases.map { [$0.name, $0.label, $0.help, $0.prometheusName] })
    }

    @Test func `shares, states, phases and percentiles stand in the document`() {
        #expect(rows(under: "Shares").map { $0[0] } == Share.allCases.map(\.name))
        let processes = ProcessNumber.allCases.map { [$0.name, $0.help, $0.unit == .bytes ? "bytes" : "count"] }
        #expect(rows(under: "Processes") == processes)
        #expect(rows(under: "Devices").map { $0[0] } == DeviceState.allCases.map(\.name))
        #expect(rows(under: "Phases").map { $0[0] } == Phase.allCases.map(\.name))
        #expect(rows(under: "Exactness") == Percentile.allCases.map { [$0.rawValue, String($0.samplesNeeded)] })
    }

    @Test func `each other family stands in the document with type, unit, labels and meaning`() {
        let units: [StentorMetrics.Unit: String] = [.seconds: "seconds", .bytes: "bytes", .share: "ratio", .count: "–"]
        let counted = Set(
            Counter.allCases.map(\.prometheusName) + Metric.allCases.map(\.prometheusName) + LabelFamily.allCases.map(\.prometheusName))
        let others = ExportedFamily.all.filter { !counted.contains($0.name) }
        let expected = others.map { family in
            [
                family.name, family.kind.rawValue + (family.isAlways ? "" : "?"), units[family.unit] ?? "?",
                family.labels.isEmpty ? "–" : family.labels.joined(separator: ", "), family.help,
            ]
        }
        #expect(
            rows(under: "Other families") == expected,
            "\(expected.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n"))")
    }

    @Test func `the bounds of each distribution stand in the document`() {
        var sets: [(names: [String], bounds: [Double])] = []
        for metric in Metric.allCases {
            let bounds = metric.exported.buckets
            if let index = sets.firstIndex(where: { $0.bounds == bounds }) {
                sets[index].names.append(metric.name)
            } else {
                sets.append(([metric.name], bounds))
            }
        }
        let expected = sets.map { set in
            [set.names.joined(separator: ", "), set.bounds.map(ExpositionWriter.number).joined(separator: ", ")]
        }
        #expect(rows(under: "Buckets") == expected, "\(expected.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n"))")
    }

    @Test func `a set has the families of the table, in its order, with their type and help`() {
        let heads = ExportedFamily.all.flatMap { ["# HELP \($0.name) \($0.help)", "# TYPE \($0.name) \($0.kind.rawValue)"] }
        #expect(Self.heads(fullRun()) == heads)
        let always = ExportedFamily.all.filter(\.isAlways).flatMap {
            ["# HELP \($0.name) \($0.help)", "# TYPE \($0.name) \($0.kind.rawValue)"]
        }
        #expect(Self.heads(snapshot { _ in }) == always)
    }

    private static func heads(_ run: RunSnapshot) -> [String] {
        String(decoding: PrometheusText.render(run), as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("#") }.map(String.init)
    }

    @Test func `each sample has the labels of its family and no others`() throws {
        let families = Dictionary(uniqueKeysWithValues: ExportedFamily.all.map { ($0.name, $0) })
        let text = String(decoding: PrometheusText.render(fullRun()), as: UTF8.self)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let name = line.prefix { $0 != "{" && $0 != " " }
            let ends = ["_bucket", "_sum", "_count"].filter { name.hasSuffix($0) }
            let base = ends.first.flatMap { families[String(name.dropLast($0.count))] }
            let family = try #require(families[String(name)] ?? base, "\(name)")
            let labels = line.split(separator: "{").dropFirst().first.map { $0.matches(of: /([a-z_]+)="/).map { String($0.1) } } ?? []
            let isWhole = family.kind == .histogram && ends.first != "_bucket"
            #expect(labels == (isWhole ? ["phase"] : family.labels), "\(line)")
        }
    }

    @Test func `names are unique over all kinds of numbers`() {
        let gates = Counter.allCases.map(\.name) + Share.allCases.map(\.name) + ProcessNumber.allCases.map(\.name)
        #expect(Set(gates).count == gates.count)
        let exported =
            Counter.allCases.map(\.prometheusName) + Metric.allCases.map(\.prometheusName) + LabelFamily.allCases.map(\.prometheusName)
        #expect(Set(exported).count == exported.count)
    }

    @Test func `bounds rise and are few enough for the cap`() {
        for metric in Metric.allCases {
            #expect(metric.bounds == metric.bounds.sorted() && Set(metric.bounds).count == metric.bounds.count)
            #expect((1...10).contains(metric.bounds.count))
        }
    }
}
