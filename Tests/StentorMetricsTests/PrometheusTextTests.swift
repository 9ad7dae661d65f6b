import Foundation
import Testing

@testable import StentorMetrics

struct PrometheusTextTests {
    private func lines(_ snapshot: RunSnapshot) -> [Substring] {
        String(decoding: PrometheusText.render(snapshot), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `a small run reads as written`() {
        let text = lines(
            snapshot(generator: .init(cpuShareByLoop: [0.25], residentBytes: 1 << 20)) { shard in
                shard.count(.messagesSent, by: 2)
                shard.count(.messagesLost)
                shard.count(.bytesSent, by: 1500)
                shard.move(from: nil, to: .ready, devices: 2)
                shard.count(dialFailure: .refused)
                shard.record(.reply, 20_000_000, phase: .steady)
                shard.record(.reply, 3_000_000_000, phase: .steady)
                shard.record(.edits, 2, phase: .ramp)
            })
        for expected in [
            """
            stentor_run_info{run_id="20261130T034210Z-soak",version="1.0.0",profile="soak",digest="ab12",dialect="hermes",target="gw",shard=""} 1
            """,
            "stentor_elapsed_seconds 12.5", "stentor_run_finished_timestamp_seconds 0", "stentor_phase{phase=\"steady\"} 1",
            "stentor_phase{phase=\"ramp\"} 0",
            "stentor_verdict{verdict=\"incomplete\"} 1", "# HELP stentor_messages_sent_total Texts handed to the kernel.",
            "# TYPE stentor_messages_sent_total counter", "stentor_messages_sent_total 2", "# TYPE stentor_messages_lost gauge",
            "stentor_messages_lost 1", "stentor_sent_bytes_total 1500", "stentor_devices{state=\"ready\"} 2",
            "stentor_devices{state=\"backing_off\"} 0", "stentor_dial_failures_total{cause=\"refused\"} 1",
            "stentor_dial_failures_total{cause=\"dns\"} 0", "stentor_server_error_codes_total{code=\"other\"} 0",
            "stentor_loop_cpu_ratio{loop=\"0\"} 0.25", "stentor_resident_memory_bytes 1048576", "stentor_dropped_series 0",
            "# TYPE stentor_reply_seconds histogram", "stentor_reply_seconds_bucket{phase=\"steady\",le=\"0.005\"} 0",
            "stentor_reply_seconds_bucket{phase=\"steady\",le=\"0.025\"} 1", "stentor_reply_seconds_bucket{phase=\"steady\",le=\"2\"} 1",
            "stentor_reply_seconds_bucket{phase=\"steady\",le=\"5\"} 2", "stentor_reply_seconds_bucket{phase=\"steady\",le=\"+Inf\"} 2",
            "stentor_reply_seconds_sum{phase=\"steady\"} 3.02", "stentor_reply_seconds_count{phase=\"steady\"} 2",
            "stentor_edits_bucket{phase=\"ramp\",le=\"2\"} 1", "stentor_edits_bucket{phase=\"ramp\",le=\"1\"} 0",
            "stentor_reconnect_seconds_count{phase=\"steady\"} 0",
        ] {
            #expect(text.contains(Substring(expected)), "\(expected)")
        }
        #expect(text.last == "")
        #expect(!text.contains { $0.hasPrefix("stentor_open_fds") })
    }

    @Test func `histograms that dashboards take rates of are there with zeros before their first sample`() {
        let counts = lines(snapshot { _ in }).filter { $0.contains("_count{") }
        #expect(counts.allSatisfy { $0.hasSuffix(" 0") })
        let steady = counts.filter { $0.contains("phase=\"steady\"") }
        #expect(steady.count == Metric.allCases.count)
        let others = Set(counts.filter { !$0.contains("phase=\"steady\"") }.map { $0.prefix { $0 != " " } })
        let everywhere = ["reply", "usable", "loop_lag"].flatMap { name in
            ["ramp", "outage", "recovery", "drain"].map { "stentor_\(name)_seconds_count{phase=\"\($0)\"}" }
        }
        let recovery = ["reconnect_seconds", "detect_seconds", "attempts"].map { "stentor_\($0)_count{phase=\"recovery\"}" }
        #expect(others == Set((everywhere + recovery).map { Substring($0) }))
    }

    @Test func `labels and help are escaped`() {
        var writer = ExpositionWriter()
        writer.family("a", .gauge, "one\ntwo \\ \"three\"")
        writer.sample("a", [("x", "q\"b\\n\nä/北")], .infinity)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "# HELP a one\\ntwo \\\\ \"three\"\n# TYPE a gauge\na{x=\"q\\\"b\\\\n\\nä/北\"} +Inf\n")
    }

    @Test(
        arguments: [(0, "0"), (-3, "-3"), (0.5, "0.5"), (1e300, "1e+300"), (.nan, "NaN"), (-.infinity, "-Inf"), (1e-9, "1e-09")]
            as [(Double, String)])
    func `numbers are written as Go reads them`(value: Double, text: String) {
        #expect(ExpositionWriter.number(value) == text)
    }

    @Test func `labels of the whole set stand behind those of the sample, and never twice`() {
        let text = String(
            decoding: PrometheusText.render(snapshot { _ in }, labels: [("profile", "other"), ("site", "a\"b")]), as: UTF8.self)
        #expect(text.contains("\nstentor_messages_sent_total{profile=\"other\",site=\"a\\\"b\"} 0\n"))
        #expect(text.contains("\nstentor_devices{state=\"ready\",profile=\"other\",site=\"a\\\"b\"} 0\n"))
        #expect(text.contains(",profile=\"soak\",digest=\"ab12\",dialect=\"hermes\",target=\"gw\",shard=\"\",site=\"a\\\"b\"} 1\n"))
    }

    @Test func `the end of a run is told to the millisecond`() {
        var run = snapshot { _ in }
        run.finishedAtSeconds = 1_796_010_190.125
        #expect(lines(run).contains("stentor_run_finished_timestamp_seconds 1796010190.125"))
    }

    @Test func `gates have a series each`() throws {
        var run = snapshot { $0.count(.messagesSent) }
        run.gates = try ["messages.lost == 0", "messages.sent > 5", "reply.p99 < 2s", "messages.lost == 0"].map {
            try Gate.parse($0).evaluate(run)
        }
        run.verdict = .fail
        let text = lines(run)
        #expect(
            text.filter { $0.hasPrefix("stentor_gate_passed{") } == [
                "stentor_gate_passed{gate=\"messages.lost == 0\"} 1", "stentor_gate_passed{gate=\"messages.sent > 5\"} 0",
                "stentor_gate_passed{gate=\"reply.p99 < 2s\"} 0",
            ])
        // The last has no data yet: it has neither passed nor failed.
        #expect(
            text.filter { $0.hasPrefix("stentor_gate_failed{") } == [
                "stentor_gate_failed{gate=\"messages.lost == 0\"} 0", "stentor_gate_failed{gate=\"messages.sent > 5\"} 1",
                "stentor_gate_failed{gate=\"reply.p99 < 2s\"} 0",
            ])
        #expect(text.contains("stentor_verdict{verdict=\"fail\"} 1") && text.contains("stentor_verdict{verdict=\"incomplete\"} 0"))
    }

    @Test func `a set never has more than two thousand series, and steady histograms go last`() throws {
        var run = fullRun()
        run.gates = try (0..<100).map { try Gate.parse("messages.sent > \($0)").evaluate(run) }
        let text = lines(run)
        let samples = text.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(samples.count <= PrometheusText.seriesLimit)
        #expect(samples.count > PrometheusText.seriesLimit - 13)
        for metric in Metric.allCases { #expect(text.contains { $0.hasPrefix("\(metric.prometheusName)_count{phase=\"steady\"}") }) }
        let dropped = try #require(text.first { $0.hasPrefix("stentor_dropped_series ") }?.split(separator: " ").last.flatMap { Int($0) })
        #expect(dropped > 0)
        let prefixes = samples.map { $0[..<($0.lastIndex(of: " ") ?? $0.endIndex)] }
        #expect(Set(prefixes).count == samples.count, "no series twice")
    }

    @Test(.enabled(if: Judge.isRequired || Judge.promtool != nil, "promtool is not installed"))
    func `promtool finds nothing to object to`() throws {
        let promtool = try #require(Judge.promtool, "promtool must be installed where CI=true")
        for run in [snapshot { _ in }, fullRun()] {
            let (status, output) = try Judge.run(promtool, ["check", "metrics"], input: PrometheusText.render(run))
            #expect(status == 0, "\(output)")
        }
    }
}

/// Programs of others that judge our output; with `CI=true` they must be there.
enum Judge {
    static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"
    static let promtool = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/promtool" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs a program to its end; the input goes through a file, so that no pipe can fill up.
    static func run(_ path: String, _ arguments: [String], input: [UInt8]) throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stentor-\(UUID().uuidString)")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
