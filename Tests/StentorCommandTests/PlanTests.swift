import Foundation
import StentorBase
import StentorFleet
import StentorProfile
import Testing

@testable import StentorCommand

private let roomy = PlanMachine(descriptorLimit: 20_000, ports: LocalPorts(range: 32_768...60_999), availableMemoryBytes: 8 << 30)

private func plan(_ text: String, on machine: PlanMachine = roomy, _ overrides: [ProfileOverride] = []) throws -> RunPlan {
    let options = DecodingOptions(overrides: overrides, allowedHosts: ["gw.example"])
    return RunPlan(try Profile.decode(Array(text.utf8), file: "p.yaml", options: options), on: machine)
}

private let nightly = """
    version: 1
    name: nightly
    seed: 7
    target: {url: "wss://gw.example/ws", token: hush-hush, source_addresses: [127.0.0.1, 127.0.0.2]}
    devices: {count: 600}
    load:
      - {ramp: 600, over: 1m}
      - {hold: 1h}
      - {ramp: 0, over: 1m}
    behaviour:
      text:  {every: 30s, body: 100B..300B}
      photo: {every: 10m, size: 1MiB..3MiB}
    drills:
      - {at: 40m, name: mass drop, disconnect: {share: 40%, within: 200ms, how: close}}
      - {at: 20m, disconnect: {share: 12.5%}}
    gates:
      - reply.p99<2s
      - {gate: ready.rate > 99%, abort: true, after: 5m}
      - reply.p95 drift < 5%/h

    """

