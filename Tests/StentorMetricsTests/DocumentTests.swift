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

    @Test func `each family that is exported stands in the document`() throws {
        let text = String(decoding: PrometheusText.render(try completeSnapshot()), as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let name = line.split(separator: " ")[2]
            #expect(Self.document.contains("`\(name)`"), "\(name)")
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
