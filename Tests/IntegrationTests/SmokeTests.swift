import Foundation
import TestSupport
import Testing

/// The shipped smoke profile, shortened, against both gateways.
@Suite(.slots(3))
struct SmokeTests {
    private static let profile = Repository.root + "/Profiles/smoke.yaml"
    // Fewer seconds, more to do in each: the gate on the 99th percentile needs its samples in a steady phase of two seconds.
    private static let shorter = [
        "--set", "load[0].over=1s", "--duration", "5s", "--set", "load[2].over=1s", "--set", "behaviour.text.every=500ms",
        "--set", "behaviour.photo.every=2s", "--set", "behaviour.ping.every=1s",
    ]

    private static let timing = ["reply.p99 < 2s in steady"]

    private func expectWorked(_ run: StentorRun) throws {
        for name in [
            "messages.answered", "uploads.confirmed", "downloads.verified", "prompts.answered", "pongs.received", "reconnects",
        ] {
            #expect(try run.count(name) > 0, "\(name)")
        }
        #expect(try run.count("reconnects") == 50 && run.labelled("connection_losses", "fault") == 50)
        #expect(try run.count("connects") == 100 && run.count("dials") == 100)
        #expect(run.summary["devices", "left"].count == 50)
        let outage = try #require(run.summary["outages"].elements.first)
        #expect(run.summary["outages"].elements.count == 1)
        #expect(outage["name"].text == "all reconnect" && outage["devices_lost"].count == 50)
        #expect(outage["ready_after_100_seconds"].number != nil)
        #expect(run.summary["gates"].elements.count == 6)
    }

    @Test func `the smoke profile passes against the embedded gateway, and both ends agree`() async throws {
        let run = try await StentorRun.run(Self.profile, Self.shorter)
        run.expectPass(unlessBusy: Self.timing)
        try run.expectClosedAccounts()
        try expectWorked(run)
        try run.expectReconciled()
        let isEqual = run.summary["reconciliation"].elements.allSatisfy { $0["is_equal"] == .bool(true) }
        #expect(run.outcome.output.contains("\ngateway       its own totals \(isEqual ? "agree in all 15 counts" : "differ in")"))
    }

    @Test func `a run leaves its identity, its resolved profile and its summary`() async throws {
        let run = try await StentorRun.run(Self.profile, Self.shorter + ["--label", "server=1.1.1"])
        let path = try #require(run.path)
        let identity = try Facts(try String(contentsOfFile: path + "/run.json", encoding: .utf8))
        #expect(identity["run_id"].text == URL(fileURLWithPath: path).lastPathComponent)
        #expect(identity == run.summary["run"])
        #expect(identity["profile"].text == "smoke" && identity["labels", "server"].text == "1.1.1")
        #expect(identity["planned_seconds"].number == 7)
        #expect(run.outcome.output.contains("run directory "))

        // What was resolved can be run again.
        let again = try await StentorRun.run(path + "/profile.yaml", ["--duration", "3s", "--devices", "3", "--set", "gates=[]"])
        again.expectPass()
        #expect(again.summary["run", "seed"] == identity["seed"])
    }

    @Test(.requiresPeer("gateways"))
    func `the smoke profile passes against an independent gateway, which counts the same and finds no fault`() async throws {
        let gateway = ["--reply-delay", "0.02..0.08", "--prompt-every", "5", "--send-photo-every", "7", "--photo-bytes", "64KiB..4MiB"]
        let judged = try await JudgedRun.run(
            Self.profile, gateway: gateway, Self.shorter + ["--set", "target.token=${STENTOR_TOKEN}"])
        judged.run.expectPass(unlessBusy: Self.timing)
        try judged.run.expectClosedAccounts()
        try expectWorked(judged.run)
        try judged.expectAgreement()
        #expect(judged.run.summary["reconciliation"] == .null, "only an embedded gateway tells its totals")
        for (name, text) in try judged.run.everything() { #expect(!text.contains(StentorRun.token), "\(name)") }
    }

    @Test func `the token of the embedded gateway is seen nowhere`() async throws {
        let (run, child) = try await StentorRun.undisturbed(\.0) {
            let ongoing = try StentorRun.start(StentorRun.fixture("profiles/short.yaml"), ["--duration", "4s"])
            let child = try await EmbeddedChild.find(of: ongoing.process)
            return (try await ongoing.finish(), child)
        }
        run.expectPass()
        let token = try #require(child.environment["STENTOR_GATEWAY_TOKEN"])
        #expect(token.count == 32)
        #expect(!child.arguments.contains { $0.contains(token) || $0.contains(StentorRun.token) })
        for (name, text) in try run.everything() {
            #expect(!text.contains(token) && !text.contains(StentorRun.token), "\(name)")
        }
    }
}
