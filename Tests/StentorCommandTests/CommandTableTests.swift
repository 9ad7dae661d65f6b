import StentorBase
import StentorCommand
import Testing

/// A small table of gateway options in place of the real one.
private let gatewayOptions = [
    OptionSpec("--reply-delay", "TIME", .durationRange, help: "How long each reply waits. Default 20ms..80ms."),
    OptionSpec("--lose-rate", "SHARE", .share, help: "Which share of the replies is lost. Default 0%."),
    OptionSpec("--restart-how", "HOW", .choice(["close", "reset", "silence"]), help: "How connections end in a restart."),
    OptionSpec(switch: "--no-stream", help: "Sends whole replies."),
]

private let table = CommandTable.standard(version: "1.2.3", dialects: ["hermes", "echo"], gatewayOptions: gatewayOptions)

private func read(_ line: String) -> CommandLineReading {
    table.read(line.split(separator: " ").map(String.init))
}

private func rendered(_ arguments: [String]) -> String? {
    guard case .failures(let failures) = table.read(arguments) else { return nil }
    return failures.exitCode == .badArguments ? failures.rendered : nil
}

private let surplus = "stentor: q: unexpected argument\n  hint: stentor run PROFILE [OPTION ...]\n"

@Suite struct `The command line of run` {
    @Test func `gives a profile alone with every default`() {
        let run = RunArguments(profile: "p.yaml")
        #expect(read("run p.yaml") == .command(.run(run)))
        #expect(run.overrides.isEmpty && run.target == nil && run.devices == nil && run.duration == nil && run.outputDirectory == nil)
        #expect(!run.printsJSON && run.allowedHosts.isEmpty && run.labels.isEmpty && run.showsProgress)
    }

