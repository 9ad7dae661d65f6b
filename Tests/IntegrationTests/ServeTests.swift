import Foundation
import TestSupport
import Testing

/// The simulated gateway as a program.
struct ServeTests {
    @Test(.requiresPeer("gateways"), .slots(1))
    func `an independent device finds the gateway sound`() async throws {
        let gateway = try ChildProcess([
            StentorBinary.path, "serve", "--token", "t", "--prompt-expiry", "2s", "--hello-timeout", "2s", "--life", "120s",
        ])
        let line = try await gateway.line(startingWith: "listening on ")
        let url = String(line.dropFirst("listening on ".count))
        let check = try await PythonPeers.start(
            "gateways/hermes_check.py", [url, "--token", "t", "--expiry", "2", "--hello-timeout", "2"])
        let outcome = try await check.exit(within: .seconds(90))
        let failures = outcome.output.split(separator: "\n").filter { $0.hasPrefix("FAIL") }
        #expect(failures == [], "\(outcome.errors)")
        let last = String(outcome.output.split(separator: "\n").last ?? "")
        #expect(outcome.exitCode == 0 && last.contains(" passed, 0 failed"), "\(last)")
        gateway.signal(SIGTERM)
        let ended = try await gateway.exit(within: .seconds(60))
        #expect(ended.exitCode == 0)
        let totals = try Facts(String(ended.output.split(separator: "\n").last ?? ""))
        #expect((totals["connections"].count ?? 0) > 10 && !totals["violations"].members.isEmpty, "the device misbehaves on purpose")
    }

    /// The judge's two members of a room join on two connections at once, so who was first is open: what `--announce` tells is shown by the
    /// gateway's own tests, and here only that a lost connection is told.
    @Test(
        .requiresPeer("gateways"), .slots(1),
        arguments: [
            ("echo", [], ["--no-greeting"]), ("echo", ["--greeting"], ["--greeting"]), ("typed", [], []), ("rooms", [], ["--own-echo"]),
            ("rooms", ["--no-own-echo"], ["--no-own-echo"]),
            ("rooms", ["--announce", "--leave-on-close"], ["--leave-on-close", "--only", "lost connection"]),
        ] as [(String, [String], [String])])
    func `independent devices find the other gateways sound`(dialect: String, options: [String], expectations: [String]) async throws {
        let gateway = try ChildProcess([StentorBinary.path, "serve", "--dialect", dialect, "--life", "120s"] + options)
        let line = try await gateway.line(startingWith: "listening on ")
        let url = String(line.dropFirst("listening on ".count))
        let check = try await PythonPeers.start("gateways/checks.py", [dialect, url, "--within", "30"] + expectations)
        let outcome = try await check.exit(within: .seconds(90))
        let failures = outcome.output.split(separator: "\n").filter { $0.hasPrefix("FAIL") }
        #expect(failures == [], "\(outcome.errors)")
        let last = String(outcome.output.split(separator: "\n").last ?? "")
        #expect(outcome.exitCode == 0 && last.hasSuffix(" passed, 0 failed") && !last.hasPrefix("0 "), "\(last)")
        gateway.signal(SIGTERM)
        #expect(try await gateway.exit(within: .seconds(60)).exitCode == 0)
    }

    @Test func `an option that the dialect's gateway does not have is refused`() async throws {
        let outcome = try await ChildProcess.run([StentorBinary.path, "serve", "--dialect", "echo", "--edits", "3"], within: .seconds(20))
        #expect(outcome.exitCode == 64 && outcome.output == "")
        #expect(
            outcome.errors == """
                stentor: --edits: the echo gateway has no such option
                  hint: 'stentor serve --help' names the dialects of each option

                """)
    }

    @Test(.slots(1), arguments: [SIGINT, SIGTERM])
    func `a signal ends the gateway, which then tells what it saw`(signal: Int32) async throws {
        let gateway = try ChildProcess([StentorBinary.path, "serve"])
        let line = try await gateway.line(startingWith: "listening on ")
        #expect(line.hasPrefix("listening on ws://127.0.0.1:") && line.hasSuffix("/ws"))
        gateway.signal(signal)
        let outcome = try await gateway.exit(within: .seconds(60))
        #expect(outcome.exitCode == 0 && outcome.errors == "")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(try Facts(String(lines.last ?? ""))["connections"].count == 0)
    }

    @Test(.slots(1)) func `a gateway with a life ends by itself`() async throws {
        let outcome = try await ChildProcess.run([StentorBinary.path, "serve", "--life", "200ms"], within: .seconds(20))
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(try Facts(String(outcome.output.split(separator: "\n").last ?? ""))["hellos"].count == 0)
    }
}
