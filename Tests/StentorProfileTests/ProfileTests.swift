import StentorBase
import StentorMetrics
import StentorWire
import Testing

@testable import StentorProfile

/// What a profile means once it is decoded.
struct ProfileTests {
    /// The example of the documentation, as far as this version carries it out.
    static let full = """
        version: 1
        name: nightly-soak
        seed: 7
        target:
          url: wss://gateway.example:8443/ws?x=1
          dialect: hermes
          token_file: token.txt
          tls: {ca_file: /etc/ca.pem, server_name: gw, insecure: true}
          headers: {X-Env: staging}
          connect_within: 5s
          ready_within: 6s
          source_addresses: [127.0.0.1, 127.0.0.2, "::1"]
          allow_host: true
          message_limit: 1MiB
        devices:
          count: 5000
          id: "phone-{uuid}-x"
          name: Phone
          platform: web
          app_version: "2.0"
          cohorts:
            - {name: ios, share: 70%, platform: ios, app_version: "1.4.0"}
            - {name: other, share: 30%}
        load:
          - {ramp: 5000, over: 10m}
          - {hold: 1h30m}
          - {ramp: 50%, over: 1m}
        connect_rate: 600/min
        behaviour:
          text:    {every: 20s, spacing: poisson, body: 20B..400B, reply_within: 30s, correlate: turn}
          photo:   {every: 5m, spacing: poisson, size: 1MiB..9MiB, reply_within: 1m}
          prompts: {think: 0s..5s, answers: {approve: 80%, deny: 15%, other: 3%, ignore: 2%}}
          ping:    {every: 25s, pong_within: 9s}
          away:    {every: 30m, for: 10s..5m, how: leave}
        reconnect: {policy: exponential, base: 500ms, cap: 15s, attempts: 0, jitter: full}
        faults:
          - {drop: 20m, how: half_open}
          - {slow_reader: 1%, rate: 10KiB/s}
        drills:
          - {at: 1h, name: mass drop, disconnect: {share: 40%, within: 200ms, how: close}}
          - {at: 50%, disconnect: {}}
          - {at: 30m, name: rollout, command: [kubectl, rollout, "5"], within: 5s}
        gates:
          - reply.p99 < 2s in steady
          - {gate: messages.lost == 0, abort: true, after: 1m}
          - {gate: downloads.corrupt == 0}
        push:
          url: http://pushgateway:9091/prefix
          every: 30s
          job: load
          labels: {server: "1.1.1", site: a, none: "", lines: "a\\nb\\t\\"\\\\"}
          group: [server]
          on_finish: delete
          required: true
          bearer: b
          ca_file: ../ca.pem
          timeout: 2500ms
          proxy: environment
        output: {dir: out}

        """

