import StentorBase
import StentorDialect
import Testing

@testable import StentorProfile

/// Values that flags set over a profile's.
struct OverrideTests {
    @Test(arguments: [
        FaultCase(
            "devices.cuont=5",
            [
                "--set devices.cuont: unknown key 'cuont' in 'devices' (did you mean 'devices.count'?)"
            ]),
        FaultCase(
            "devices.count=x",
            [
                "--set devices.count: expected a whole number, found 'x'"
            ]),
        FaultCase(
            "device.count=5",
            [
                "--set device.count: unknown key 'device' (did you mean 'devices'?)"
            ]),
        FaultCase(
            "load[9].hold=1s",
            [
                "--set load[9].hold: there is no 'load[9]' ('load' has 2 entries, numbered from 0)"
            ]),
        FaultCase(
            "load.hold=1s",
            [
                "--set load.hold: 'load' is a list (name one entry, such as load[0])"
            ]),
        FaultCase(
            "load[0=1",
            [
                "--set load[0: 'load[0' is no path (for instance devices.count or load[0].hold)"
            ]),
        FaultCase(
            "seed.x=1",
            [
                "--set seed.x: 'seed' is a single value: there is no 'seed.x'"
            ]),
        FaultCase(
            "seed[0]=1",
            [
                "--set seed[0]: 'seed' is a single value: there is no 'seed[0]'"
            ]),
        FaultCase(
            "devices[0]=1",
            [
                "--set devices[0]: 'devices' is no list"
            ]),
        FaultCase(
            "name=on",
            [
                "--set name: 'on' is a boolean, not a text (put it in quotes: \"on\")"
            ]),
        FaultCase(
            "behaviour.audio.every=1s",
            [
                "--set behaviour.audio.every: 'behaviour.audio' is not available in this version"
            ]),
        FaultCase(
            "behaviour.text.evry=1s",
            [
                "--set behaviour.text.evry: unknown key 'evry' in 'behaviour.text' (did you mean 'behaviour.text.every'?)"
            ]),
        FaultCase(
            "behaviour.text.body=30B",
            [
                "--set behaviour.text.body: missing key 'every' in 'behaviour.text'"
            ]),
        FaultCase(
            "gates=[",
            [
                "--set gates: invalid YAML: did not find expected node content"
            ]),
        FaultCase(
            "gates=",
            [
                "--set gates: the value is empty"
            ]),
        FaultCase(
            "drills=[{at: 1s}]",
            [
                "--set drills: a drill needs 'disconnect', 'command' or 'restart_embedded'"
            ]),
        FaultCase(
            "target.token=",
            [
                "--set target.token: expected a text, found nothing (remove the key or give it a value)"
            ]),
        FaultCase(
            "target=x",
            [
                "--set target: expected a mapping of keys, found a single value (known here: \(targetKeys))"
            ]),
        FaultCase(
            "a..b=1",
            [
                "--set a..b: 'a..b' is no path (for instance devices.count or load[0].hold)"
            ]),
        FaultCase(
            "gates[0].abort=true",
            [
                "--set gates[0].abort: 'gates[0]' is a single value: there is no 'gates[0].abort'"
            ]),
        FaultCase(
            "faults=1",
            [
                "--set faults: expected a list, found a single value (begin each entry with '- ')"
            ]),
    ])
    func `a fault of an override has the flag as its place`(_ example: FaultCase) throws {
        let options = try setting(example.text)
        #expect(faults(profileText("gates: [messages.lost == 0]"), options) == example.faults)
    }

    @Test(arguments: ["=1", "word", ""])
    func `an override without a path or a value is a bad argument`(_ argument: String) {
        let failure = UserFailure(.arguments, "expected path=value", place: "--set", hint: "for instance --set devices.count=50")
        #expect(throws: failure) { try ProfileOverride.parse(argument) }
    }

    @Test func `an override may change, add and replace values, and the last one holds`() throws {
        let profile = try decoded(
            profileText(),
            setting(
                "load[1].hold=10s", "behaviour.text.every=2s", "behaviour.text.body=30B..40B", "target.headers.X-Env=a=b",
                "gates=[messages.lost == 0]", "name=first", "name='on'"))
        #expect(profile.load.steps[1] == .hold(.seconds(10)))
        #expect(profile.behaviour.text?.every == .seconds(2))
        #expect(profile.behaviour.text?.bodyBytes == 30...40)
        #expect(profile.target.headers == [Profile.Header(name: "X-Env", value: Secret("a=b"))])
        #expect(profile.gates.map(\.text) == ["messages.lost == 0"])
        #expect(profile.gates.map(\.place) == ["--set gates"])
        #expect(profile.name == "on")
        #expect(profile.origins.first { $0.path == "load[1].hold" }?.source == .flag("--set load[1].hold"))
    }

