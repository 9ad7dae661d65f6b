import StentorBase
import StentorDialect
import Testing

@testable import StentorProfile

/// What a profile may say of each dialect.
struct DialectFaultTests {
    private static func text(_ dialect: String, devices: Int = 10, _ more: String = "") -> String {
        profileText(
            target: "target: {url: 'ws://127.0.0.1:1/', dialect: \(dialect)}", devices: "devices: {count: \(devices)}",
            load: "load: [{ramp: 100%, over: 1s}]", more)
    }

    @Test func `options have their defaults, and belong to the dialect`() throws {
        let rooms = try decoded(Self.text("rooms", "rooms: {members: 5}"))
        #expect(
            rooms.dialectSettings
                == DialectSettings([
                    "members": .integer(5), "own_echo": .boolean(true), "history": .boolean(false), "settle": .duration(.seconds(1)),
                ]))
        #expect(rooms.resolvedYAML.contains("rooms:\n  members: 5\n  own_echo: true\n"))
        #expect(try decoded(rooms.resolvedYAML).digest == rooms.digest)
        let echo = try decoded(Self.text("echo", "echo: {binary: true}"))
        #expect(echo.dialectSettings == DialectSettings(["binary": .boolean(true)]))
        #expect(try decoded(Self.text("echo")).dialectSettings.boolean("binary") == false)
        #expect(try decoded(Self.text("typed")).dialectSettings == DialectSettings())
        #expect(try decoded(Self.text("rooms"), setting("rooms.count=2")).dialectSettings.integer("count") == 2)
    }

    @Test(arguments: [
        FaultCase(text("hermes", "rooms: {members: 5}"), ["p.yaml:6:8: 'rooms' has no meaning with 'dialect: hermes' (remove it)"]),
        FaultCase(
            text("rooms", "rooms: {members: 5}\necho: {binary: true}"),
            [
                "p.yaml:7:7: 'echo' has no meaning with 'dialect: rooms' (remove it)"
            ]),
        FaultCase(
            text("rooms"),
            [
                "p.yaml:3:9: 'rooms' needs 'members' or 'count' (rooms: {members: 50} makes a room for each 50 devices)"
            ]),
        FaultCase(
            text("rooms", "rooms: {own_echo: false}"),
            [
                "p.yaml:6:8: 'rooms' needs 'members' or 'count' (rooms: {members: 50} makes a room for each 50 devices)"
            ]),
        FaultCase(
            text("rooms", devices: 9, "rooms: {count: 2, members: 5}"),
            [
                "p.yaml:6:16: 2 rooms of 5 members are 10 devices, not 9 (leave 'count' or 'members' out to let it follow from "
                    + "'devices.count')"
            ]),
        FaultCase(
            text("rooms", devices: 30_000, "rooms: {count: 2}"),
            [
                "p.yaml:6:16: 30000 devices in 2 rooms are more than 10000 members each (take more rooms)"
            ]),
        FaultCase(
            text("rooms", "rooms: {member: 5, settle: 1, own_echo: yes}"),
            [
                "p.yaml:6:9: unknown key 'member' (did you mean 'members'?)",
                "p.yaml:6:28: expected a duration such as 250ms, 20s or 1h30m, found '1' (a unit is missing: did you mean '1s'?)",
                "p.yaml:6:41: expected true or false, found 'yes' (write true, without quotes)",
            ]),
        FaultCase(text("typed", "rooms: {members: 5}"), ["p.yaml:6:8: 'rooms' has no meaning with 'dialect: typed' (remove it)"]),
    ])
    func `options that do not fit are faults`(_ fault: FaultCase) {
        #expect(faults(fault.text) == fault.faults)
    }

    @Test(arguments: ["rooms", "typed", "echo"])
    func `a behaviour that a dialect does not have is a fault`(dialect: String) {
        let rooms = dialect == "rooms" ? "rooms: {members: 5}\n" : ""
        let line = dialect == "rooms" ? 7 : 6
        let text = Self.text(dialect, rooms + "behaviour: {photo: {every: 1s}, prompts: {}, text: {every: 1s, correlate: turn}}")
        #expect(
            faults(text) == [
                "p.yaml:\(line):20: the dialect \(dialect) has no 'photo' (it has: text, ping, away)",
                "p.yaml:\(line):42: the dialect \(dialect) has no 'prompts' (it has: text, ping, away)",
                "p.yaml:\(line):75: the dialect \(dialect) has no turns (write 'correlate: marker', or leave it out)",
            ])
    }

    @Test func `sizes of texts are those of the dialect`() throws {
        let body = "behaviour: {text: {every: 1s, body: 0B..16MiB}}"
        #expect(try decoded(Self.text("echo", body)).behaviour.text?.bodyBytes == 0...(16 << 20))
        #expect(
            faults(Self.text("typed", body)) == [
                "p.yaml:6:37: '0B..16MiB' is out of range (from 20B to 1MiB; the marker that matches replies needs 20B)"
            ])
        #expect(faults(Self.text("echo", "behaviour: {text: {every: 1s, body: 17MiB}}")).first?.contains("from 0B to 16MiB") == true)
    }
}
