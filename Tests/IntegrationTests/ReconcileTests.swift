import Foundation
import StentorBase
import TestSupport
import Testing

/// One run with losses, duplicates and a drill, told in every form that a run has: all forms must say the same, to the last unit.
@Suite(.slots(1))
struct ReconcileTests {
    private static let options = [
        "--duration", "5s", "--set", "behaviour.text={every: 200ms, body: 20B..200B, reply_within: 1500ms}", "--set",
        "behaviour.photo={every: 1s, size: 16KiB..64KiB, reply_within: 5s}", "--set", "behaviour.prompts={think: 100ms..300ms}", "--set",
        "behaviour.ping={every: 1s, pong_within: 10s}", "--set",
        "target.gateway={lose_rate: 10%, duplicate_rate: 10%, reorder_rate: 5%, error_rate: 2%, prompt_every: 1s, send_photo_every: 1s, photo_bytes: 16KiB..64KiB}",
        "--set", "drills=[{at: 2s, name: mass drop, disconnect: {share: 50%, within: 200ms, how: reset}}]", "--set",
        "reconnect={policy: fixed, base: 100ms}", "--set", "gates=[messages.sent > 0, messages.lost == 0]",
    ]

    @Test(.requiresPeer("prometheus"), .requiresHdrPython)
    func `console, JSON, HTML, histogram log, timeline and pushed totals say the same`() async throws {
        let stack = try await PrometheusStack.start()
        do {
            let push = ["--set", "push={url: '\(stack.pushgateway)', every: 1s}"]
            let run = try await eventful(push)
            run.expectEnd(99, "fail")
            let forms = try await RunForms(run, pushed: try await stack.metrics())
            try forms.expectCountsAgree()
            forms.expectLabelsAgree()
            forms.expectDistributionsAgree()
            try forms.expectOutagesAgree()
            try forms.expectOffendersAgree()
            forms.expectVerdictAgrees()
        } catch {
            try await stack.stop()
            throw error
        }
        try await stack.stop()
    }

    /// A run in which everything happened; on a machine that stands still for seconds a drill may find nobody to cut off.
    private func eventful(_ more: [String]) async throws -> StentorRun {
        let wanted = [
            "messages.lost", "messages.duplicated", "messages.reordered", "reconnects", "uploads.confirmed", "downloads.complete",
            "prompts.answered",
        ]
        var run = try await StentorRun.run(StentorRun.fixture("profiles/short.yaml"), Self.options + more)
        for _ in 1...2 where try !wanted.allSatisfy({ try run.count($0) > 0 }) {
            run = try await StentorRun.run(StentorRun.fixture("profiles/short.yaml"), Self.options + more)
        }
        for name in wanted { #expect(try run.count(name) > 0, "\(name)") }
        return run
    }
}
