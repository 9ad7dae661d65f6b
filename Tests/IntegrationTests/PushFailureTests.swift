import Foundation
import StentorBase
import TestSupport
import Testing

/// Pushes that go wrong, and what becomes of the run.
@Suite(.slots(1))
struct PushFailureTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    private func push(_ url: String, _ more: String = "") -> [String] {
        ["--set", "push={url: '\(url)', every: 1s\(more)}"]
    }

    @Test(.requiresPeer("prometheus"))
    func `what the Pushgateway refuses is told in its words, and it may hang`() async throws {
        let stack = try await PrometheusStack.start()
        do {
            try await stack.put("# TYPE stentor_messages_sent_total gauge\nstentor_messages_sent_total 1\n", to: "job/other")
            let options = ["--duration", "3s"]
            let run = try await StentorRun.run(Self.short, push(stack.pushgateway) + options)
            run.expectPass()
            let said = try #require(run.summary["push", "last_error"].text)
            #expect(said.hasPrefix("HTTP 400: ") && said.contains("stentor_messages_sent_total"), "\(said)")
            #expect(run.summary["push", "end"].text == "failed" && run.summary["push", "last_status"].count == 400)
            #expect(run.summary["push", "failed_in_a_row"] == run.summary["push", "attempts"])

            let required = try await StentorRun.run(Self.short, push(stack.pushgateway, ", required: true") + options)
            required.expectEnd(1, required.isStarved ? "invalid" : "pass")
            let reason = try #require(required.summary["push", "last_error"].text)
            #expect(reason.hasPrefix("HTTP 400: "))
            #expect(required.summary["reasons"].elements.first?.text == "push.url: the last push failed: \(reason)")
            try await stack.delete("job/other")

            // A proxy that the environment names is not asked, unless the profile wants it.
            let port = try DeadPort()
            let proxy = ["http_proxy": "http://127.0.0.1:\(port.port)", "no_proxy": ""]
            let proxied = try await StentorRun.run(
                Self.short, push(stack.pushgateway, ", proxy: environment") + options, environment: proxy)
            proxied.expectPass()
            #expect(proxied.summary["push", "end"].text == "failed" && proxied.summary["push", "last_status"] == .null)
            let good = try await StentorRun.run(Self.short, push(stack.pushgateway, ", on_finish: delete") + options, environment: proxy)
            good.expectPass()
            #expect(good.summary["push", "end"].text == "deleted" && good.summary["push", "failed"].count == 0)
            #expect(try await stack.groups().isEmpty)

            // From here on it never answers a PUT to a job that goes as base64.
            try await stack.wedge()
            let hanging = try await StentorRun.run(Self.short, push(stack.pushgateway, ", job: a/b, timeout: 300ms") + options)
            hanging.expectPass()
            #expect(hanging.summary["push", "end"].text == "failed" && hanging.summary["push", "last_status"] == .null)
            #expect(hanging.summary["push", "last_error"].text?.isEmpty == false)
        } catch {
            try await stack.stop()
            throw error
        }
        try await stack.stop()
    }

    @Test func `a Pushgateway that hangs takes no text from the load`() async throws {
        let server = try HangingServer()
        var last: (free: Int, pushed: Int) = (0, 0)
        // The two runs may differ by their first texts, as devices are ready at other moments; pushes that blocked would cost most of them.
        for _ in 1...3 {
            let free = try await StentorRun.run(Self.short)
            let started = Instant.now()
            let pushed = try await StentorRun.run(
                Self.short, push("http://127.0.0.1:\(server.port)", ", timeout: 10m"), within: .seconds(90))
            free.expectPass()
            pushed.expectPass()
            #expect(try pushed.count("messages.not_sent") == 0 && pushed.count("messages.answered") == pushed.count("messages.sent"))
            #expect(pushed.summary["push", "end"].text == "failed" && pushed.summary["push", "last_status"] == .null)
            #expect(Instant.now() - started < .seconds(240), "the last push gives up in ten seconds, in each of three runs at most")
            last = (try free.count("messages.sent"), try pushed.count("messages.sent"))
            if abs(last.free - last.pushed) <= 20 || free.isStarved || pushed.isStarved { return }
        }
        Issue.record("\(last.pushed) texts instead of \(last.free)")
    }

    // The values of the label torture of bug reports.
    private static let torture = [
        "a/b", "a+b", "ä/北", "", "q\"'", "back\\slash", "line\nbreak", "job@base64", ".", "..", "a b%2F?#", "{}=,",
    ]

    @Test(.requiresPeer("prometheus"))
    func `labels of a profile arrive exactly, whatever stands in them`() async throws {
        let stack = try await PrometheusStack.start()
        do {
            func quoted(_ text: String) -> String {
                "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
            }
            let pairs = Self.torture.enumerated().flatMap { [("g\($0.offset)", $0.element), ("p\($0.offset)", $0.element)] }
            let labels = pairs.map { "\($0.0): \(quoted($0.1))" }.joined(separator: ", ")
            let group = pairs.map(\.0).filter { $0.hasPrefix("g") }.joined(separator: ", ")
            let run = try await StentorRun.run(
                Self.short, push(stack.pushgateway, ", job: 'ä/北@base64', labels: {\(labels)}, group: [\(group)]") + ["--duration", "3s"])
            run.expectPass()
            let key = Dictionary(
                uniqueKeysWithValues: [("job", "ä/北@base64"), ("profile", "short")] + pairs.filter { $0.0.hasPrefix("g") })
            #expect(try await stack.groups() == [key])
            // Prometheus has no empty labels.
            let expected = key.merging(pairs) { $1 }.filter { !$0.value.isEmpty }
            let verdict = try #require(run.summary["verdict"].text)
            let sent = try await eventually("the scrape", within: .seconds(60)) {
                try await stack.series("stentor_messages_sent_total and on() stentor_verdict{verdict=\"\(verdict)\"} == 1").first
            }
            #expect(sent.labels.filter { $0.key != "__name__" } == expected)
            #expect(sent.value == Double(try run.count("messages.sent")))
        } catch {
            try await stack.stop()
            throw error
        }
        try await stack.stop()
    }

    @Test func `a label of ten kibibytes is refused at the start, with its place`() async throws {
        let long = String(repeating: "x", count: 10_240)
        let cases = [
            (["--set", "push={url: 'http://127.0.0.1:1', labels: {a: \(long)}}"], "longer than 4096 bytes"),
            (["--set", "push={url: 'http://127.0.0.1:1', job: \(long.prefix(2000))}"], "the text has 2000 bytes"),
            (["--metrics-listen", "127.0.0.1:0", "--label", "a=\(long)"], "--label: the value of the label 'a' has 10240 bytes"),
        ]
        for (options, words) in cases {
            let run = try await StentorRun.start(Self.short, options).finish()
            #expect([64, 65].contains(run.outcome.exitCode) && run.path == nil)
            #expect(run.outcome.errors.contains(words), "\(run.outcome.errors.prefix(300))")
        }
    }
}
