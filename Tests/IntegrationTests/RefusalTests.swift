import TestSupport
import Testing

/// Gateways that refuse devices.
@Suite(.slots(1), .requiresPeer("gateways"))
struct RefusalTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    @Test(arguments: [("1008", "refused"), ("401", "http"), ("403", "http")])
    func `a device whose token is refused dials once, and never again`(how: String, kind: String) async throws {
        let judged = try await JudgedRun.run(gateway: ["--refuse-all", "--refuse", how], ["--duration", "4s"])
        judged.run.expectEnd(69, "fail")
        let run = judged.run
        #expect(try run.count("dials") == 20 && run.count("ready") == 0)
        #expect(run.labelled("dial_failures", "refused_by_server") == 20, "\(run.summary["by_label", "dial_failures"])")
        #expect(run.summary["devices", "failed"].count == 20)
        let reason = run.summary["reasons"].elements.first?.text ?? ""
        #expect(reason.hasSuffix("20 refused_by_server of 20 dials"), "\(reason)")
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        if kind == "http" {
            #expect(run.labelled("http_statuses", how) == 20)
            #expect(try judged.theirs("refused", "http_" + how) == 20)
            #expect(try judged.theirs("hellos") == 0 && run.count("connects") == 0)
        } else {
            #expect(run.labelled("close_codes", "1008") == 20)
            #expect(try judged.theirs("refused", "auth_failed") == 20)
            #expect(try judged.theirs("hellos") == 20 && run.count("connects") == 20)
            #expect(run.labelled("server_error_codes", "auth_failed") == 20)
        }
    }

    @Test func `devices with their own tokens are let in, those without are not`() async throws {
        let folder = try FreshDirectory()
        let tokens = (0..<20).map { "short-\($0)=own-secret-\($0)" }
        try folder.write("# one a line\n" + tokens.joined(separator: "\n") + "\n", to: "tokens.txt")
        // The gateway knows all but the last two.
        let bound = (0..<18).flatMap { ["--bind", "short-\($0)=own-secret-\($0)"] }
        let (run, totals) = try await StentorRun.undisturbed(\.0) {
            let judge = try await PythonPeers.gateway("hermes_gateway.py", ["--life", "240"] + bound)
            let text = "target={url: '\(judge.url)', dialect: hermes, tokens_file: '\(folder.path("tokens.txt"))'}"
            let run = try await StentorRun.start(Self.short, ["--set", text, "--set", "gates=[messages.lost == 0]"]).finish()
            return (run, try Facts(try await judge.stop()))
        }
        run.expectPass()
        #expect(try run.count("ready") == 18)
        #expect(run.summary["devices", "left"].count == 18 && run.summary["devices", "failed"].count == 2)
        #expect(totals["refused", "auth_failed"].count == 2 && totals["violations"] == .object([:]))
        for (name, text) in try run.everything() { #expect(!text.contains("own-secret"), "\(name)") }
    }

    @Test func `a full gateway turns devices away, and they try again`() async throws {
        let judged = try await JudgedRun.run(
            gateway: ["--max-devices", "12"], ["--set", "gates=[messages.lost == 0]", "--set", "reconnect={policy: fixed, base: 500ms}"])
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        let refused = try judged.theirs("refused", "capacity")
        // Each of the eight that are turned away may leave while its refusal is on its way.
        let told = judged.run.labelled("close_codes", "1013")
        #expect(told > 8 && told <= refused && refused - told <= 8, "\(told) of \(refused)")
        #expect(judged.run.labelled("dial_failures", "closed_before_ready") == told)
        #expect(try judged.run.count("dials") >= 20 + refused - 8 && judged.theirs("peak") == 12)
        #expect(judged.run.summary["devices", "left"].count == 20 && judged.run.summary["devices", "failed"].count == 0)
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
    }
}
