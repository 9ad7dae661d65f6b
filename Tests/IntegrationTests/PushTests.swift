import Foundation
import TestSupport
import Testing

/// Pushes of whole runs to a real Pushgateway, scraped by a real Prometheus.
@Suite(.slots(1))
struct PushTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    private func push(_ url: String, _ more: String = "") -> [String] {
        ["--set", "push={url: '\(url)', every: 1s\(more)}"]
    }

    @Test(.requiresPeer("prometheus"))
    func `what is pushed is what the summary says, in one group for all nights`() async throws {
        let stack = try await PrometheusStack.start()
        do {
            let first = try await StentorRun.run(Self.short, push(stack.pushgateway) + ["--duration", "3s", "--label", "server=1.0.0"])
            first.expectPass()
            let run = try await StentorRun.run(Self.short, push(stack.pushgateway, ", labels: {site: a/b}, group: [site]"))
            run.expectPass()
            let second = try await StentorRun.run(
                Self.short, push(stack.pushgateway, ", labels: {site: a/b}, group: [site]") + ["--duration", "5s"])
            second.expectPass()
            #expect(second.summary["push", "failed"].count == 0 && second.summary["push", "last_error"] == .null)
            #expect((second.summary["push", "attempts"].count ?? 0) >= 3, "each second, and at the end")
            try await compare(second, with: stack)
        } catch {
            try await stack.stop()
            throw error
        }
        try await stack.stop()
    }

    /// The last run's numbers, at the Pushgateway and in Prometheus.
    private func compare(_ run: StentorRun, with stack: PrometheusStack) async throws {
        let group = ["job": "stentor", "profile": "short", "site": "a/b"]
        let groups = try await stack.groups()
        #expect(groups.count == 2 && groups.contains(group) && groups.contains(["job": "stentor", "profile": "short"]), "\(groups)")

        let text = try await stack.metrics()
        let families = try await stack.pushed(group)
        for (name, counted) in run.summary["counts"].members {
            let family = try #require(families[Self.familyName(name)], "\(name) is not pushed")
            #expect(family == Double(counted.count ?? 0), "\(name)")
        }
        let lint = try await stack.lint(text)
        #expect(lint.exitCode == 0 && lint.output == "" && lint.errors == "", "\(lint)")

        try await ExportJudge(stack: stack, selector: #"job="stentor",profile="short",site="a/b""#).expectSummary(of: run)
    }

    /// As in the metrics' documentation: `messages.lost` is a gauge, because it can be taken back.
    static func familyName(_ count: String) -> String {
        let special = [
            "uploads.bytes": "stentor_uploaded_bytes_total", "downloads.bytes": "stentor_downloaded_bytes_total",
            "bytes.sent": "stentor_sent_bytes_total", "bytes.received": "stentor_received_bytes_total",
            "errors.server": "stentor_server_errors_total", "dials.deferred": "stentor_deferred_dials_total",
        ]
        let levels: Set = [
            "messages.lost", "messages.in_doubt", "uploads.lost", "uploads.in_doubt", "downloads.open", "prompts.open",
        ]
        let plain = "stentor_" + count.replacingOccurrences(of: ".", with: "_")
        return special[count] ?? (levels.contains(count) ? plain : plain + "_total")
    }

    @Test func `a Pushgateway that is not there changes no verdict, and is told in the report`() async throws {
        let port = try DeadPort()
        let run = try await StentorRun.run(Self.short, push("http://127.0.0.1:\(port.port)") + ["--duration", "3s"])
        run.expectPass()
        let (attempts, failed) = (run.summary["push", "attempts"].count ?? 0, run.summary["push", "failed"].count ?? 0)
        #expect(attempts > 0 && failed == attempts)
        let reason = try #require(run.summary["push", "last_error"].text)
        #expect(run.outcome.output.contains("pushes ") || run.outcome.output.contains("push "), "\(run.outcome.output)")
        #expect(reason.contains("127.0.0.1") || reason.contains("refused") || reason.contains("connect"), "\(reason)")
    }

    @Test func `a Pushgateway that hangs delays no run and changes no verdict`() async throws {
        let server = try HangingServer()
        let run = try await StentorRun.run(
            Self.short, push("http://127.0.0.1:\(server.port)") + ["--duration", "2s"])
        run.expectPass()
        #expect((run.summary["push", "attempts"].count ?? 0) > 0)
        #expect(run.summary["push", "last_error"].text != nil)
        #expect((run.summary["elapsed_seconds"].number ?? 99) < 7 || run.isStarved, "the load itself waits for no push")
    }

    @Test func `a push that is required and fails ends with 1`() async throws {
        let port = try DeadPort()
        let run = try await StentorRun.run(
            Self.short, push("http://127.0.0.1:\(port.port)", ", required: true") + ["--duration", "3s"])
        #expect(run.outcome.exitCode == 1, "the report is not where it had to be")
        #expect(run.summary["exit_code"].count == 1)
        #expect(run.summary["reasons"].elements.first?.text?.hasPrefix("push.url: the last push failed: ") == true)
    }
}
