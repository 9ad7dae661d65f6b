import Foundation
import StentorBase
import StentorMetrics
import StentorStatistics
import StentorTruth
import TestSupport
import Testing

@testable import StentorReport

struct ComparisonTests {
    private static func gateway(_ change: (inout ModelGateway) -> Void = { _ in }) -> ModelGateway {
        var gateway = ModelGateway()
        (gateway.devices, gateway.steadySeconds) = (200, 120)
        change(&gateway)
        return gateway
    }

    /// One run a side; the candidate is slower, longer away and loses some.
    static let worse = Comparison(
        base: [gateway().run(seed: 1, name: "old")],
        candidate: [
            gateway {
                ($0.replySeconds, $0.downSeconds, $0.lostShare) = (0.12, 6, 0.03)
            }.run(seed: 2, name: "new")
        ], replicates: 200)

    /// Two runs of one version a side.
    static let noise = Comparison(
        base: [1, 2].map { gateway().run(seed: $0, name: "a\($0)") }, candidate: [3, 4].map { gateway().run(seed: $0, name: "b\($0)") },
        isCalibration: true, replicates: 200)

    private func number(_ name: String, _ comparison: Comparison) throws -> NumberComparison {
        try #require(comparison.numbers.first { $0.name == name })
    }

    @Test func `what got slower, more and rarer is worse, and nothing is better`() throws {
        let names = Set(Self.worse.worse.map(\.name))
        #expect(names.isSuperset(of: ["reply.p50", "messages.lost", "messages.answered_rate", "reconnect.mean of restart"]))
        #expect(Self.worse.better.isEmpty)
        #expect(Self.worse.judgedCount == Self.worse.numbers.count { $0.finding != nil })
        let lost = try number("messages.lost", Self.worse)
        #expect(lost.base.events == 0 && lost.base.value == 0 && lost.finding?.relative == nil)
        let finding = try #require(lost.finding)
        #expect(finding.difference.low > 0 && finding.difference.value == lost.candidate.value)
    }

    @Test func `a higher share is better`() throws {
        let turned = Comparison(
            base: [Self.gateway { $0.lostShare = 0.05 }.run(seed: 1, name: "old")], candidate: [Self.gateway().run(seed: 2, name: "new")],
            replicates: 100)
        #expect(try number("messages.answered_rate", turned).finding?.verdict == .better)
        #expect(try number("messages.lost", turned).finding?.verdict == .better)
    }

    @Test func `the noise floor is told with several runs a side, and its absence with one`() throws {
        #expect(try number("reply.p50", Self.noise).finding?.runDeviation != nil)
        #expect(try number("reply.p50", Self.noise).base.byRun.count == 2)
        #expect(try number("reply.p50", Self.worse).finding?.runDeviation == nil)
        #expect(Self.worse.remarks.contains { $0.hasPrefix("one run a side: the intervals know chance within these runs") })
        #expect(Self.noise.remarks == [])
    }

    @Test func `a percentile with too few samples is no number`() throws {
        let quiet = Self.gateway { ($0.devices, $0.steadySeconds) = (20, 60) }
        let comparison = Comparison(
            base: [quiet.run(seed: 1, name: "a")], candidate: [quiet.run(seed: 2, name: "b")], replicates: 100)
        let p99 = try number("reply.p99", comparison)
        #expect(p99.base.value == nil && p99.finding == nil && p99.missing == "a run has fewer than 100 samples")
        #expect(try number("reconnect.mean of restart", comparison).missing == "fewer than 20 devices")
        #expect(ComparisonText(comparison).text.contains("- a run has fewer than 100 samples: reply.p99 (n="))
    }

