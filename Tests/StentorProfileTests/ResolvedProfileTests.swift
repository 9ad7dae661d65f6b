import StentorBase
import Testing

@testable import StentorProfile

/// Origins, the resolved text and the digest.
struct ResolvedProfileTests {
    @Test func `the resolved text holds defaults and overrides`() throws {
        let text = profileText(
            target: "target: {url: embedded, token: abc, headers: {X-Quote: 'a \"b\"'}}",
            "behaviour: {ping: {every: 5s}}\ngates: [messages.lost == 0]")
        #expect(
            try decoded(text, setting("devices.count=4")).resolvedYAML == """
                version: 1
                name: "test"
                seed: \(SplitMix64.hash("test"))
                target:
                  url: "embedded"
                  dialect: hermes
                  token: "[redacted]"
                  headers:
                    X-Quote: "a \\"b\\""
                  connect_within: 10s
                  ready_within: 10s
                  allow_host: false
                  message_limit: 16MiB
                devices:
                  count: 4
                  id: "device-{index}"
                  name: "Stentor"
                  platform: "ios"
                  app_version: "1.0.0"
                load:
                  - ramp: 4
                    over: 10s
                  - hold: 1m
                connect_rate: 200/s
                behaviour:
                  ping:
                    every: 5s
                    pong_within: 10s
                reconnect:
                  policy: dialect
                  jitter: none
                gates:
                  - "messages.lost == 0"
                output:
                  dir: "runs"

                """)
    }

    @Test(arguments: [ProfileTests.full, profileText(), profileText("push: {url: 'http://h', labels: {a: \"\u{2028}é\"}}")])
    func `the resolved text decodes to itself`(_ text: String) throws {
        let resolved = try decoded(text).resolvedYAML
        #expect(try decoded(resolved).resolvedYAML == resolved)
        #expect(try decoded(resolved).digest == decoded(text).digest)
    }

    @Test func `origins name the line, the flag or the default of each value`() throws {
        let origins = try decoded(profileText(target: "target: {url: embedded, token: abc}"), setting("load[1].hold=5s")).origins
        let shown = origins.map { "\($0.path) = \($0.value) (\($0.source))" }
        #expect(shown.contains("version = 1 (line 1)"))
        #expect(shown.contains("target.url = embedded (line 3)"))
        #expect(shown.contains("target.token = [redacted] (line 3)"))
        #expect(shown.contains("load[0].over = 10s (line 6)"))
        #expect(shown.contains("load[1].hold = 5s (--set load[1].hold)"))
        #expect(shown.contains("connect_rate = 200/s (default)"))
        #expect(Set(origins.map(\.path)).count == origins.count)
    }

    @Test(arguments: [
        "target.url=ws://127.0.0.1:2/", "target.token=a", "target.headers.X-A=b", "target.source_addresses=[127.0.0.3]",
        "target.allow_host=true", "push.url=http://h", "output.dir=elsewhere",
    ])
    func `the digest leaves out which target it was and where results went`(_ override: String) throws {
        #expect(try decoded(profileText(), setting(override)).digest == decoded(profileText()).digest)
    }

    @Test(arguments: ["name=b", "seed=1", "load[1].hold=2m", "devices.count=9", "target.ready_within=1s", "behaviour.text.every=1s"])
    func `the digest tells apart what runs do`(_ override: String) throws {
        #expect(try decoded(profileText(), setting(override)).digest != decoded(profileText()).digest)
    }

    @Test func `the digest is sixteen hexadecimal digits and the same in every process`() throws {
        #expect(try decoded(profileText("seed: 1")).digest == "8ac47740a4c618ba")
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.seconds(90), "90s"), (.seconds(3600), "1h"), (.milliseconds(1500), "1500ms"), (.microseconds(7), "7us"),
        (.nanoseconds(1001), "1001ns"), (.seconds(120), "2m"),
    ])
    func `a duration is written exactly`(duration: Duration, text: String) {
        #expect(duration.profileText == text)
        #expect(Quantity.duration(text) == duration)
    }
}
