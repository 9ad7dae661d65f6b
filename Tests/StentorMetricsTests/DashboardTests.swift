import Foundation
import TestSupport
import Testing

@testable import StentorMetrics

/// What stands in `Dashboards/`, as far as it can be judged without a Prometheus.
struct DashboardTests {
    private static let folder = Repository.root + "/Dashboards"
    private static let dashboards = ["stentor-run", "stentor-soak", "stentor-compare"]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    }

    /// Every file that holds queries: dashboards, rules and their documentation.
    private static func queryFiles() throws -> [String] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") || $0.hasSuffix(".yml") }
        return files.map { folder + "/" + $0 } + [Repository.root + "/Docs/grafana.md"]
    }

    /// The names of Stentor's series in a text: `stentor_…` as exported, `stentor:…` as recorded.
    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: #/\bstentor[_:][a-zA-Z0-9_:]*[a-zA-Z0-9]/#).map { String($0.output) })
    }

    /// Every name that a series of a set can have; of a histogram its three.
    private static let exportedNames = Set(
        ExportedFamily.all.flatMap { family in
            family.kind == .histogram ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
        })

    @Test func `each metric that a dashboard, a rule or their document names is exported or recorded`() throws {
        let rules = try Self.text(Self.folder + "/prometheus/rules/stentor-recording.yml")
        let recorded = Set(rules.matches(of: #/- record: (\S+)/#).map { String($0.output.1) })
        let known = Self.exportedNames.union(recorded)
        var found: Set<String> = []
        for file in try Self.queryFiles() {
            let names = Self.names(in: try Self.text(file))
            #expect(names.isSubset(of: known), "\(file): \(names.subtracting(known).sorted())")
            found.formUnion(names)
        }
        #expect(found.count > 80, "\(found.count) names are too few: the search is wrong")
        #expect(recorded.isSubset(of: found) && recorded.count >= 10)
    }

    @Test(arguments: dashboards)
    func `a dashboard asks for data source, job, profile and shard, and marks outages`(name: String) throws {
        let board = try Facts(try Self.text("\(Self.folder)/\(name).json"))
        #expect(board["uid"].text == name)
        let variables = board["templating", "list"].elements.compactMap { $0["name"].text }
        #expect(variables.starts(with: ["datasource", "job", "profile", "shard"]), "\(variables)")
        let marks = board["annotations", "list"].elements.compactMap { $0["expr"].text }
        #expect(
            marks.contains { $0.contains("stentor_outage_start_timestamp_seconds") } && marks.contains { $0.contains("outage|recovery") })
    }

    @Test(arguments: dashboards)
    func `each panel says what it shows, in which unit, of which run`(name: String) throws {
        let board = try Facts(try Self.text("\(Self.folder)/\(name).json"))
        let panels = board["panels"].elements.filter { $0["type"].text != "row" }
        #expect(panels.count >= 20)
        for panel in panels {
            let title = panel["title"].text ?? "?"
            #expect((panel["description"].text ?? "").count > 8, "\(title)")
            #expect(panel["fieldConfig", "defaults", "unit"].text != nil, "\(title)")
            for target in panel["targets"].elements {
                let query = target["expr"].text ?? ""
                let selections = query.matches(of: #/\{/#).count
                #expect(
                    selections > 0 && query.matches(of: #/\{job="\$job",profile="\$profile",shard=~"\$shard"[,}]/#).count == selections,
                    "\(title): \(query)")
            }
        }
    }

    @Test(.enabled(if: Judge.isRequired || Peers.program("python3") != nil, "python3 is not installed"))
    func `the dashboards are what their source makes`() async throws {
        let outcome = try await ChildProcess.run([Repository.root + "/Scripts/dashboards", "--check"])
        #expect(outcome.exitCode == 0, "\(outcome)")
    }
}

/// The rules and the configuration, as Prometheus' own tool sees them.
@Suite(.enabled(if: Judge.isRequired || Judge.promtool != nil, "promtool is not installed"))
struct RuleFileTests {
    private static let folder = Repository.root + "/Dashboards/prometheus"

    private func promtool(_ arguments: String...) async throws -> ChildProcess.Outcome {
        let program = try #require(Judge.promtool, "promtool must be installed where CI=true")
        return try await ChildProcess.run([program] + arguments, directory: Self.folder)
    }

    @Test(arguments: ["stentor-recording.yml", "stentor-alerts.yml"])
    func `promtool accepts the rules, without a word of warning`(file: String) async throws {
        let outcome = try await promtool("check", "rules", "--lint=all", "--lint-fatal", "rules/" + file)
        #expect(outcome.exitCode == 0 && outcome.errors == "", "\(outcome)")
    }

    @Test func `the rules record and alert as their tests say`() async throws {
        let outcome = try await promtool("test", "rules", "tests/stentor-rules.test.yml")
        #expect(outcome.exitCode == 0, "\(outcome)")
    }

    @Test func `each rule has a test`() throws {
        let tests = try String(contentsOfFile: Self.folder + "/tests/stentor-rules.test.yml", encoding: .utf8)
        for file in ["stentor-recording.yml", "stentor-alerts.yml"] {
            let rules = try String(contentsOfFile: "\(Self.folder)/rules/\(file)", encoding: .utf8)
            let names = rules.matches(of: #/- (?:record|alert): (\S+)/#).map { String($0.output.1) }
            #expect(names.count >= 8)
            for name in names { #expect(tests.contains("alertname: \(name)\n") || tests.contains("expr: \(name)"), "\(name)") }
        }
    }

    @Test func `Prometheus accepts the configuration and finds the rules`() async throws {
        let outcome = try await promtool("check", "config", "prometheus.yml")
        #expect(outcome.exitCode == 0 && outcome.output.contains("2 rule files found"), "\(outcome)")
    }
}