    @Test func `an override makes a mapping that the profile leaves empty`() throws {
        #expect(try decoded(profileText("output:"), setting("output.dir=elsewhere")).output.directory == "elsewhere")
    }

    @Test func `the faults of flags come after those of the file`() throws {
        let found = faults(profileText("colour: red"), try setting("devices.count=0"))
        #expect(found.map { $0.prefix { $0 != " " } } == ["p.yaml:8:1:", "--set"])
    }

    @Test(arguments: [("5", 5, 3), ("20", 20, 10), ("1", 1, 1), ("1000000", 1_000_000, 500_000)])
    func `fewer or more devices scale the ramps that are numbers`(count: String, devices: Int, half: Int) throws {
        let load = "load: [{ramp: 5, over: 1s}, {ramp: 100%, over: 1s}, {ramp: 0, over: 1s}]"
        var options = DecodingOptions(dialects: Dialect.catalogue)
        options.overrides = [.devices(count)]
        let profile = try decoded(profileText(load: load), options)
        #expect(profile.devices.count == devices)
        let ramps = [half, devices, 0].map { Profile.LoadStep.ramp(to: $0, over: .seconds(1)) }
        #expect(profile.load.steps == ramps)
        #expect(profile.origins.first { $0.path == "load[0].ramp" }?.source == .flag("--devices"))
    }

    @Test func `a ramp that a flag sets is not scaled`() throws {
        let profile = try decoded(profileText(), setting("devices.count=100", "load[0].ramp=7"))
        #expect(profile.load.peakDevices == 7)
    }

    @Test func `the duration replaces the longest hold, the first of equals`() throws {
        let load = "load: [{ramp: 1, over: 1s}, {hold: 1m}, {hold: 60s}, {hold: 2s}]"
        var options = DecodingOptions(dialects: Dialect.catalogue)
        options.overrides = [.duration("5s")]
        let profile = try decoded(profileText(load: load), options)
        #expect(profile.load.steps.dropFirst() == [.hold(.seconds(5)), .hold(.seconds(60)), .hold(.seconds(2))])
    }

    @Test func `a load without a hold has no duration to set`() {
        var options = DecodingOptions(dialects: Dialect.catalogue)
        options.overrides = [.duration("1s")]
        let expected = "--duration: the load has no 'hold' to set (add a step {hold: …} to the profile's load)"
        #expect(faults(profileText(load: "load: [{ramp: 1, over: 1s}]"), options) == [expected])
    }

    @Test func `the short forms name themselves in faults`() {
        var options = DecodingOptions(dialects: Dialect.catalogue)
        options.overrides = [.duration("x"), .devices("0"), .target("gw")]
        #expect(
            faults(profileText(), options) == [
                "--target: expected a URL such as wss://gateway.example/ws, or embedded (it begins with ws:// or wss://)",
                "--devices: '0' is out of range (from 1 to 1000000)",
                "--duration: expected a duration such as 250ms, 20s or 1h30m, found 'x'",
            ])
    }

    @Test func `another target drops what only the profile's own can have`() throws {
        var options = DecodingOptions(dialects: Dialect.catalogue)
        options.overrides = [.target("ws://localhost:1/ws")]
        let embedded = profileText(target: "target: {url: embedded, gateway: {reply_delay: 1s}}")
        #expect(try decoded(embedded, options).target.gateway.isEmpty)
        options.overrides = [.target("embedded")]
        let secure = profileText(target: "target: {url: 'wss://localhost', tls: {insecure: true}}")
        #expect(try decoded(secure, options).target.tls.isInsecure == false)
    }

    @Test func `an option of the gateway that a flag sets is not dropped but refused`() throws {
        let options = try setting("target.url=ws://localhost", "target.gateway.reply_delay=1s")
        let expected = "'gateway' needs 'url: embedded' (its options are those of the embedded gateway)"
        let found = faults(profileText(target: "target: {url: embedded}"), options)
        #expect(found == ["--set target.gateway.reply_delay: \(expected)"])
    }
}
