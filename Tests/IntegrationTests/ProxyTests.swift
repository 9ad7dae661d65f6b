import Foundation
import TestSupport
import Testing

/// Through real reverse proxies: nothing is lost on the way, and nothing is counted twice.
@Suite(.slots(2), .requiresPeer("faults"), .requiresPeer("gateways"))
struct ProxyTests {
    private static let gateway = [
        "--token", StentorRun.token, "--life", "240", "--prompt-every", "1", "--send-photo-every", "1", "--photo-bytes", "10KiB..4MiB",
    ]
    private static let load = [
        "--devices", "10", "--set", "behaviour.photo={every: 1s, size: 1KiB..4MiB, reply_within: 5s}", "--set",
        "behaviour.prompts={think: 50ms..100ms}", "--set", "behaviour.ping={every: 1s}", "--set",
        "gates=[messages.lost == 0, uploads.corrupt == 0, downloads.corrupt == 0]",
    ]

    /// Fills a template of the judges and writes it.
    private func configuration(_ template: String, front: UInt16, back: String, in folder: FreshDirectory, drain: String) throws -> String {
        var text = try String(contentsOfFile: try Peers.path("faults/" + template), encoding: .utf8)
        let values = [("@DIR@", folder.path), ("@FRONT@", "\(front)"), ("@BACK@", back), ("@IDLE@", "30s"), ("@DRAIN@", drain)]
        for (name, value) in values { text = text.replacingOccurrences(of: name, with: value) }
        return try folder.write(text, to: "proxy.conf")
    }

    private func judge(_ template: String, command: [String], drain: String) async throws {
        let judged = try await StentorRun.undisturbed(\.run) {
            let judge = try await PythonPeers.gateway("hermes_gateway.py", Self.gateway)
            let back = try #require(URL(string: judge.url)?.port)
            let folder = try FreshDirectory()
            let front = try LocalAddress.freePort()
            let file = try configuration(template, front: front, back: "\(back)", in: folder, drain: drain)
            let proxy = try ChildProcess(command + [file])
            try await LocalAddress.awaitListener(on: front)
            let run = try await StentorRun.start(
                StentorRun.fixture("profiles/short.yaml"), ["--target", "ws://127.0.0.1:\(front)/ws"] + Self.load
            ).finish()
            proxy.signal(SIGTERM)
            try await proxy.exit(within: .seconds(60))
            let totals = try Facts(try await judge.stop())
            return JudgedRun(run: run, totals: totals, complaints: judge.process.text(on: .errors))
        }
        let run = judged.run
        run.expectPass()
        try run.expectClosedAccounts()
        try judged.expectAgreement()
        for name in ["messages.answered", "uploads.confirmed", "downloads.verified", "prompts.answered", "pongs.received"] {
            #expect(try run.count(name) > 0, "\(name)")
        }
    }

    @Test(.enabled(if: Peers.isRequired || Peers.program("nginx") != nil, "no nginx"))
    func `through nginx both ends count the same`() async throws {
        try await judge("nginx.conf.in", command: [Peers.program("nginx") ?? "nginx", "-c"], drain: "1s")
    }

    @Test(.enabled(if: Peers.isRequired || Peers.program("haproxy") != nil, "no haproxy"))
    func `through HAProxy both ends count the same`() async throws {
        try await judge("haproxy.cfg.in", command: [Peers.program("haproxy") ?? "haproxy", "-W", "-db", "-f"], drain: "1s")
    }

    @Test(.enabled(if: Peers.isRequired || Peers.program("nginx") != nil && Peers.program("haproxy") != nil, "no nginx or no haproxy"))
    func `an echo server behind either gives every byte back`() async throws {
        let proxies: [(template: String, command: [String])] = [
            ("nginx.conf.in", [Peers.program("nginx") ?? "nginx", "-c"]),
            ("haproxy.cfg.in", [Peers.program("haproxy") ?? "haproxy", "-W", "-db", "-f"]),
        ]
        for proxy in proxies {
            let judged = try await StentorRun.undisturbed(\.run) {
                let judge = try await PythonPeers.gateway("echo_gateway.py", ["--greeting", "--life", "240"])
                let back = try #require(URL(string: judge.url)?.port)
                let folder = try FreshDirectory()
                let front = try LocalAddress.freePort()
                let file = try configuration(proxy.template, front: front, back: "\(back)", in: folder, drain: "1s")
                let process = try ChildProcess(proxy.command + [file])
                try await LocalAddress.awaitListener(on: front)
                let run = try await StentorRun.start(
                    StentorRun.fixture("profiles/echo.yaml"),
                    ["--target", "ws://127.0.0.1:\(front)/", "--set", "behaviour.ping={every: 1s}"]
                ).finish()
                process.signal(SIGTERM)
                try await process.exit(within: .seconds(20))
                return JudgedRun(run: run, totals: try Facts(try await judge.stop()), complaints: judge.process.text(on: .errors))
            }
            judged.run.expectPass()
            try judged.run.expectClosedAccounts()
            #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
            #expect(try judged.run.count("messages.answered") + judged.run.count("messages.late") == judged.theirs("texts"))
            #expect(try judged.run.count("messages.corrupt") == 0 && judged.theirs("texts") > 60)
        }
    }

    @Test(.enabled(if: Peers.isRequired || Peers.program("nginx") != nil, "no nginx"))
    func `a proxy without its gateway is told by its status`() async throws {
        let folder = try FreshDirectory()
        let (front, back) = (try LocalAddress.freePort(), try DeadPort())
        let file = try configuration("nginx.conf.in", front: front, back: "\(back.port)", in: folder, drain: "1s")
        let proxy = try ChildProcess([Peers.program("nginx") ?? "nginx", "-c", file])
        try await LocalAddress.awaitListener(on: front)
        let run = try await StentorRun.run(
            StentorRun.fixture("profiles/short.yaml"), ["--target", "ws://127.0.0.1:\(front)/ws", "--duration", "3s"])
        proxy.signal(SIGTERM)
        try await proxy.exit(within: .seconds(60))
        run.expectEnd(69, "fail")
        #expect(run.labelled("http_statuses", "502") >= 20)
        // A dial that is on its way when the run ends is given up.
        let refused = run.labelled("dial_failures", "http_status")
        #expect(refused >= 20)
        #expect(try refused + run.labelled("dial_failures", "cancelled") == run.count("dials"))
    }
}
