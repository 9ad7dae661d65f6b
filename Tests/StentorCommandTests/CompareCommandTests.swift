import Foundation
import StentorBase
import StentorReport
import TestSupport
import Testing

@testable import StentorCommand

@Suite struct `The command that compares` {
    private let table = CommandTable.standard(version: "1", dialects: ["hermes"], gatewayOptions: [])
    private let usage = "stentor compare BASE... -- CANDIDATE... [OPTION ...]"

    private func failure(_ arguments: [String]) -> UserFailure? {
        guard case .failures(let failures) = table.read(["compare"] + arguments), failures.all.count == 1 else { return nil }
        return failures.all[0]
    }

    @Test func `takes two groups, and options on both sides of the dashes`() {
        var expected = CompareArguments(base: ["a"], candidate: ["b"])
        #expect(table.read(["compare", "a", "--", "b"]) == .command(.compare(expected)))
        (expected.base, expected.candidate) = (["a", "b"], ["c", "d"])
        (expected.isForced, expected.printsJSON, expected.isCalibration) = (true, true, true)
        (expected.outputDirectory, expected.junitFile, expected.htmlFile) = ("o", "j.xml", "c.html")
        #expect(
            table.read([
                "compare", "--json", "a", "b", "--force", "--", "c", "--calibrate", "d", "--out", "o", "--junit=j.xml", "--html", "c.html",
            ])
                == .command(.compare(expected)))
    }

    @Test func `takes numbers that must not get worse`() {
        var expected = CompareArguments(base: ["a"], candidate: ["b"])
        expected.failureRule = FailureRule("worse:reply.p99,usable.p50 in ramp")
        #expect(table.read(["compare", "a", "--", "b", "--fail-on", "worse:reply.p99,usable.p50 in ramp"]) == .command(.compare(expected)))
        #expect(
            failure(["a", "--", "b", "--fail-on", "better"])
                == UserFailure(
                    .arguments, "expected 'worse', or numbers such as 'worse:reply.p99,messages.lost', got 'better'", place: "--fail-on"))
    }

    @Test(arguments: [
        (["a", "b"], "'--' between the two sides is missing"), (["a", "--", "b", "--", "c"], "'--' stands more than once"),
        (["--", "b"], "nothing stands before '--'"), (["a", "--"], "nothing stands after '--'"),
        ([], "'--' between the two sides is missing"),
    ]) func `tells what is wrong with its groups`(arguments: [String], message: String) {
        #expect(failure(arguments) == UserFailure(.arguments, message, place: "compare", hint: usage))
    }

    @Test func `shows its help behind the dashes too`() {
        guard case .text(let text) = table.read(["compare", "a", "--", "--help"]) else {
            Issue.record("no help")
            return
        }
        #expect(text.hasPrefix("Usage: \(usage)\n\nCompares the run directories before '--' with those behind it"))
        for word in [
            "--fail-on worse[:NUMBER,...]", "--calibrate", "--force", "--json", "--out DIR", "--html FILE", "--junit FILE", "Examples:",
        ] {
            #expect(text.contains(word))
        }
    }
}
