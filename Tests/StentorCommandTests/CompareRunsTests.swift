import Foundation
import StentorBase
import StentorMetrics
import StentorReport
import TestSupport
import Testing

@testable import StentorCommand

/// Run directories on disk, compared by the command as the program does it.
@Suite struct `Comparing run directories` {
    private let root: FreshDirectory

    init() throws {
        root = try FreshDirectory()
    }

    /// Writes a finished run of 60 steady seconds.
    ///
    /// - Parameters:
    ///   - number: Tells runs apart.
    ///   - milliseconds: How long replies take, give or take a tenth.
    ///   - lost: Texts lost.
    private func run(_ number: Int, milliseconds: Double, lost: Int = 0, verdict: Verdict = .pass, seed: UInt64 = 7) throws -> String {
        let start = 1_796_000_000 + Double(number)
        let directory = try RunDirectory.make(below: root.path, profile: "p", startedAtSeconds: start)
        let identity = RunIdentity(
            runID: directory.name, profile: "p", profileDigest: "d", version: "1", dialect: "hermes", targetHost: "h",
            startedAtSeconds: start)
        let record = RunRecord(
            identity: identity, seed: seed, host: HostFacts(hostname: "h", cores: 2, kernel: "k", memoryBytes: nil), plannedSeconds: 60)
        try directory.write(record)
        let journal = try RunJournal(directory, runID: directory.name)
        var (totals, random, snapshot) = (Totals(), SeededRandom(seed: UInt64(number)), RunSnapshot?.none)
        let shard = MetricShard()
        for second in 1...60 {
            for _ in 0..<20 { shard.record(.reply, UInt64(milliseconds * 1e6 * (0.9 + 0.2 * random.unit())), phase: .steady) }
            shard.count(.messagesSent, by: 20)
            shard.count(.messagesAnswered, by: second == 30 ? 20 - lost : 20)
            shard.count(.messagesLost, by: second == 30 ? lost : 0)
            var delta = ShardDelta()
            shard.drain(into: &delta)
            totals.add(delta)
            totals.endSecond()
            let now = RunSnapshot(identity: identity, elapsedSeconds: Double(second), phase: .steady, totals: totals, verdict: verdict)
            journal.record(
                JournalSecond(snapshot: now, outages: [], startSeconds: Double(second - 1), wallSeconds: start + Double(second)))
            snapshot = now
        }
        #expect(journal.finish().isEmpty)
        try directory.write(RunReport(run: record, snapshot: try #require(snapshot), exitCode: .success))
        return directory.path
    }

    /// What the command printed on stdout and stderr, and how it ended.
    private func compare(
        _ base: [String], _ candidate: [String], _ change: (inout CompareArguments) -> Void = { _ in }
    ) throws -> (
        output: String, errors: String, code: ExitCode
    ) {
        var arguments = CompareArguments(base: base, candidate: candidate)
        change(&arguments)
        let files = [root.path("stdout"), root.path("stderr")]
        let descriptors = files.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let code = try CompareCommand(arguments, Console(output: descriptors[0], errors: descriptors[1])).carryOut()
        return (try root.read("stdout"), try root.read("stderr"), code)
    }

    private func refusal(_ base: [String], _ candidate: [String], _ change: (inout CompareArguments) -> Void = { _ in }) -> [UserFailure] {
        do {
            _ = try compare(base, candidate, change)
            return []
        } catch let failures as UserFailures {
            return failures.all
        } catch let failure as UserFailure {
            return [failure]
        } catch { return [] }
    }

    @Test func `a slower candidate is worse, and ends with 99 when that is asked for`() throws {
        let (old, new) = (try run(1, milliseconds: 80), try run(2, milliseconds: 100))
        let plain = try compare([old], [new])
        #expect(plain.code == .success && plain.errors == "")
        #expect(plain.output.contains("\nworse\n") && plain.output.contains("  reply.p99 "))
        #expect(plain.output.split(separator: "\n").last?.hasPrefix("verdict: worse (3 worse, 0 better of ") == true)
        let gated = try compare([old], [new]) { $0.failureRule = FailureRule("worse:reply.p50,messages.lost") }
        #expect(gated.code == .gateFailed)
        #expect(gated.errors.hasPrefix("stentor: reply.p50: ") && gated.errors.split(separator: "\n").count == 1)
        #expect(try compare([old], [new]) { $0.failureRule = FailureRule("worse:messages.lost") }.code == .success)
        #expect(try compare([new], [old]) { $0.failureRule = FailureRule("worse") }.code == .success)
    }

    @Test func `the same runs give the same bytes, on stdout and in files`() throws {
        let (old, new) = (try run(1, milliseconds: 80), try run(2, milliseconds: 80))
        let out = root.path("a/b")
        let first = try compare([old], [new]) {
            ($0.printsJSON, $0.outputDirectory) = (true, out)
            ($0.junitFile, $0.htmlFile) = (root.path("j.xml"), root.path("c.html"))
        }
        #expect(try compare([old], [new]) { $0.printsJSON = true }.output == first.output)
        #expect(try root.read("a/b/compare.json") == first.output)
        #expect(try root.read("a/b/compare.txt").contains("no difference shown"))
        #expect(try root.read("a/b/junit.xml") == (try root.read("j.xml")))
        let page = try root.read("a/b/compare.html")
        #expect(page == (try root.read("c.html")) && page.contains("id=\"shift-reply-steady\""))
        #expect(try Facts(first.output)["worse"].elements.isEmpty)
    }

    @Test func `unlike runs are refused with all that differs, unless forced`() throws {
        let old = try run(1, milliseconds: 80)
        let new = try run(2, milliseconds: 80, verdict: .invalid, seed: 8)
        let failures = refusal([old], [new])
        #expect(failures.map(\.place) == ["seed", "verdict"])
        #expect(failures.first?.message == "the runs are not alike: 7 (\(old)), but 8 (\(new))")
        #expect(failures.last?.hint == "--force compares them all the same, and says so")
        #expect(failures.allSatisfy { $0.exitCode == .badArguments })
        let forced = try compare([old], [new]) { $0.isForced = true }
        #expect(forced.code == .success && forced.output.contains("- not alike: seed: 7"))
    }

    @Test func `a run is compared with others only`() throws {
        let old = try run(1, milliseconds: 80)
        #expect(refusal([old], [old + "/"]).first?.message == "is the same run as \(old)")
        #expect(
            refusal([old], [old]) { ($0.isCalibration, $0.failureRule) = (true, FailureRule("worse")) }.first?.message
                == "cannot be used with --calibrate")
    }

    @Test func `all runs that cannot be read are told at once`() throws {
        let failures = refusal([root.path("x"), root.path("y")], [root.path("z")])
        #expect(failures.map(\.place) == [root.path("x"), root.path("y")])
    }

    @Test func `a burst of losses is one event among many, spread ones are many`() throws {
        let (old, new) = (try run(1, milliseconds: 80), try run(2, milliseconds: 80, lost: 12))
        let result = try compare([old], [new]) { $0.printsJSON = true }
        let lost = try #require(try Facts(result.output)["numbers"].elements.first { $0["name"].text == "messages.lost" })
        #expect(lost["candidate", "events"].count == 12)
        // All within one second: the dispersion is near 12, and one event proves nothing.
        #expect(lost["verdict"].text == "no_difference_shown" && (lost["method", "dispersion"].number ?? 0) > 6)
    }
}
