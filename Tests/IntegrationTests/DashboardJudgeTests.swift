import Foundation
import TestSupport
import Testing

/// The dashboards against a real Prometheus, after runs with an outage.
@Suite(.slots(4), .requiresPeer("prometheus"))
struct DashboardJudgeTests {
    /// A run of one version of a server, in a group of its own.
    private static func run(_ version: String, _ stack: PrometheusStack) async throws -> StentorRun {
        let push = "push={url: '\(stack.pushgateway)', every: 1s, labels: {server: '\(version)'}, group: [server]}"
        return try await StentorRun.start(StentorRun.fixture("profiles/outage.yaml"), ["--set", push]).finish(within: .seconds(90))
    }

    @Test func `every query of every dashboard has data, of one run and of two to compare`() async throws {
        let stack = try await PrometheusStack.start()
        do {
            let runs = try await Self.runs(stack)
            // A machine that was too busy three times proves no numbers, but still that no query is wrong.
            let isProof = runs.allSatisfy { $0.outcome.exitCode != 98 }
            if isProof { for run in runs { try Self.expectOutage(run) } }
            let ids = runs.compactMap { $0.summary["run", "run_id"].text }.joined(separator: "|")
            let end = "count(stentor_run_info{run_id=~\"\(ids)\"} and on (server) stentor_verdict{verdict=\"incomplete\"} == 0)"
            _ = try await eventually("scrape of both ends", within: .seconds(60)) {
                let ended = try await stack.query(end)
                return ended == [2] ? ended : nil
            }
            try await Self.judge(stack, allowing: isProof ? [] : ["--allow-empty", "."])
            if isProof { try await Self.compareOutages(runs[0], "1.0.0", stack) }
        } catch {
            try await stack.stop()
            throw error
        }
        try await stack.stop()
    }

    /// Both versions at once; again when this machine was too busy, for then a phase may have no samples.
    private static func runs(_ stack: PrometheusStack) async throws -> [StentorRun] {
        try await StentorRun.undisturbed({ runs in runs.first { $0.outcome.exitCode == 98 } ?? runs[0] }) {
            async let base = run("1.0.0", stack)
            async let candidate = run("1.1.0", stack)
            return try await [base, candidate]
        }
    }

    private static func expectOutage(_ run: StentorRun) throws {
        #expect(run.outcome.exitCode == 0, "\(run.outcome.errors)\(run.outcome.output)")
        let outages = run.summary["outages"].elements
        #expect(outages.count >= 1 && (outages.first?["devices_lost"].count ?? 0) > 0, "\(run.outcome.output)")
    }

    private static func judge(_ stack: PrometheusStack, allowing options: [String]) async throws {
        let judge = try Peers.path("prometheus/check_dashboards.py")
        let outcome = try await ChildProcess.run(
            ["python3", "-B", judge, "--strict", "--prom", stack.prometheus] + options + [Repository.root + "/Dashboards"],
            within: .seconds(60))
        #expect(outcome.exitCode == 0, "\(outcome.output.suffix(8000))\(outcome.errors)")
        let last = outcome.output.split(separator: "\n").last ?? ""
        // One check for each dashboard, and one for each query.
        #expect((last.split(separator: " ").first.flatMap { Int($0) } ?? 0) > 200 && last.hasSuffix(" 0 failed"), "\(last)")
    }

    /// What Prometheus knows of the outages is what the summary says.
    private static func compareOutages(_ run: StentorRun, _ version: String, _ stack: PrometheusStack) async throws {
        let outages = run.summary["outages"].elements.filter { ($0["devices_lost"].count ?? 0) > 0 }
        let latest = try #require(outages.last)
        let expected: [(String, Double?)] = [
            ("stentor_outages_total", Double(outages.count)),
            ("stentor_recovered_outages_total", Double(outages.filter { $0["closed_after_seconds"].number != nil }.count)),
            ("stentor_outage_lost_devices", latest["devices_lost"].number), ("stentor_outage_dials", latest["attempts"].number),
            ("stentor_outage_peak_dials_per_second", latest["peak_dials_per_second"].number),
        ]
        for (name, value) in expected {
            #expect(try await stack.query("\(name){server=\"\(version)\"}") == [value].compactMap(\.self), "\(name)")
        }
        let gates = run.summary["gates"].elements
        let failed = gates.filter { $0["verdict"].text == "fail" }.count
        #expect(try await stack.query("sum(stentor_gate_failed{server=\"\(version)\"})") == [Double(failed)])
    }
}