    @Test func `gives all options, before and behind the profile`() throws {
        var run = RunArguments(profile: "p.yaml")
        run.overrides = try [#require(Assignment("devices.id=a=b")), #require(Assignment("target.token="))]
        run.target = "wss://gw.example/ws"
        run.devices = 50
        run.duration = .seconds(90)
        run.outputDirectory = "/tmp/x"
        run.printsJSON = true
        run.allowedHosts = ["gw.example", "other"]
        run.labels = try [#require(Assignment("server=1.1.1"))]
        run.showsProgress = false
        let line = """
            run --set devices.id=a=b --target wss://gw.example/ws --devices=50 p.yaml --duration 1m30s --out=/tmp/x --json \
            --allow-host gw.example --allow-host=other --label server=1.1.1 --no-progress --set=target.token=
            """
        #expect(read(line) == .command(.run(run)))
    }

    @Test func `takes nothing for an option behind two dashes`() {
        #expect(read("run -- --json") == .command(.run(RunArguments(profile: "--json"))))
        #expect(read("run -- --help") == .command(.run(RunArguments(profile: "--help"))))
    }

    @Test func `takes a value with dashes in front only behind an equals sign`() {
        var run = RunArguments(profile: "p")
        run.outputDirectory = "--json"
        #expect(read("run p --out=--json") == .command(.run(run)))
    }

    @Test(arguments: [
        ("run", "stentor: run: PROFILE is missing\n  hint: stentor run PROFILE [OPTION ...]\n"),
        ("run p q", surplus),
        ("run p --devces 5", "stentor: --devces: unknown option\n  hint: did you mean '--devices'?\n"),
        ("run --devces 5 p q", "stentor: --devces: unknown option\n  hint: did you mean '--devices'?\n" + surplus),
        ("run --jsn p", "stentor: --jsn: unknown option\n  hint: did you mean '--json'?\n"),
        ("run --bearer s3cret p", "stentor: --bearer: unknown option\n  hint: 'stentor run --help' lists the options\n"),
        ("run p --optoin", "stentor: --optoin: unknown option\n  hint: 'stentor run --help' lists the options\n"),
        ("run p -x", "stentor: -x: unknown option\n  hint: 'stentor run --help' lists the options\n"),
        ("run p --tokn=s3cret", "stentor: --tokn: unknown option\n  hint: 'stentor run --help' lists the options\n"),
        ("run p --out", "stentor: --out: needs a value\n  hint: write --out DIR\n"),
        ("run p --out --json", "stentor: --out: needs a value\n  hint: write --out DIR, or --out=… if it begins with --\n"),
        ("run p --out=", "stentor: --out: expected a text, got nothing\n"),
        ("run p --json=yes", "stentor: --json: takes no value\n"),
        ("run p --json --json", "stentor: --json: given more than once\n"),
        ("run p --devices 5 --devices 6", "stentor: --devices: given more than once\n"),
        ("run p --devices 0", "stentor: --devices: expected a whole number from 1 to 1000000, got '0'\n"),
        ("run p --devices +5", "stentor: --devices: expected a whole number from 1 to 1000000, got '+5'\n"),
        ("run p --duration 5", "stentor: --duration: expected a duration such as 250ms, 20s or 1h30m, more than 0, got '5'\n"),
        ("run p --duration 0s", "stentor: --duration: expected a duration such as 250ms, 20s or 1h30m, more than 0, got '0s'\n"),
        (
            "run p --target gw:80",
            "stentor: --target: expected a URL that begins with ws://, wss://, http://, https://, or 'embedded'\n"
        ),
        (
            "run p --target ws:///chat",
            "stentor: --target: expected a URL that begins with ws://, wss://, http://, https://, or 'embedded'\n"
        ),
        ("run p --set target.token:s3cret", "stentor: --set: expected path=value, such as devices.count=50\n"),
        ("run p --set =5", "stentor: --set: expected path=value, such as devices.count=50\n"),
        ("run p --label 1x=2", "stentor: --label: expected name=value, the name of letters, digits and '_', got '1x=2'\n"),
        ("run p --label __x=2", "stentor: --label: expected name=value, the name of letters, digits and '_', got '__x=2'\n"),
        ("run p --label a=1 --label a=2", "stentor: --label: 'a' is given twice\n"),
    ])
    func `words each fault`(line: String, expected: String) {
        #expect(rendered(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test func `tells all faults at once, in their order`() {
        #expect(
            rendered(["run", "--devices", "x", "--jsn", "--out"]) == """
                stentor: --devices: expected a whole number from 1 to 1000000, got 'x'
                stentor: --jsn: unknown option
                  hint: did you mean '--json'?
                stentor: --out: needs a value
                  hint: write --out DIR
                stentor: run: PROFILE is missing
                  hint: stentor run PROFILE [OPTION ...]

                """)
    }

    @Test func `shows no control characters of an argument`() {
        let failure = "stentor: --x[31m: unknown option\n  hint: 'stentor run --help' lists the options\n"
        #expect(rendered(["run", "p", "--x\u{1B}[31m\u{202E}"]) == failure)
        #expect(rendered(["run", "p", "--devices", "5\n\u{7}"])?.contains("got '5'\n") == true)
    }
}

@Suite struct `The command line of serve` {
    @Test func `gives the first dialect on a free loopback port`() throws {
        let serve = ServeArguments(dialect: "hermes", listen: try #require(ListenAddress("127.0.0.1:0")))
        #expect(read("serve") == .command(.serve(serve)))
    }

    @Test func `hands the gateway its own options in their order`() throws {
        var serve = ServeArguments(dialect: "echo", listen: try #require(ListenAddress("[::1]:8787")))
        serve.gatewayOptions = [
            .init(name: "--no-stream", value: nil), .init(name: "--lose-rate", value: "5%"), .init(name: "--reply-delay", value: "1s..2s"),
        ]
        #expect(
            read("serve --no-stream --listen [::1]:8787 --lose-rate 5% --dialect echo --reply-delay=1s..2s") == .command(.serve(serve)))
        #expect(serve.listen.host == "::1")
        #expect(serve.listen.port == 8787)
    }

    @Test(arguments: [
        ("serve x", "stentor: x: unexpected argument\n  hint: stentor serve [OPTION ...]\n"),
        ("serve --dialect hermse", "stentor: --dialect: expected one of hermes, echo, got 'hermse'\n  hint: did you mean 'hermes'?\n"),
        ("serve --dialect grpc", "stentor: --dialect: expected one of hermes, echo, got 'grpc'\n"),
        ("serve --listen 8787", "stentor: --listen: expected HOST:PORT, such as 127.0.0.1:8787, got '8787'\n"),
        ("serve --listen :8787", "stentor: --listen: expected HOST:PORT, such as 127.0.0.1:8787, got ':8787'\n"),
        ("serve --listen ::1:80", "stentor: --listen: expected HOST:PORT, such as 127.0.0.1:8787, got '::1:80'\n"),
        ("serve --listen h:65536", "stentor: --listen: expected HOST:PORT, such as 127.0.0.1:8787, got 'h:65536'\n"),
        ("serve --listen h:", "stentor: --listen: expected HOST:PORT, such as 127.0.0.1:8787, got 'h:'\n"),
        ("serve --lose-rate 0.1", "stentor: --lose-rate: expected a share such as 70%, got '0.1'\n"),
        (
            "serve --reply-delay 2s..1s",
            "stentor: --reply-delay: expected a duration such as 250ms, 20s or 1h30m, or a range such as 20ms..80ms, got '2s..1s'\n"
        ),
    ])
    func `words each fault`(line: String, expected: String) {
        #expect(rendered(line.split(separator: " ").map(String.init)) == expected)
    }
}

@Suite struct `The command line as a whole` {
    @Test(arguments: [
        ("", "stentor: no command given\n  hint: 'stentor --help' lists the commands\n"),
        ("rnu p", "stentor: rnu: unknown command\n  hint: did you mean 'run'?\n"),
        ("dance", "stentor: dance: unknown command\n  hint: known here: run, plan, serve, check, trace, report, history\n"),
        ("--hlep", "stentor: --hlep: unknown option\n  hint: did you mean '--help'?\n"),
        ("--verbose run p", "stentor: --verbose: unknown option\n  hint: 'stentor --help' lists the commands\n"),
        ("--json run p", "stentor: --json: options follow the command\n  hint: stentor run … --json\n"),
    ])
    func `words each fault`(line: String, expected: String) {
        #expect(rendered(line.split(separator: " ").map(String.init)) == expected)
    }

    @Test func `prints the version`() {
        #expect(read("--version") == .text("stentor 1.2.3\n"))
    }

    @Test func `prints a command's help whatever else is wrong`() {
        #expect(read("run --devices x --help") == read("run -h"))
        #expect(read("run --help") != read("serve --help"))
    }
}
