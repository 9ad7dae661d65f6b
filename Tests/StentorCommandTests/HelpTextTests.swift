import StentorBase
import StentorCommand
import Testing

private let table = CommandTable.standard(
    version: "1.2.3", dialects: ["hermes"],
    gatewayOptions: [
        OptionSpec("--reply-delay", "TIME", .durationRange, help: "How long each reply waits. Default 20ms..80ms."),
        OptionSpec("--restart-how", "HOW", .choice(["close", "reset"]), help: "How connections end."),
        OptionSpec("--a-very-long-option-name", "VALUE", .text, help: "Stands above its meaning."),
        OptionSpec(switch: "--no-stream", help: "Sends whole replies."),
    ])

private let exitCodes = """
    Exit codes:
        0  pass
        1  internal or I/O failure (for instance a report that could not be written)
       64  bad arguments
       65  bad profile
       69  target never reachable, or no device ever let in
       98  run invalid: the generator, not the target, was the limit
       99  a gate failed or had no data; a check found a fault
      130  interrupted (SIGINT), after a complete report
      143  terminated (SIGTERM or SIGHUP), after a complete report

    """

@Suite struct `Help` {
    @Test func `of the program lists commands and exit codes`() {
        #expect(
            table.read(["--help"])
                == .text(
                    """
                    Load and soak tester for device gateways.

                    Usage: stentor COMMAND [OPTION ...]

                    Commands:
                      run PROFILE             Runs a profile and ends with a verdict.
                      plan PROFILE            Shows what a run would do and need; starts nothing.
                      serve                   Runs a simulated gateway, with faults on demand.
                      check                   Checks a gateway against its protocol, point by point.
                      trace PROFILE           Runs one device of a profile and prints its frames.
                      report RUN              Makes the report of a run directory again.
                      history COMMAND         Shows the runs recorded on this machine, and how their numbers change.

                    Options:
                      --help                  Prints this text; behind a command, that command's help with examples.
                      --version               Prints the version.


                    """ + exitCodes))
    }

    @Test func `of run lists its options and examples`() {
        #expect(
            table.read(["run", "--help"])
                == .text(
                    """
                    Usage: stentor run PROFILE [OPTION ...]

                    Runs the load that PROFILE describes, writes a run directory and ends with a verdict. Progress goes
                    to stderr: live on a terminal, a line every 10 s elsewhere. The result goes to stdout.

                    Options:
                      --set path=value        Sets a field of the profile, for instance devices.count=50. Repeatable.
                      --target URL            The gateway to load, instead of the profile's; 'embedded' starts one.
                      --devices N             How many devices, instead of the profile's count.
                      --duration TIME         How long the load lasts, for instance 90s or 8h, instead of the profile's.
                      --out DIR               The folder that run directories are made in, instead of the profile's.
                      --json                  Prints the result as JSON.
                      --allow-host HOST       Allows the run to load this host; loopback needs no permission.
                                              Repeatable.
                      --label name=value      Labels the run, for instance server=1.1.1, in the report and in exported
                                              metrics. Repeatable.
                      --metrics-listen HOST:PORT
                                              Serves the numbers to Prometheus at /metrics while the run lives; port 0
                                              takes a free one.
                      --metrics-linger TIME   How long the end of the run waits to be scraped, if anything scraped it
                                              before. Default 30s.
                      --no-progress           Shows no progress.
                      --db FILE               The file of the history, instead of STENTOR_HISTORY or the one in the
                                              user's data directory.
                      --no-history            Does not record the run in the history.
                      --help                  Prints this text.

                    Examples:
                      stentor run Profiles/smoke.yaml
                          runs a profile as it stands
                      stentor run Profiles/soak.yaml --devices 50 --duration 2m --json
                          tries a soak in small, and prints the result as JSON
                      stentor run Profiles/soak.yaml --target wss://gateway.example/ws --allow-host gateway.example
                          loads another gateway than the profile's


                    """ + exitCodes))
    }

    @Test func `of plan lists what can be set over a profile, and no more`() {
        #expect(
            table.read(["plan", "--help"])
                == .text(
                    """
                    Usage: stentor plan PROFILE [OPTION ...]

                    Prints what a run of PROFILE would do: its schedule, the messages to expect, what it needs of this
                    machine against what there is, its drills and gates, and each option's value and where it comes
                    from. Nothing is started or dialled. Ends with 1 when this machine cannot carry the run.

                    Options:
                      --set path=value        Sets a field of the profile, for instance devices.count=50. Repeatable.
                      --target URL            The gateway to load, instead of the profile's; 'embedded' starts one.
                      --devices N             How many devices, instead of the profile's count.
                      --duration TIME         How long the load lasts, for instance 90s or 8h, instead of the profile's.
                      --json                  Prints the plan as JSON.
                      --allow-host HOST       Plans for this host; loopback needs no permission. Repeatable.
                      --help                  Prints this text.

                    Examples:
                      stentor plan Profiles/soak.yaml
                          plans a profile as it stands
                      stentor plan Profiles/capacity.yaml --devices 50000 --json
                          asks whether this machine can carry 50,000 devices


                    """ + exitCodes))
    }

    @Test func `of serve lists the gateway's options behind its own`() {
        #expect(
            table.read(["serve", "--help"])
                == .text(
                    """
                    Usage: stentor serve [OPTION ...]

                    Runs a simulated gateway until it gets SIGINT or SIGTERM. Once it accepts connections it prints one
                    line on stdout: 'listening on ' and its URL.

                    Options:
                      --dialect NAME          What the gateway speaks. Default hermes.
                      --listen HOST:PORT      Where it listens; port 0 takes a free one. Default 127.0.0.1:0.
                      --reply-delay TIME      How long each reply waits. Default 20ms..80ms.
                      --restart-how HOW       How connections end. One of close, reset.
                      --a-very-long-option-name VALUE
                                              Stands above its meaning.
                      --no-stream             Sends whole replies.
                      --help                  Prints this text.

                    Examples:
                      stentor serve
                          serves on a free port
                      stentor serve --dialect hermes --listen 127.0.0.1:8787
                          serves on a fixed port


                    """ + exitCodes))
    }

    @Test func `of a group lists its commands`() {
        #expect(
            table.read(["history", "--help"])
                == .text(
                    """
                    Usage: stentor history COMMAND [OPTION ...]

                    Shows the runs recorded on this machine, and how their numbers change.

                    Commands:
                      history list            Lists recorded runs, newest first.
                      history show RUN        Shows what is recorded of a run.
                      history trend NUMBER    Shows a number over the runs of a profile.
                      history export          Prints recorded runs with all their numbers.
                      history forget [RUN ...]
                                              Removes runs from the history; their directories stay.

                    Options:
                      --help                  Prints this text; behind a command, that command's help with examples.

                    Without a command: history list.


                    """ + exitCodes))
    }

    @Test func `has no line over 100 columns and every exit code`() {
        for text in [table.helpText] + table.commands.map(\.helpText) {
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
            #expect(ExitCode.allCases.allSatisfy { text.contains("\($0.rawValue)  \($0.meaning)\n") })
        }
    }
}
