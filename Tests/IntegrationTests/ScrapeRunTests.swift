import Foundation
import StentorMetrics
import TestSupport
import Testing

/// Runs that are scraped while they live.
@Suite(.slots(1))
struct ScrapeRunTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")
    private static let prefix = "stentor: metrics at "
    /// A load that outlasts the scrapes of a busy machine; a signal ends it.
    private static let untilSignal = ["--duration", "90s"]

    /// Starts a run that serves its numbers, and says where.
    private func start(_ options: [String]) async throws -> (run: StentorRun.Ongoing, url: String) {
        let run = try StentorRun.start(Self.short, ["--metrics-listen", "127.0.0.1:0"] + options)
        let line = try await run.process.line(startingWith: Self.prefix, on: .errors, within: .seconds(60))
        return (run, String(line.dropFirst(Self.prefix.count)))
    }

    private func curl(_ options: [String]) async throws -> String {
        let outcome = try await ChildProcess.run(["curl", "-fsS"] + options)
        guard outcome.exitCode == 0 else { throw ChildFailure("curl \(options)", outcome) }
        return outcome.output
    }

    @Test(.requiresPeer("prometheus"))
    func `what Prometheus scrapes is what the summary says`() async throws {
        let stack = try await PrometheusStack.start()
        do {
            let run = try await StentorRun.undisturbed({ $0 }) {
                let (ongoing, url) = try await start(["--duration", "20s", "--metrics-linger", "2m", "--label", "site=scraped/ä"])
                // One scrape makes the run wait for the next: that of its end is Prometheus'.
                let text = try await curl([url])
                #expect(text.contains("\nstentor_messages_sent_total{profile=\"short\",site=\"scraped/ä\"} "))
                let lint = try await stack.lint(text)
                #expect(lint.exitCode == 0 && lint.output == "" && lint.errors == "", "\(lint)")
                try stack.scrape(url)
                let run = try await ongoing.finish(within: .seconds(150))
                try stack.scrape(nil)
                return run
            }
            run.expectEnd(0, "pass")
            #expect(!run.outcome.errors.contains("was not scraped"), "it did not wait in vain: \(run.outcome.errors)")
            try await ExportJudge(stack: stack, selector: "job=\"extra\",profile=\"short\",site=\"scraped/ä\"").expectSummary(of: run)
        } catch {
            try await stack.stop()
            throw error
        }
        try await stack.stop()
    }

    @Test func `numbers are there from the start to the end, packed or not`() async throws {
        let (ongoing, url) = try await start(Self.untilSignal + ["--metrics-linger", "1m"])
        let first = try await curl([url])
        #expect(first.contains("\nstentor_verdict{verdict=\"incomplete\",profile=\"short\"} 1\n"))
        let packed = try await curl(["--compressed", url])
        #expect(packed.contains("\nstentor_run_finished_timestamp_seconds{profile=\"short\"} 0\n"))
        ongoing.process.signal(SIGINT)
        let last = try await eventually("end of the run", within: .seconds(60)) {
            // The last scrape ends the run, so it must be the one that has the end.
            guard ongoing.process.text(on: .output).contains("verdict: ") else { return String?.none }
            return try await curl(["-D", "-", "-H", "Accept-Encoding: gzip;q=0", url])
        }
        #expect(last.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n") && !last.contains("Content-Encoding"))
        #expect(!last.contains("\nstentor_run_finished_timestamp_seconds{profile=\"short\"} 0\n"))
        #expect(last.contains("\nstentor_verdict{verdict=\"interrupted\",profile=\"short\"} 1\n"))
        let run = try await ongoing.finish()
        #expect(last.contains("\nstentor_messages_sent_total{profile=\"short\"} \(try run.count("messages.sent"))\n"))
        #expect(run.summary["push"] == .null)
    }

    @Test func `a run that nobody scrapes does not wait`() async throws {
        let (ongoing, _) = try await start(["--duration", "500ms", "--metrics-linger", "1h"])
        let run = try await ongoing.finish(within: .seconds(60))
        #expect(run.lastLine.hasPrefix("verdict: "))
    }

    @Test func `a scrape that does not come is told, and a signal ends the wait`() async throws {
        for signal in [nil, SIGINT] {
            let (ongoing, url) = try await start(Self.untilSignal + ["--metrics-linger", signal == nil ? "100ms" : "1h"])
            _ = try await curl([url])
            ongoing.process.signal(SIGINT)
            _ = try await ongoing.process.line(startingWith: "verdict: ", within: .seconds(60))
            if let signal { ongoing.process.signal(signal) }
            let run = try await ongoing.finish(within: .seconds(60))
            #expect(run.outcome.exitCode == 130 && run.summary["exit_code"].count == 130)
            #expect(run.outcome.errors.hasSuffix("stentor: the end of the run was not scraped: Prometheus has older numbers\n"))
        }
    }

    @Test func `an address that cannot be had starts nothing`() async throws {
        let port = try DeadPort()
        let run = try await StentorRun.start(Self.short, ["--metrics-listen", "192.0.2.1:\(port.port)"]).finish()
        #expect(run.outcome.exitCode == 1 && run.path == nil)
        #expect(
            run.outcome.errors.hasPrefix("stentor: --metrics-listen: cannot listen on 192.0.2.1:\(port.port): "), "\(run.outcome.errors)")
        let lone = try await StentorRun.start(Self.short, ["--metrics-linger", "1s"]).finish()
        #expect(
            lone.outcome.exitCode == 64 && lone.outcome.errors.contains("--metrics-linger: needs --metrics-listen"),
            "\(lone.outcome.errors)")
    }

    @Test(.requiresPeer("gateways"))
    func `whatever a gateway sends, a set has at most two thousand series and harmless labels`() async throws {
        let script = StentorRun.fixture("hostile_gateway.py")
        let gateway = try ChildProcess([try await PythonPeers.python, script])
        let line = try await gateway.line(startingWith: "listening on ", within: .seconds(30))
        let (ongoing, url) = try await start(
            [
                "--target", String(line.dropFirst("listening on ".count)), "--set", "reconnect={policy: fixed, base: 50ms}", "--set",
                "gates=[]",
                "--metrics-linger", "1m",
            ] + Self.untilSignal)
        _ = try await eventually("hundreds of errors", within: .seconds(45)) {
            let errors = try await curl([url]).split(separator: "\n").first { $0.hasPrefix("stentor_server_errors_total{") }
            return (errors?.split(separator: " ").last.flatMap { Double($0) } ?? 0) > 600 ? true : nil
        }
        ongoing.process.signal(SIGINT)
        _ = try await ongoing.process.line(startingWith: "verdict: ", within: .seconds(60))
        let text = try await curl([url])
        let run = try await ongoing.finish()
        let series = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(series.count <= PrometheusText.seriesLimit)
        for family in LabelFamily.allCases where family.closedLabels.isEmpty {
            let rows = series.filter { $0.hasPrefix(family.prometheusName + "{") }
            #expect((1...CappedCounts.capacity + 1).contains(rows.count), "\(family.name)")
            #expect(rows.allSatisfy { $0.contains(/\{[a-z]+="[A-Za-z0-9_.:-]{1,64}",profile="short"\} [0-9]+$/) }, "\(rows)")
        }
        // Of these it has sent hundreds of different ones.
        let errors = series.filter { $0.hasPrefix(LabelFamily.serverErrors.prometheusName + "{") }
        let other = errors.first { $0.contains("code=\"other\"") }.flatMap { Double($0.split(separator: " ").last ?? "") }
        #expect(errors.count == CappedCounts.capacity + 1 && (other ?? 0) > 400, "\(errors)")
        #expect(try run.count("errors.server") > 500)
    }
}
