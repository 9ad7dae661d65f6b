import StentorBase
import Testing

@testable import StentorProfile

/// Environment variables, and what must never be seen.
struct EnvironmentTests {
    @Test(arguments: [
        FaultCase(
            "output: {dir: '${NOPE}'}",
            [
                "p.yaml:8:15: environment variable 'NOPE' is not set"
            ]),
        FaultCase(
            "output: {dir: '${NOPE'}",
            [
                "p.yaml:8:15: '${' without '}' (write $${ for a plain ${)"
            ]),
        FaultCase(
            "output: {dir: '${1A}'}",
            [
                "p.yaml:8:15: '${…}' names no environment variable (a name has letters, digits and '_'; write $${ for a "
                    + "plain ${)"
            ]),
        FaultCase(
            "output: {dir: '${}'}",
            [
                "p.yaml:8:15: '${…}' names no environment variable (a name has letters, digits and '_'; write $${ for a "
                    + "plain ${)"
            ]),
        FaultCase(
            "output: {dir: '${EMPTY}'}",
            [
                "p.yaml:8:15: the text is empty (the environment variable is set, but empty)"
            ]),
        FaultCase(
            "output: {dir: '${A}${B}'}",
            [
                "p.yaml:8:15: environment variable 'A' is not set",
                "p.yaml:8:15: environment variable 'B' is not set",
            ]),
        FaultCase(
            "seed: ${BAD}",
            [
                "p.yaml:8:7: expected a whole number, found '${BAD}'"
            ]),
    ])
    func `a variable that cannot be filled in is a fault`(_ example: FaultCase) {
        let options = environment(["EMPTY": "", "TEN": "10", "BAD": "hunter2"])
        #expect(faults(profileText(example.text), options) == example.faults)
    }

    @Test func `variables are filled in within texts, numbers and quantities`() throws {
        let options = environment(["N": "10", "EVERY": "20s", "HOST": "localhost", "DIR": "a"])
        let text = profileText(
            target: "target: {url: 'ws://${HOST}:1/ws'}", devices: "devices: {count: '${N}', id: '${DIR}-{index}'}",
            "seed: ${N}\nbehaviour: {text: {every: '${EVERY}', body: '2${N}B..3${N}B'}}\noutput: {dir: '${DIR}/${DIR}/$${DIR}/$5'}")
        let profile = try decoded(text, options)
        #expect(profile.devices.count == 10)
        #expect(profile.devices.id.id(ofDevice: 3, seed: 1) == "a-3")
        #expect(profile.seed == 10)
        #expect(profile.behaviour.text?.every == .seconds(20))
        #expect(profile.behaviour.text?.bodyBytes == 210...310)
        #expect(profile.output.directory == "a/a/${DIR}/$5")
        #expect(try decoded(profile.resolvedYAML).output.directory == "a/a/${DIR}/$5")
    }

    @Test func `a value from the environment is not filled in again`() throws {
        let profile = try decoded(profileText("output: {dir: '${A}'}"), environment(["A": "${B}", "B": "no"]))
        #expect(profile.output.directory == "${B}")
    }

    @Test func `a variable that an override makes needless need not be set`() throws {
        let text = profileText(target: "target: {url: embedded, token: '${NOPE}'}")
        #expect(try decoded(text, setting("target.token=x")).target.token == .text(Secret("x")))
    }

    @Test func `an override may take its value from the environment`() throws {
        var options = try setting("target.token=${T}")
        options.environment = { $0 == "T" ? "s3cret" : nil }
        #expect(try decoded(profileText(target: "target: {url: embedded}"), options).target.token == .text(Secret("s3cret")))
    }

    @Test func `no secret is in the resolved text, the origins or a description`() throws {
        let target = """
            target:
              url: "ws://localhost/ws?token=s3cret"
              token: s3cret-literal
              headers: {Authorization: "Bearer s3cret", X-Env: "${S}", X-Plain: staging}
            """
        let text = profileText(target: target, "push: {url: 'http://localhost', username: s3cret-user, password: '${S}'}")
        let profile = try decoded(text, environment(["S": "s3cret-env"]))
        #expect(profile.target.token == .text(Secret("s3cret-literal")))
        #expect(profile.push?.credentials == .basic(username: Secret("s3cret-user"), password: Secret("s3cret-env")))
        #expect(!profile.resolvedYAML.contains("s3cret"))
        #expect(profile.resolvedYAML.contains("X-Plain: \"staging\""))
        #expect(profile.resolvedYAML.contains("url: \"ws://localhost/ws?[redacted]\""))
        #expect(!"\(profile.origins)".contains("s3cret"))
        #expect(!"\(profile.target.token) \(profile.target.headers) \(String(describing: profile.push))".contains("s3cret"))
    }

    @Test(arguments: [
        "token: &s3cret x", "token: *s3cret", "token: !s3cret x", "token: '${S}${NOPE}'", "token: '${NOPE:-s3cret}'", "token: '${s3cret'",
        "token: [s3cret]", "token: \"s3cret\\n\"", "token: '${LINES}'", "tokn: s3cret", "token: s3cret, token: s3cret2", "token: \"s3cret",
        "headers: {X-Token: \"s3cret\\t\"}", "connect_within: '${S}'", "message_limit: '${S}'", "allow_host: '${S}'", "dialect: '${S}'",
        "url: s3cret", "url: 'ws://a:s3cret@h/'", "url: 'ws://localhost/?token=s3cret#x'", "url: 'ws://example.org/?token=${S}'",
    ])
    func `no fault holds a secret`(_ field: String) {
        let target = field.hasPrefix("url:") ? "target: {\(field)}" : "target: {url: embedded, \(field)}"
        let found = faults(profileText(target: target), environment(["S": "s3cret", "LINES": "s3cret\ns3cret"]))
        #expect(!found.isEmpty)
        #expect(!found.joined().contains("s3cret"))
    }

    @Test func `no fault of a flag holds its value when that is a secret`() throws {
        let options = try setting("target.token=s3cret\n", "push={url: x, bearer: s3cret", "target.tokn=s3cret")
        let found = faults(profileText(target: "target: {url: embedded}"), options)
        #expect(found.count >= 3)
        #expect(!found.joined().contains("s3cret"))
    }
}