    @Test func `every field of a full profile arrives typed`() throws {
        let profile = try decoded(Self.full, file: "conf/p.yaml")
        #expect(profile.version == 1)
        #expect(profile.name == "nightly-soak")
        #expect(profile.seed == 7)
        #expect(profile.connectRatePerSecond == 10)
        #expect(
            profile.load.steps == [.ramp(to: 5000, over: .seconds(600)), .hold(.seconds(5400)), .ramp(to: 2500, over: .seconds(60))])
        #expect(profile.load.totalDuration == .seconds(6060))
        #expect(profile.load.peakDevices == 5000)
        #expect(profile.reconnect.policy == .exponential(base: .milliseconds(500), cap: .seconds(15)))
        #expect(profile.reconnect.attempts == 0)
        #expect(profile.reconnect.jitter == .full)
        #expect(profile.output.directory == "out")
    }

    @Test func `the target arrives typed, its paths relative to the profile's folder`() throws {
        let target = try decoded(Self.full, file: "conf/p.yaml").target
        let url = try TargetURL("wss://gateway.example:8443/ws?x=1")
        #expect(target.endpoint == .url(url))
        #expect(target.dialect == .hermes)
        #expect(target.token == .file("conf/token.txt"))
        #expect(target.tls == Profile.TLS(caFile: "/etc/ca.pem", serverName: "gw", isInsecure: true))
        #expect(target.headers == [Profile.Header(name: "X-Env", value: Secret("staging"))])
        #expect(target.connectWithin == .seconds(5))
        #expect(target.readyWithin == .seconds(6))
        #expect(target.sourceAddresses == ["127.0.0.1", "127.0.0.2", "::1"])
        #expect(target.allowsHost)
        #expect(target.gateway.isEmpty)
        #expect(target.messageLimitBytes == 1_048_576)
    }

    @Test func `devices and behaviours arrive typed`() throws {
        let profile = try decoded(Self.full)
        #expect(profile.devices.count == 5000)
        #expect(profile.devices.id == Profile.IDPattern(prefix: "phone-", variable: .uuid, suffix: "-x"))
        #expect(profile.devices.name == "Phone")
        #expect(
            profile.devices.cohorts == [
                Profile.Cohort(name: "ios", share: 0.7, platform: "ios", appVersion: "1.4.0"),
                Profile.Cohort(name: "other", share: 0.3, platform: "web", appVersion: "2.0"),
            ])
        let behaviour = profile.behaviour
        #expect(
            behaviour.text
                == Profile.Text(
                    every: .seconds(20), spacing: .poisson, bodyBytes: 20...400, replyWithin: .seconds(30), correlation: .turn))
        #expect(
            behaviour.photo
                == Profile.Photo(
                    every: .seconds(300), spacing: .poisson, sizeBytes: 1_048_576...9_437_184, replyWithin: .seconds(60)))
        #expect(behaviour.prompts?.think == .zero ... .seconds(5))
        #expect(behaviour.prompts?.answers == Profile.Answers(approve: 0.8, deny: 0.15, other: 0.03, ignore: 0.02))
        #expect(behaviour.ping == Profile.Ping(every: .seconds(25), pongWithin: .seconds(9)))
        #expect(behaviour.away == Profile.Away(every: .seconds(1800), length: .seconds(10)...(.seconds(300)), how: .leave))
    }

    @Test func `drills, gates and the push arrive typed`() throws {
        let profile = try decoded(Self.full, file: "conf/p.yaml")
        #expect(
            profile.drills == [
                Profile.Drill(
                    at: .seconds(3600), name: "mass drop",
                    action: .disconnect(Profile.Disconnect(share: 0.4, within: .milliseconds(200), how: .close))),
                Profile.Drill(
                    at: .seconds(3030), name: "drill 2", action: .disconnect(Profile.Disconnect(share: 1, within: .zero, how: .reset))),
                Profile.Drill(
                    at: .seconds(1800), name: "rollout",
                    action: .command(Profile.Command(words: ["kubectl", "rollout", "5"], within: .seconds(5)))),
            ])
        #expect(profile.faults.drops == [Profile.Drop(every: .seconds(1200), how: .halfOpen)])
        #expect(profile.faults.slowReaders == [Profile.SlowReaders(share: 0.01, bytesPerSecond: 10 * 1024)])
        #expect(profile.gates.map(\.text) == ["reply.p99 < 2s in steady", "messages.lost == 0", "downloads.corrupt == 0"])
        #expect(profile.gates.map(\.place) == ["conf/p.yaml:44:5", "conf/p.yaml:45:12", "conf/p.yaml:46:12"])
        #expect(profile.gates.map(\.abortsRun) == [false, true, false])
        #expect(profile.gates.map(\.after) == [.zero, .seconds(60), .zero])
        let push = try #require(profile.push)
        #expect(push.url == "http://pushgateway:9091/prefix")
        #expect(push.every == .seconds(30))
        #expect(push.job == "load")
        #expect(push.labels.map(\.name) == ["server", "site", "none", "lines"])
        #expect(push.labels.map(\.value) == ["1.1.1", "a", "", "a\nb\t\"\\"])
        #expect(push.group == ["server"])
        #expect(push.onFinish == .delete)
        #expect(push.isRequired)
        #expect(push.credentials == .bearer(Secret("b")))
        #expect(push.caFile == "conf/../ca.pem")
        #expect(push.timeout == .milliseconds(2500) && push.proxy == .environment)
    }

    @Test func `all that is left out has its default`() throws {
        let profile = try decoded(profileText("behaviour: {text: {every: 1s}, photo: {every: 1s}, prompts: {}, ping: {every: 1s}}"))
        #expect(profile.seed == SplitMix64.hash("test"))
        #expect(profile.connectRatePerSecond == 200)
        #expect(profile.target.token == .none)
        #expect(profile.target.connectWithin == .seconds(10))
        #expect(profile.target.messageLimitBytes == 16 * 1_048_576)
        #expect(profile.devices.id.id(ofDevice: 9, seed: 0) == "device-9")
        #expect(profile.behaviour.text?.spacing == .even)
        #expect(profile.behaviour.text?.bodyBytes == 20...400)
        #expect(profile.behaviour.text?.correlation == .marker)
        #expect(profile.behaviour.photo?.replyWithin == .seconds(120))
        #expect(profile.behaviour.prompts?.answers == Profile.Answers(approve: 1, deny: 0, other: 0, ignore: 0))
        #expect(profile.behaviour.ping?.pongWithin == .seconds(10))
        #expect(profile.reconnect == Profile.Reconnect(policy: .dialect, jitter: .none, attempts: nil))
        #expect(profile.drills.isEmpty && profile.gates.isEmpty && profile.push == nil)
        #expect(profile.output.directory == "runs")
        #expect(try decoded(profileText()).behaviour == Profile.Behaviour(text: nil, photo: nil, prompts: nil, ping: nil, away: nil))
        #expect(try decoded(profileText()).faults.isEmpty)
    }

    @Test func `the options of the embedded gateway keep order, text and place`() throws {
        let text = profileText(target: "target:\n  url: embedded\n  gateway: {reply_delay: 20ms..80ms, streaming: off, photos: 3}")
        #expect(
            try decoded(text).target.gateway == [
                Profile.GatewayOption(name: "reply_delay", value: "20ms..80ms", place: "p.yaml:5:26"),
                Profile.GatewayOption(name: "streaming", value: "off", place: "p.yaml:5:49"),
                Profile.GatewayOption(name: "photos", value: "3", place: "p.yaml:5:62"),
            ])
    }

    @Test func `all faults are told at once, in the order of the file`() {
        let text = """
            version: 1
            name: no
            target: {url: embedded, dialect: tansr}
            devices: {count: 0}
            load: [{ramp: 1, over: 10}]
            behaviour:
              text: {every: 20, durration: 5s}
            """
        #expect(
            faults(text) == [
                "p.yaml:2:7: 'no' is a boolean, not a text (put it in quotes: \"no\")",
                "p.yaml:3:34: 'tansr' is not available in this version (available: hermes)",
                "p.yaml:4:18: '0' is out of range (from 1 to 1000000)",
                "p.yaml:5:24: expected a duration such as 250ms, 20s or 1h30m, found '10' (a unit is missing: did you mean '10s'?)",
                "p.yaml:7:17: expected a duration such as 250ms, 20s or 1h30m, found '20' (a unit is missing: did you mean '20s'?)",
                "p.yaml:7:21: unknown key 'durration' (known here: every, spacing, body, reply_within, correlate)",
            ])
    }

    @Test func `a fault of a gate is the gate's own, at its place`() throws {
        let text = "reply.p99 is slow"
        let own = #expect(throws: UserFailure.self) { try Gate.parse(text) }
        let failures = #expect(throws: UserFailures.self) { try decoded(profileText("gates:\n  - \(text)")) }
        let fault = try #require(failures?.all.first)
        #expect(fault.message == own?.message)
        #expect(fault.hint == own?.hint)
        #expect(fault.place == "p.yaml:9:5")
        #expect(fault.cause == .profile)
        #expect(fault.exitCode == .badProfile)
    }

    @Test func `a host may be allowed by the profile or by a flag`() throws {
        let text = profileText(target: "target: {url: 'ws://Gateway.Example/'}")
        #expect(try decoded(text, DecodingOptions(allowedHosts: ["gateway.EXAMPLE"])).target.allowsHost == false)
        #expect(faults(text, DecodingOptions(allowedHosts: ["other.example"])).count == 1)
        let six = profileText(target: "target: {url: 'ws://[fd00::1]:80/'}")
        #expect(try decoded(six, DecodingOptions(allowedHosts: ["[fd00::1]"])).target.allowsHost == false)
    }

    @Test func `a file that cannot be read is a fault of the profile`() {
        let failure = UserFailure(.profile, "cannot read the profile: No such file or directory", place: "/nowhere/p.yaml")
        #expect(throws: UserFailures([failure])) { try Profile.load(path: "/nowhere/p.yaml") }
        let folder = UserFailure(.profile, "cannot read the profile: Is a directory", place: "/")
        #expect(throws: UserFailures([folder])) { try Profile.load(path: "/") }
    }

    @Test func `a word of a command that comes from the environment is not shown`() throws {
        let profile = try decoded(
            profileText("drills: [{at: 1s, command: [kubectl, \"--token=${SECRET}\"]}]"),
            environment(["SECRET": "hush"]))
        #expect(profile.drills.map { $0.action } == [.command(Profile.Command(words: ["kubectl", "--token=hush"], within: .seconds(60)))])
        #expect(!profile.resolvedYAML.contains("hush") && profile.resolvedYAML.contains("[redacted]"))
    }

    @Test func `the embedded gateway can be restarted`() throws {
        let profile = try decoded(
            profileText(target: "target: {url: embedded}", "drills: [{at: 1s, restart_embedded: {how: graceful, down: 0s}}]"))
        #expect(profile.drills.map { $0.action } == [.restartEmbedded(Profile.Restart(how: .graceful, down: .zero))])
    }
}
