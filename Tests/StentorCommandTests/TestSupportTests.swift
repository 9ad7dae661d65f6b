import Foundation
import StentorBase
import TestSupport
import Testing

@Suite struct `A child process of a test` {
    @Test func `gives its output, its errors and its exit code`() async throws {
        let outcome = try await ChildProcess.run(["sh", "-c", "echo out; echo err >&2; exit 7"])
        #expect(outcome.exitCode == 7)
        #expect(outcome.output == "out\n")
        #expect(outcome.errors == "err\n")
    }

    @Test func `is told by the signal that ended it`() async throws {
        let child = try ChildProcess(["sleep", "600"])
        child.signal(SIGTERM)
        #expect(try await child.exit().exitCode == 143)
    }

    @Test func `is awaited by line, in order, on either stream`() async throws {
        let child = try ChildProcess(["sh", "-c", "echo port 1; echo noise; echo port 2; echo warm >&2; read x; sleep 600"])
        #expect(try await child.line(startingWith: "port ") == "port 1")
        #expect(try await child.line(startingWith: "port ", occurrence: 2) == "port 2")
        #expect(try await child.line(startingWith: "wa", on: .errors) == "warm")
        child.signal(SIGKILL)
    }

    @Test func `fails a wait at its limit and says what was printed`() async throws {
        let child = try ChildProcess(["sh", "-c", "echo here; exec sleep 600"])
        _ = try await child.line(startingWith: "here")
        let failure = await #expect(throws: ChildFailure.self) {
            try await child.line(startingWith: "there", within: .milliseconds(1))
        }
        #expect(failure?.description == "sh -c echo here; exec sleep 600: no line 'there' in time; stdout: here\n stderr: ")
    }

    @Test func `fails a wait for a line at once when it ends without it`() async throws {
        let failure = await #expect(throws: ChildFailure.self) {
            try await ChildProcess(["sh", "-c", "echo oops >&2; exit 3"]).line(startingWith: "ready", within: .seconds(600))
        }
        #expect(failure?.description == "sh -c echo oops >&2; exit 3: no line 'ready' before its end with 3; stdout:  stderr: oops\n")
    }

    @Test func `is killed when nobody holds it`() async throws {
        let directory = try FreshDirectory()
        let pipe = directory.path("pipe")
        // The reader ends when the last writer does, whatever ended the writer.
        _ = try await ChildProcess.run(["mkfifo", pipe])
        let reader = try ChildProcess(["cat", pipe])
        var writer: ChildProcess? = try ChildProcess(["sh", "-c", "exec 3>'\(pipe)'; echo up; exec sleep 600"])
        _ = try await writer?.line(startingWith: "up")
        writer = nil
        #expect(try await reader.exit(within: .seconds(30)).exitCode == 0)
    }

    @Test func `starts where it is told, with variables set over ours`() async throws {
        let directory = try FreshDirectory()
        let outcome = try await ChildProcess.run(
            ["sh", "-c", "pwd; echo $STENTOR_X; [ -n \"$PATH\" ] && echo path"], environment: ["STENTOR_X": "1"], directory: directory.path)
        #expect(outcome.output == "\(directory.path)\n1\npath\n")
    }

    @Test func `that does not exist is a failure with its name`() throws {
        let failure = #expect(throws: ChildFailure.self) { try ChildProcess(["/nowhere/program"]) }
        #expect(failure?.description == "cannot start /nowhere/program: No such file or directory")
    }
}

@Suite struct `What tests find around them` {
    @Test func `a fresh directory goes with its last reference`() throws {
        var directory: FreshDirectory? = try FreshDirectory()
        let path = try #require(directory).path
        try directory?.write("text", to: "a/b.txt")
        #expect(try directory?.read("a/b.txt") == "text")
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `the repository holds the package`() {
        #expect(FileManager.default.fileExists(atPath: Repository.root + "/Package.swift"))
    }

    @Test func `a program lies beside the test runner`() {
        #expect(StentorBinary.path.hasPrefix(Repository.root + "/.build/"))
        #expect(StentorBinary.path.hasSuffix("/debug/stentor"))
    }

    @Test(.requiresPeer("gateways")) func `a gateway of the judges starts and tells the truth at its end`() async throws {
        let gateway = try await PythonPeers.gateway("echo_gateway.py")
        #expect(gateway.url.hasPrefix("ws://127.0.0.1:"))
        #expect(try await gateway.stop().contains(#""violations": {}"#))
    }
}

@Suite struct `A run under test` {
    private static let late = "the event loops were late by 180 ms (p99) in steady: too little CPU for this load"

    private func run(_ reasons: [String], errors: String = "", wasMachineBusy: Bool) throws -> StentorRun {
        let folder = try FreshDirectory()
        try FileManager.default.createDirectory(atPath: folder.path("runs/one"), withIntermediateDirectories: true)
        try folder.write("{\"reasons\": [\(reasons.map { "\"\($0)\"" }.joined(separator: ", "))]}", to: "runs/one/summary.json")
        return try StentorRun(outcome: .init(exitCode: 98, errors: errors), folder: folder, wasMachineBusy: wasMachineBusy)
    }

    @Test func `is starved when it says so and the machine was busy, and not by its word alone`() throws {
        #expect(try run([Self.late], wasMachineBusy: true).isStarved)
        #expect(try run(["the generator stood still for 2.00 s"], wasMachineBusy: true).isStarved)
        #expect(try !run([Self.late], wasMachineBusy: false).isStarved)
        #expect(try !run(["3 dials found no free file descriptor in this process (EMFILE)"], wasMachineBusy: true).isStarved)
        #expect(try !run([], wasMachineBusy: true).isStarved)
        #expect(!MachineWatch.shared.sawBusyMachine(since: .distantFuture))
    }

    @Test func `has other reasons, and complaints that are no progress`() throws {
        let errors = "00:10/00:03  steady  ready 20/20  errors 0\nstentor: stopping\n2:04:05  drain  ready 0/20  errors 1\n12 apples\n"
        let run = try run([Self.late, "terminated by SIGTERM"], errors: errors, wasMachineBusy: true)
        #expect(run.reasons == ["terminated by SIGTERM"])
        #expect(run.complaints == "stentor: stopping\n12 apples\n")
    }
}
