import Foundation
import TestSupport
import Testing

/// `stentor check` against independent gateways, sound ones and faulty ones.
@Suite(.slots(1))
struct CheckTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let dialect: String
        let options: [String]
        /// The points that must fail, by words of their names.
        let failed: [String]
        /// Only these points, by words of their names; empty: all.
        var only: [String] = []

        var testDescription: String { ([dialect] + options).joined(separator: " ") }
    }

    private static let quick = ["--life", "150"]

    private func check(_ script: String, _ item: Case) async throws -> (outcome: ChildProcess.Outcome, result: Facts) {
        let token = item.dialect == "hermes" ? ["--token", StentorRun.token, "--hello-timeout", "1", "--edit-gap", "0.01"] : []
        let judge = try await PythonPeers.gateway(script, Self.quick + token + item.options)
        let arguments =
            ["check", "--target", judge.url, "--dialect", item.dialect, "--json", "--within", "5s"] + item.only.flatMap { ["--only", $0] }
        let outcome = try await ChildProcess.run(
            [StentorBinary.path] + arguments, environment: ["STENTOR_TOKEN": StentorRun.token], within: .seconds(120))
        _ = try await judge.stop()
        return (outcome, try Facts(outcome.output))
    }

    @Test(
        .requiresPeer("gateways"),
        arguments: [
            Case(dialect: "hermes", options: [], failed: []), Case(dialect: "hermes", options: ["--no-stream"], failed: []),
            Case(dialect: "hermes", options: ["--edit-gap", "0.8"], failed: [], only: ["a turn ends", "an edit carries"]),
            Case(dialect: "rooms", options: [], failed: []), Case(dialect: "typed", options: [], failed: []),
            Case(dialect: "echo", options: ["--greeting", "--binary"], failed: []),
        ])
    func `a sound gateway passes every point that is judged`(item: Case) async throws {
        let (outcome, result) = try await check("\(item.dialect)_gateway.py", item)
        #expect(outcome.exitCode == 0 && result["failed"].count == 0, "\(outcome.output)")
        #expect((result["passed"].count ?? 0) >= (item.only.isEmpty ? 7 : item.only.count), "\(outcome.output)")
    }

    @Test(
        .requiresPeer("gateways"),
        arguments: [
            Case(
                dialect: "hermes", options: ["--bad-frame-rate", "1"], failed: ["a JSON object with a t"], only: ["JSON object", "ping"]),
            Case(
                dialect: "hermes", options: ["--photo-fault", "bad_base64"], failed: ["a photo comes whole"],
                only: ["photo comes", "upload"]),
            Case(dialect: "hermes", options: ["--refuse-all"], failed: ["hello is answered"], only: ["hello is answered", "wrong token"]),
            Case(
                dialect: "hermes", options: ["--lose-rate", "1"], failed: ["a text is answered"],
                only: ["a text is answered", "wrong token"]),
            Case(
                dialect: "typed", options: ["--text-fault-rate", "1"], failed: ["a binary one", "answered with", "survived", "twelve"],
                only: ["binary one", "answered with its content", "survived", "twelve", "first message"]),
            Case(dialect: "typed", options: ["--no-greet"], failed: ["a first message"], only: ["first message", "ping"]),
            Case(
                dialect: "rooms", options: ["--duplicate-rate", "1"], failed: ["twelve", "once or not"],
                only: ["twelve", "once or", "two rooms"]),
            Case(dialect: "rooms", options: ["--reorder-rate", "0.5"], failed: ["twelve"], only: ["twelve", "ping"]),
            Case(dialect: "echo", options: ["--lose-rate", "1"], failed: ["unchanged"], only: ["unchanged", "unasked"]),
        ])
    func `a planted fault fails its points, and no other`(item: Case) async throws {
        let (outcome, result) = try await check("\(item.dialect)_gateway.py", item)
        #expect(outcome.exitCode == 99, "\(outcome.output)")
        let points = result["points"].elements
        let failed = points.filter { $0["outcome"].text == "failed" }.compactMap { $0["name"].text }
        #expect(failed.count == item.failed.count, "\(failed)")
        for words in item.failed { #expect(failed.contains { $0.contains(words) }, "\(words): \(failed)") }
        #expect(points.contains { $0["outcome"].text == "passed" }, "\(outcome.output)")
    }

    @Test func `a gateway that is not there ends with 69, and its place`() async throws {
        let dead = try DeadPort()
        let url = "ws://127.0.0.1:\(dead.port)/ws"
        let outcome = try await ChildProcess.run([StentorBinary.path, "check", "--target", url], within: .seconds(30))
        #expect(outcome.exitCode == 69 && outcome.output == "")
        #expect(outcome.errors.hasPrefix("stentor: \(url): no connection: "), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["check"], "stentor: check: --target is missing\n  hint: such as --target ws://127.0.0.1:8787/ws\n"),
        (
            ["check", "--target", "ws://gateway.example/ws"],
            "stentor: --target: 'gateway.example' is not this machine\n  hint: to check it all the same: --allow-host gateway.example\n"
        ),
    ])
    func `wrong arguments end with 64`(arguments: [String], errors: String) async throws {
        let outcome = try await ChildProcess.run([StentorBinary.path] + arguments, within: .seconds(30))
        #expect(outcome.exitCode == 64 && outcome.errors == errors, "\(outcome)")
    }
}