    @Test func `text from first to last line`() {
        let text = ComparisonText(Self.worse, width: 120).text
        #expect(text.hasPrefix("base       old"))
        #expect(text.contains("\nworse\n  number "))
        #expect(text.contains("outage restart\n"))
        #expect(text.contains("device by device (120): "))
        #expect(text.contains("\n  0 on both sides: messages.duplicated (seen from "))
        #expect(text.contains(" pp … +"))
        let last = text.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("verdict: worse (") && last.hasSuffix(" numbers together)"))
        let noise = ComparisonText(Self.noise, width: 120).text
        #expect(noise.contains("- both sides are one version: what differs here is noise"))
        #expect(noise.contains("run to run"))
        #expect(noise.split(separator: "\n").last?.hasPrefix("noise: ") == true)
    }

    @Test func `JSON meets its schema`() throws {
        let schema = URL(fileURLWithPath: Repository.root + "/Docs/compare.schema.json")
        let validator = try SchemaValidator(schema: Data(contentsOf: schema))
        for comparison in [Self.worse, Self.noise] {
            #expect(try validator.faults(in: Data(ComparisonDocument.bytes(comparison))) == [])
        }
    }

    @Test func `named numbers fail when they are worse or missing, all others do not count`() throws {
        let all = try #require(FailureRule("worse")).failures(Self.worse).map(\.number)
        #expect(all == Self.worse.worse.map(\.name))
        #expect(
            try #require(FailureRule("worse:messages.lost, messages.duplicated")).failures(Self.worse).map(\.number) == ["messages.lost"])
        let rule = try #require(FailureRule("worse:reply.p98"))
        do throws(UserFailure) {
            _ = try rule.failures(Self.worse)
            Issue.record("no failure")
        } catch {
            #expect(error.message == "there is no number 'reply.p98' in this comparison" && error.hint == "did you mean 'reply.p95'?")
        }
        #expect(FailureRule("better") == nil && FailureRule("worse:") == nil && FailureRule("worse:a,,b") == nil)
    }

    @Test func `JUnit has a case for each judged number`() throws {
        let failed = try #require(FailureRule("worse:messages.lost")).failures(Self.worse)
        let text = String(decoding: ComparisonJUnit.bytes(Self.worse, failed: failed), as: UTF8.self)
        #expect(text.contains("tests=\"\(Self.worse.judgedCount)\" failures=\"1\""))
        #expect(text.contains(#"name="messages.lost">"#) && text.contains(#"<failure type="worse" message="0 % became "#))
    }

    @Test func `the directions in the document are those of the code`() throws {
        let text = try String(contentsOfFile: Repository.root + "/Docs/metrics.md", encoding: .utf8)
        for direction in [Direction.lower, .higher, .neither] {
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| \(direction.rawValue) | `") })
            let names = row.split(separator: "`").filter { $0.allSatisfy { $0.isLetter || $0 == "_" } }.map(String.init)
            #expect(names == Metric.allCases.filter { $0.better == direction }.map(\.name))
        }
    }
}

struct LikeForLikeTests {
    private let run = ComparedRun(
        path: "a", runID: "a", profile: "p", profileDigest: "d", seed: "7", plannedSeconds: 60, cores: 2, memoryBytes: 4_000_000_000)

    private func found(_ change: (inout ComparedRun) -> Void) -> [String] {
        var other = run
        other.path = "b"
        change(&other)
        return LikeForLike.check([run], [other]).map { "\($0.what): \($0.detail)" }
    }

    @Test func `runs that differ in their target only are alike`() {
        #expect(found { ($0.runID, $0.target, $0.labels, $0.version, $0.memoryBytes) = ("b", "x", ["server=2"], "9", 4_100_000_000) } == [])
        #expect(found { $0.verdict = "fail" } == [])
    }

    @Test func `what differs is told with the runs that have it`() {
        #expect(found { $0.profileDigest = "e" } == ["profile: p d (a), but p e (b)"])
        #expect(found { $0.seed = "8" } == ["seed: 7 (a), but 8 (b)"])
        #expect(found { $0.plannedSeconds = 90 } == ["duration: 60.0 s (a), but 90.0 s (b)"])
        #expect(found { $0.cores = 4 } == ["cores: 2 (a), but 4 (b)"])
        #expect(found { $0.memoryBytes = 8_000_000_000 } == ["memory: 3.73 GiB (a), but 7.45 GiB (b)"])
        #expect(found { ($0.verdict, $0.reasons) = ("invalid", ["loop lag"]) } == ["verdict: b is invalid: loop lag"])
        #expect(found { $0.profileDigest = "" } == ["profile: p d (a), but unknown (b)"])
    }
}
