import TestSupport
import Testing

/// Typed messages against an independent gateway.
@Suite(.slots(1), .requiresPeer("gateways"))
struct TypedRunTests {
    private static let profile = StentorRun.fixture("profiles/typed.yaml")

    private func judged(_ gateway: [String], _ options: [String] = []) async throws -> JudgedRun {
        let judged = try await JudgedRun.run(Self.profile, script: "typed_gateway.py", gateway: gateway, options)
        judged.run.expectPass()
        try judged.run.expectClosedAccounts()
        #expect(judged.totals["violations"] == .object([:]), "\(judged.complaints)")
        return judged
    }

    private func answered(_ run: StentorRun) throws -> Int { try run.count("messages.answered") + run.count("messages.late") }

    @Test(arguments: [3, 5, 8])
    func `lost, duplicated and reordered replies are exactly those of the gateway`(seed: Int) async throws {
        let judged = try await judged(
            ["--seed", "\(seed)", "--lose-rate", "0.08", "--duplicate-rate", "0.1", "--reorder-rate", "0.08", "--greet-delay", "0..0.2"],
            ["--set", "seed=\(seed)"])
        let run = judged.run
        #expect(try run.count("messages.sent") == judged.theirs("messages"))
        #expect(try answered(run) == judged.theirs("replies", "sent") - judged.theirs("replies", "duplicated"))
        for name in ["lost", "duplicated", "reordered"] {
            #expect(try run.count("messages.\(name)") == judged.theirs("replies", name), "\(name)")
            #expect(try judged.theirs("replies", name) > 0, "\(name)")
        }
    }

    @Test(arguments: [1, 6])
    func `text messages and rubbish are counted, and end nothing`(seed: Int) async throws {
        let judged = try await judged(
            ["--seed", "\(seed)", "--text-fault-rate", "0.1", "--undecodable-rate", "0.15", "--lose-rate", "0.05"],
            ["--set", "seed=\(seed)"])
        let run = judged.run
        let (texts, rubbish) = (try judged.theirs("text_faults"), try judged.theirs("undecodable_faults"))
        #expect(texts > 0 && rubbish > 0)
        #expect(try run.count("frames.wrong_kind") == texts && run.count("frames.malformed") == rubbish)
        #expect(try answered(run) == judged.theirs("replies", "sent") - texts)
        #expect(try run.count("messages.lost") == judged.theirs("replies", "lost") + texts)
        #expect(try run.count("ready") == 12 && run.count("disconnects") == 12)
    }

    @Test func `a gateway that greets nobody makes no device ready, and the reason is told`() async throws {
        let judged = try await JudgedRun.run(
            Self.profile, script: "typed_gateway.py", gateway: ["--no-greet"],
            ["--set", "target.ready_within=500ms", "--duration", "20s", "--set", "gates=[]"])
        judged.run.expectEnd(69, "fail")
        let unready = judged.run.labelled("dial_failures", "ready_timeout")
        #expect(unready >= 12)
        let words = "\(unready) dials were not ready in time: nothing was received, and only a first message makes a device connected"
        #expect(judged.run.summary["warnings"].elements.contains(.text(words)), "\(judged.run.summary["warnings"])")
        #expect(try judged.theirs("messages") == 0)
    }

    @Test func `the embedded gateway counts the same`() async throws {
        let run = try await StentorRun.run(
            Self.profile,
            ["--set", "target.gateway={text_fault_rate: 10%, undecodable_rate: 10%, duplicate_rate: 10%, lose_rate: 5%}"])
        run.expectPass()
        try run.expectClosedAccounts()
        #expect(try run.count("frames.wrong_kind") > 0 && run.count("messages.duplicated") > 0)
        #expect(run.summary["reconciliation"].elements.count == 5)
        for row in run.summary["reconciliation"].elements { #expect(row["is_equal"] == .bool(true), "\(row)") }
    }
}