@Suite struct `A plan` {
    @Test func `reads like this`() throws {
        let plan = try plan(nightly, [.devices("500")])
        let text = PlanText.text(plan, columns: 80)
        let (head, options) = try #require(text.range(of: "options\n").map { (text[..<$0.lowerBound], text[$0.upperBound...]) })
        #expect(
            head == """
                plan of nightly: nothing was started
                  target   wss://gw.example:443/ws (hermes)
                  seed     7
                  digest   \(plan.profile.digest)
                  from     127.0.0.1, 127.0.0.2

                schedule
                          0s  ramp  0 to 500 devices in 1m
                          1m  hold  500 devices for 1h
                        1h1m  ramp  500 to 0 devices in 1m
                        1h2m  end, after what is in flight

                expected
                  first dials  500, at most 8.33/s, the last due at 60.0 s
                  reconnects   about 263 by drills
                  texts        about 60998, at most 16.7/s, 11.6 MiB in all
                  photos       about 3050, at most 0.83/s, 5.96 GiB in all
                  pings        none
                  prompts      left open

                drills
                         20m  drill 2: TCP reset of 12.5 % of the ready devices at once, about
                              63 of 500 devices
                         40m  mass drop: orderly close of 40 % of the ready devices within
                              200ms, about 200 of 500 devices

                reconnect, as the dialect hermes has it
                  waits       1s, 2s, 4s, 8s, 15s, and so on; without jitter: devices lost
                              together dial together
                  worst wait  15s before one attempt
                  attempts    without limit

                gates
                  reply.p99 < 2s
                  ready.rate > 99%  (aborts the run, from 5m on)
                  reply.p95 drift < 5%/h
                      over at most 56 windows of 64 s in steady

                this machine                needed     available
                  ✓ file descriptors           564         20000
                  ✓ local ports                500         56464  and 200 after a drill
                  ✓ memory                11.7 MiB      8.00 GiB  without the kernel's


                """, "\(head)")
        let rows = options.split(separator: "\n").map(String.init)
        #expect(rows.contains { $0.hasPrefix("  devices.count ") && $0.contains(" 500 ") && $0.hasSuffix("  --devices") })
        #expect(rows.contains { $0.hasPrefix("  target.token ") && $0.contains(" [redacted] ") && $0.hasSuffix("  line 4") })
        #expect(rows.contains { $0.hasPrefix("  connect_rate ") && $0.hasSuffix("  default") })
        #expect(rows.count == plan.profile.origins.count)
        #expect(!text.contains("hush"))
        #expect(plan.failures.isEmpty)
    }

    @Test(arguments: [40, 60, 80, 132])
    func `keeps to the columns`(columns: Int) throws {
        let long = nightly.replacing("mass drop", with: String(repeating: "long name ", count: 6) + "x")
        let text = PlanText.text(try plan(long), columns: columns)
        for line in text.split(separator: "\n") where columns >= 60 {
            #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
        }
    }

    @Test func `counts what the devices' time makes, not what the ramp wishes`() throws {
        // 10 devices a second for 10 s, but dials only once in 2 s: device n comes at 2n s and stays to the end, at 20 s.
        let text = """
            version: 1
            name: slow
            target: {url: embedded}
            devices: {count: 100}
            connect_rate: 30/min
            load: [{ramp: 100, over: 10s}, {hold: 10s}]
            behaviour: {text: {every: 1s}, ping: {every: 2s}}

            """
        let plan = try plan(text)
        #expect(plan.dialsPerSecond == 0.5)
        let deviceSeconds = (0..<10).reduce(0.0) { $0 + 20 - (0.1 + 2 * Double($1)) }
        let seen = try #require(plan.texts).total
        #expect(seen >= deviceSeconds)
        #expect(plan.pings == seen / 2)
        #expect(plan.photos == nil)
    }

    @Test func `says what the machine cannot carry, all at once`() throws {
        let small = PlanMachine(descriptorLimit: 512, ports: LocalPorts(range: 50_000...50_099), availableMemoryBytes: 4 << 20)
        let plan = try plan(nightly, on: small)
        #expect(
            plan.failures == [
                UserFailure(
                    .machine, "600 devices need 664 file descriptors, and the hard limit is 512", place: "devices.count",
                    hint: "raise the hard limit (ulimit -Hn), or use fewer devices on this machine"),
                UserFailure(
                    .machine, "600 devices need as many local ports, and there are 200", place: "devices.count",
                    hint: "add target.source_addresses, or widen net.ipv4.ip_local_port_range"),
                UserFailure(
                    .machine, "600 devices need about 14.1 MiB of memory, and 4.00 MiB are available", place: "devices.count",
                    hint: "use fewer devices on this machine"),
            ])
        #expect(UserFailures(plan.failures).exitCode == .failure)
        #expect(PlanText.text(plan, columns: 80).contains("\n  ✗ file descriptors           664           512\n"))
    }

    @Test func `does not judge what it cannot read`() throws {
        let plan = try plan(nightly, on: PlanMachine(descriptorLimit: nil, ports: nil, availableMemoryBytes: nil))
        #expect(plan.failures.isEmpty)
        #expect(PlanText.text(plan, columns: 80).contains("\n  ? file descriptors           664       unknown\n"))
    }

    @Test func `counts the embedded gateway's memory too`() throws {
        let embedded = nightly.replacing("url: \"wss://gw.example/ws\"", with: "url: embedded")
            .replacing(", token: hush-hush, source_addresses: [127.0.0.1, 127.0.0.2]", with: "")
        let memory = try #require(try plan(embedded).needs.last)
        #expect(memory.needed == 600 * (4096 + 3072))
        let text = PlanText.text(try plan(embedded), columns: 80)
        #expect(text.contains("\n  ✓ file descriptors           664         20000  in each of 2 processes\n"))
    }

    @Test func `is JSON with the same numbers`() throws {
        let text = PlanDocument.text(try plan(nightly))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(text.hasSuffix("}\n") && !text.contains("hush"))
        #expect(json["profile"] as? String == "nightly" && json["seed"] as? String == "7" && json["fits"] as? Bool == true)
        #expect(json["duration_seconds"] as? Double == 3720)
        let expected = try #require(json["expected"] as? [String: Any])
        #expect(expected["pings"] is NSNull && expected["prompts"] is NSNull)
        #expect((expected["dials"] as? [String: Any])?["total"] as? Int == 600)
        let machine = try #require(json["machine"] as? [String: [String: Int]])
        #expect(machine["descriptors"] == ["needed": 664, "available": 20_000])
        #expect(machine["ports"] == ["needed": 600, "available": 56_464])
        #expect(machine["memory_bytes"] == ["needed": 600 * 24_576, "available": 8 << 30])
        let gates = try #require(json["gates"] as? [[String: Any]])
        #expect(gates.map { $0["expression"] as? String } == ["reply.p99 < 2s", "ready.rate > 99%", "reply.p95 drift < 5%/h"])
        #expect(gates[1]["abort"] as? Bool == true && gates[1]["after_seconds"] as? Double == 300)
        let options = try #require(json["options"] as? [[String: String]])
        #expect(options.contains(["path": "devices.count", "value": "600", "origin": "line 5"]))
    }

    @Test(
        arguments: [
            ("MemTotal: 9 kB\nMemAvailable:   23437752 kB\n", 24_000_258_048), ("MemTotal: 9 kB\n", nil), ("MemAvailable: x kB\n", nil),
            ("MemAvailable: 9223372036854775807 kB\n", nil),
        ] as [(String, Int?)])
    func `reads the memory that is available`(text: String, bytes: Int?) {
        #expect(PlanMachine.availableMemory(in: text) == bytes)
    }

    @Test(arguments: [("0s", "0s"), ("90s", "1m30s"), ("8h2m", "8h2m"), ("1500ms", "1s500ms")])
    func `writes durations without rounding`(text: String, expected: String) throws {
        #expect(PlanText.exact(try #require(Quantity.duration(text))) == expected)
    }

    @Test func `is asked for on the command line with the overrides of a run`() throws {
        let table = CommandTable.standard(version: "1.2.3", dialects: ["hermes"], gatewayOptions: [])
        var expected = PlanArguments(profile: "p.yaml")
        expected.profileArguments.overrides = [try #require(Assignment("devices.id=a"))]
        expected.profileArguments.target = "wss://gw.example/ws"
        expected.profileArguments.devices = 50
        expected.profileArguments.duration = .seconds(90)
        expected.profileArguments.allowedHosts = ["gw.example"]
        expected.printsJSON = true
        let line = "plan p.yaml --set devices.id=a --target wss://gw.example/ws --devices 50 --duration 90s --allow-host gw.example --json"
        #expect(table.read(line.split(separator: " ").map(String.init)) == .command(.plan(expected)))
        #expect(table.read(["plan", "p.yaml"]) == .command(.plan(PlanArguments(profile: "p.yaml"))))
    }
}
