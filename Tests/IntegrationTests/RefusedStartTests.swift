import Foundation
import TestSupport
import Testing

/// What is refused before anything is dialled, as it appears on a terminal.
@Suite(.slots(1))
struct RefusedStartTests {
    private static let short = StentorRun.fixture("profiles/short.yaml")

    private func stentor(
        _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil
    ) async throws
        -> ChildProcess.Outcome
    {
        try await ChildProcess.run([StentorBinary.path] + arguments, environment: environment, directory: directory, within: .seconds(20))
    }

    @Test func `help and version go to stdout`() async throws {
        let expected = try String(contentsOfFile: StentorRun.fixture("transcripts/help.txt"), encoding: .utf8)
        #expect(try await stentor(["--help"]) == ChildProcess.Outcome(exitCode: 0, output: expected, errors: ""))
        #expect(try await stentor(["--version"]) == ChildProcess.Outcome(exitCode: 0, output: "stentor 0.1.0\n", errors: ""))
        for command in ["run", "serve"] {
            let outcome = try await stentor([command, "--help"])
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty && outcome.output.hasPrefix("Usage: stentor \(command) "))
        }
    }

    @Test(arguments: [
        (["run", "--durration", "5s", "x.yaml"], "stentor: --durration: unknown option\n  hint: did you mean '--duration'?\n"),
        (["rn"], "stentor: rn: unknown command\n  hint: did you mean 'run'?\n"),
        ([], "stentor: no command given\n  hint: 'stentor --help' lists the commands\n"),
        (["run"], "stentor: run: PROFILE is missing\n  hint: stentor run PROFILE [OPTION ...]\n"),
        (["run", "x.yaml", "--devices", "x"], "stentor: --devices: expected a whole number from 1 to 1000000, got 'x'\n"),
        (["serve", "extra"], "stentor: extra: unexpected argument\n  hint: stentor serve [OPTION ...]\n"),
        (["serve", "--life"], "stentor: --life: needs a value\n  hint: write --life DURATION\n"),
        (
            ["serve", "--lose-rate", "3", "--reply-delay", "5", "--photo-fault", "x", "--max-devices", "a", "--bind", "x"],
            """
            stentor: --lose-rate: '3' is not a share such as 1% or 0.01
            stentor: --reply-delay: '5' is not a duration or a range such as 20ms..80ms
            stentor: --photo-fault: 'x' is not one of none, shuffle, duplicate, missing, bad_base64, out_of_range, parts_changed
            stentor: --max-devices: 'a' is not a whole number in 0...10000000
            stentor: --bind: the value is not ID=TOKEN

            """
        ),
        (["serve", "--tls-certificate", "a.pem"], "stentor: --tls-certificate: needs --tls-key\n"),
    ])
    func `wrong arguments are told with their place, and end with 64`(arguments: [String], errors: String) async throws {
        #expect(try await stentor(arguments) == ChildProcess.Outcome(exitCode: 64, errors: errors))
    }

    @Test func `all faults of a profile are told at once, and end with 65`() async throws {
        let folder = try FreshDirectory()
        let profile = try folder.write(
            try String(contentsOfFile: StentorRun.fixture("profiles/faulty.yaml"), encoding: .utf8), to: "faulty.yaml")
        #expect(profile == folder.path("faulty.yaml"))
        let expected = try String(contentsOfFile: StentorRun.fixture("transcripts/faulty-profile.txt"), encoding: .utf8)
        let outcome = try await stentor(["run", "faulty.yaml"], in: folder.path)
        #expect(outcome == ChildProcess.Outcome(exitCode: 65, errors: expected))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["faulty.yaml"], "no run directory")
    }

    @Test(
        arguments: [
            (
                ["--set", "behaviour=null"],
                "stentor: --set behaviour: expected a mapping of keys, found a single value\n  hint: known here: text, photo, prompts, ping, away\n"
            ),
            (
                ["--target", "ws://gateway.example/ws"],
                """
                stentor: --target: host 'gateway.example' is not loopback, and a load test of it is not allowed
                  hint: set 'target.allow_host: true' or pass '--allow-host gateway.example'

                """
            ),
            (["--duration", "0s"], nil),
        ] as [([String], String?)])
    func `overrides are checked like the profile, before anything is dialled`(options: [String], errors: String?) async throws {
        let run = try await StentorRun.run(Self.short, options)
        #expect(run.path == nil, "no run directory")
        #expect(run.outcome.output == "")
        if let errors {
            #expect(run.outcome == ChildProcess.Outcome(exitCode: 65, errors: errors))
        } else {
            #expect([64, 65].contains(run.outcome.exitCode) && run.outcome.errors.contains("--duration"))
        }
    }

    @Test func `an unset environment variable is a fault with its place`() async throws {
        let folder = try FreshDirectory()
        let text = try String(contentsOfFile: Self.short, encoding: .utf8).replacingOccurrences(
            of: "STENTOR_TOKEN", with: "STENTOR_NOT_SET")
        let outcome = try await stentor(["run", try folder.write(text, to: "unset.yaml")], in: folder.path)
        let errors = "stentor: \(folder.path)/unset.yaml:4:49: environment variable 'STENTOR_NOT_SET' is not set\n"
        #expect(outcome == ChildProcess.Outcome(exitCode: 65, errors: errors))
    }

    @Test func `a wrong option of the embedded gateway is a fault of the profile`() async throws {
        let run = try await StentorRun.run(Self.short, ["--set", "target.gateway.reply_dela=5s"])
        #expect(run.outcome.exitCode == 65 && run.outcome.output == "")
        let errors =
            "stentor: --set target.gateway.reply_dela: the hermes gateway has no option 'reply_dela'\n  hint: did you mean 'reply_delay'?\n"
        #expect(run.outcome.errors == errors)
    }

    @Test(.requiresPeer("gateways"))
    func `a run directory that cannot be made ends with 1 before anything is dialled`() async throws {
        let folder = try FreshDirectory()
        let file = try folder.write("a file", to: "taken")
        let judge = try await PythonPeers.gateway("hermes_gateway.py", ["--token", StentorRun.token, "--life", "30"])
        let outcome = try await stentor(
            ["run", Self.short, "--target", judge.url, "--out", file], environment: ["STENTOR_TOKEN": StentorRun.token], in: folder.path)
        let errors = """
            stentor: \(file): is not a folder
              hint: choose a folder that can be written to with --out or output.dir

            """
        #expect(outcome == ChildProcess.Outcome(exitCode: 1, errors: errors))
        #expect(try Facts(try await judge.stop())["connections"].count == 0)
    }
}
