import Foundation
import TestSupport
import Testing

/// Targets with TLS.
@Suite(.slots(1))
struct TLSTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    private func serve() async throws -> (process: ChildProcess, port: String) {
        let gateway = try ChildProcess(
            [
                StentorBinary.path, "serve", "--life", "180s", "--tls-certificate", StentorRun.fixture("tls/server.pem"), "--tls-key",
                StentorRun.fixture("tls/server.key"),
            ], environment: ["STENTOR_GATEWAY_TOKEN": StentorRun.token])
        let line = try await gateway.line(startingWith: "listening on wss://")
        let port = try #require(line.split(separator: ":").last?.split(separator: "/").first)
        return (gateway, String(port))
    }

    private func load(_ port: String, host: String = "localhost", tls: String) async throws -> StentorRun {
        let target = "target={url: 'wss://\(host):\(port)/ws', dialect: hermes, token: '${STENTOR_TOKEN}', tls: {\(tls)}}"
        return try await StentorRun.start(
            Self.short,
            [
                "--duration", "5s", "--devices", "10", "--set", target, "--set",
                "behaviour.photo={every: 500ms, size: 1KiB..1MiB, reply_within: 5s}",
            ]
        ).finish()
    }

    @Test(arguments: [
        ("localhost", "ca_file: '\(StentorRun.fixture("tls/ca.pem"))'"),
        ("127.0.0.1", "ca_file: '\(StentorRun.fixture("tls/ca.pem"))'"),
        ("127.0.0.1", "ca_file: '\(StentorRun.fixture("tls/ca.pem"))', server_name: gw.test"),
        ("localhost", "insecure: true"),
    ])
    func `a gateway with TLS is loaded like any other`(host: String, tls: String) async throws {
        let (run, totals) = try await StentorRun.undisturbed(\.0) {
            let gateway = try await serve()
            let run = try await load(gateway.port, host: host, tls: tls)
            gateway.process.signal(SIGTERM)
            let outcome = try await gateway.process.exit(within: .seconds(60))
            return (run, try Facts(String(outcome.output.split(separator: "\n").last ?? "")))
        }
        run.expectPass()
        let isVerified = !tls.contains("insecure")
        try run.expectClosedAccounts(warnings: isVerified ? [] : ["the server's certificate was not verified (target.tls.insecure)"])
        #expect(try run.count("ready") == 10 && run.count("uploads.confirmed") > 0)
        #expect(run.summary["distributions", "connect_tls", "ramp", "count"].count == 10)
        #expect(totals["violations"] == .object([:]) && totals["hellos"].count == 10)
        #expect(try totals["texts"].count == run.count("messages.sent"))
    }

    @Test(arguments: ["", "ca_file: '\(StentorRun.fixture("tls/ca.pem"))', server_name: another.test"])
    func `a certificate that does not verify keeps every device out`(tls: String) async throws {
        let gateway = try await serve()
        let run = try await load(gateway.port, tls: tls)
        run.expectEnd(69, "fail")
        let dials = try run.count("dials")
        #expect(dials >= 10 && run.labelled("dial_failures", "tls_verification") + run.labelled("dial_failures", "cancelled") == dials)
        #expect(try run.count("connects") == 0)
    }

    @Test func `a target without TLS is no TLS target`() async throws {
        let gateway = try ChildProcess([StentorBinary.path, "serve", "--life", "180s"])
        let line = try await gateway.line(startingWith: "listening on ws://127.0.0.1:")
        let port = try #require(line.split(separator: ":").last?.split(separator: "/").first)
        let run = try await load(String(port), tls: "insecure: true")
        run.expectEnd(69, "fail")
        #expect(
            try run.labelled("dial_failures", "tls") + run.labelled("dial_failures", "closed")
                + run.labelled("dial_failures", "cancelled") == run.count("dials"))
    }
}
