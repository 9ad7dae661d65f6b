import Foundation
import TestSupport
import Testing

/// Echoes of an independent gateway and of servers that were not written for this: every byte comes back.
@Suite(.slots(1), .requiresPeer("gateways"))
struct EchoRunTests {
    private static let profile = StentorRun.fixture("profiles/echo.yaml")

    private func judged(_ gateway: [String], _ options: [String] = []) async throws -> JudgedRun {
        let judged = try await JudgedRun.run(Self.profile, script: "echo_gateway.py", gateway: gateway, options)
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        return judged
    }

    @Test(arguments: [3, 5, 8])
    func `lost, duplicated and reordered echoes are exactly those of the gateway`(seed: Int) async throws {
        let judged = try await judged(
            ["--seed", "\(seed)", "--lose-rate", "0.08", "--duplicate-rate", "0.1", "--reorder-rate", "0.08", "--greeting"],
            ["--set", "seed=\(seed)"])
        let run = judged.run
        #expect(try run.count("messages.sent") == judged.theirs("texts") && judged.theirs("marked") == judged.theirs("texts"))
        let answered = try run.count("messages.answered") + run.count("messages.late")
        #expect(try answered == judged.theirs("replies", "sent") - judged.theirs("replies", "duplicated"))
        for name in ["lost", "duplicated", "reordered"] {
            #expect(try run.count("messages.\(name)") == judged.theirs("replies", name), "\(name)")
            #expect(try judged.theirs("replies", name) > 0, "\(name)")
        }
        #expect(run.labelled("received_frame_types", "greeting") == 12 && run.labelled("received_frame_types", "other") == 0)
    }

    @Test func `empty texts and large ones come back, while devices come and go`() async throws {
        let judged = try await judged(
            ["--greeting"],
            [
                "--devices", "6", "--set", "behaviour.text.body=0B..2MiB", "--set",
                "behaviour.away={every: 1500ms, for: 200ms..400ms, how: leave}",
            ])
        let run = judged.run
        #expect(try run.count("messages.answered") + run.count("messages.late") == judged.theirs("texts"))
        #expect(try run.count("messages.corrupt") == 0 && run.count("messages.lost") == 0 && run.count("absences") > 0)
        #expect(run.labelled("received_frame_types", "greeting") == (try run.count("ready")))
    }

    @Test(arguments: ["0B", "1B..25B", "16MiB"])
    func `texts of any size come back`(body: String) async throws {
        let isLarge = body == "16MiB"
        let judged = try await judged(
            [],
            [
                "--devices", isLarge ? "1" : "12", "--set",
                "behaviour.text={every: \(isLarge ? "1500ms" : "100ms"), body: \(body), reply_within: 30s}",
            ])
        #expect(try judged.run.count("messages.answered") == judged.theirs("texts") && judged.theirs("texts") > 0)
    }

    @Test func `binary texts come back as binary messages`() async throws {
        let judged = try await judged(["--binary", "--greeting"], ["--set", "echo.binary=true"])
        #expect(try judged.run.count("messages.answered") == judged.theirs("binary") && judged.theirs("texts") == 0)
        #expect(try judged.run.count("frames.wrong_kind") == 0)
    }

    @Test func `the embedded gateway counts the same`() async throws {
        let run = try await StentorRun.run(
            Self.profile, ["--set", "target.gateway={greeting: true, duplicate_rate: 10%, lose_rate: 5%, reorder_rate: 5%}"])
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(run.summary["reconciliation"].elements.count == 6)
        for row in run.summary["reconciliation"].elements { #expect(row["is_equal"] == .bool(true), "\(row)") }
    }

    @Test(arguments: [[], [StentorRun.fixture("tls/server.pem"), StentorRun.fixture("tls/server.key")]])
    func `a server of the library websockets gives every byte back, with TLS and without`(files: [String]) async throws {
        let run = try await StentorRun.undisturbed({ $0 }) {
            let script = StentorRun.fixture("servers/echo_server.py")
            let server = try ChildProcess([try await PythonPeers.python, script, "websockets"] + files)
            let line = try await server.line(startingWith: "listening on ", within: .seconds(30))
            let tls = files.isEmpty ? "" : ", tls: {ca_file: '\(StentorRun.fixture("tls/ca.pem"))'}"
            let target = "target={url: '\(line.dropFirst("listening on ".count))', dialect: echo\(tls)}"
            return try await StentorRun.start(Self.profile, ["--set", target, "--set", "behaviour.text.body=0B..200KiB"]).finish()
        }
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(try run.count("messages.answered") == run.count("messages.sent") && run.count("messages.sent") > 60)
        #expect(try run.count("messages.corrupt") == 0 && run.count("messages.reordered") == 0)
    }
}
