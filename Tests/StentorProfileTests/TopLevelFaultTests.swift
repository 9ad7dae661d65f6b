import Testing

@testable import StentorProfile

/// Faults of the top level, gates, output and plain texts.
struct TopLevelFaultTests {
    @Test(arguments: [
        FaultCase(
            "colour: red",
            [
                "p.yaml:8:1: unknown key 'colour' (known here: \(rootKeys))"
            ]),
        FaultCase(
            "name: again",
            [
                "p.yaml:8:1: duplicate key 'name' (it stands in line 2 already)"
            ]),
        FaultCase(
            "seed: -1",
            [
                "p.yaml:8:7: '-1' is out of range (from 0 to 18446744073709551615)"
            ]),
        FaultCase(
            "seed: 1.5",
            [
                "p.yaml:8:7: expected a whole number, found '1.5'"
            ]),
        FaultCase(
            "seed: 18446744073709551616",
            [
                "p.yaml:8:7: '18446744073709551616' is out of range (from 0 to 18446744073709551615)"
            ]),
        FaultCase(
            "seed: \"7\"",
            [
                "p.yaml:8:7: expected a whole number, found '7' (remove the quotes)"
            ]),
        FaultCase(
            "seed: 007",
            [
                "p.yaml:8:7: expected a whole number, found '007'"
            ]),
        FaultCase(
            "connect_rate: 200",
            [
                "p.yaml:8:15: expected a rate such as 200/s or 12/min, found '200' (a unit is missing: did you mean "
                    + "'200/s'?)"
            ]),
        FaultCase(
            "connect_rate: 0/s",
            [
                "p.yaml:8:15: '0/s' is out of range (more than 0/s, at most 100000/s)"
            ]),
        FaultCase(
            "connect_rate: 200001/s",
            [
                "p.yaml:8:15: '200001/s' is out of range (more than 0/s, at most 100000/s)"
            ]),
        FaultCase(
            "connect_rate: fast",
            [
                "p.yaml:8:15: expected a rate such as 200/s or 12/min, found 'fast'"
            ]),
        FaultCase(
            "faults: none",
            [
                "p.yaml:8:9: expected a list, found a single value (begin each entry with '- ')"
            ]),
        FaultCase(
            "gates: messages.lost == 0",
            [
                "p.yaml:8:8: expected a list, found a single value (begin each entry with '- ')"
            ]),
        FaultCase(
            "gates: [[a]]",
            [
                "p.yaml:8:9: expected a mapping of keys, found a list (known here: gate, abort, after)"
            ]),
        FaultCase(
            "gates: [messages.lost == 0, messages.lost == 0]",
            [
                "p.yaml:8:29: gate 'messages.lost == 0' is given twice"
            ]),
        FaultCase(
            "gates: [{gate: messages.lost == 0, after: 1m}]",
            [
                "p.yaml:8:43: 'after' needs 'abort: true' (a gate that does not abort is judged at the end)"
            ]),
        FaultCase(
            "gates: [{abort: true}]",
            [
                "p.yaml:8:9: missing key 'gate' in 'gates[0]'"
            ]),
        FaultCase(
            "gates: [{gate: messages.lost == 0, abort: yes}]",
            [
                "p.yaml:8:43: expected true or false, found 'yes' (write true, without quotes)"
            ]),
        FaultCase(
            "gates: [{gate: messages.lost == 0, abort: \"true\"}]",
            [
                "p.yaml:8:43: expected true or false, found 'true' (write true, without quotes)"
            ]),
    ])
    func `a fault at the top level is told with place, message and hint`(_ example: FaultCase) {
        #expect(faults(profileText(example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase(
            "",
            [
                "p.yaml:2:1: missing key 'version'"
            ]),
        FaultCase(
            "version: 2",
            [
                "p.yaml:1:10: version '2' is not known (this version of Stentor reads version 1)"
            ]),
        FaultCase(
            "version: one",
            [
                "p.yaml:1:10: expected a whole number, found 'one'"
            ]),
        FaultCase(
            "version: \"1\"",
            [
                "p.yaml:1:10: expected a whole number, found '1' (remove the quotes)"
            ]),
    ])
    func `a wrong version is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(version: example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase(
            "",
            [
                "p.yaml:1:1: missing key 'name'"
            ]),
        FaultCase(
            "name: yes",
            [
                "p.yaml:2:7: 'yes' is a boolean, not a text (put it in quotes: \"yes\")"
            ]),
        FaultCase(
            "name: a b",
            [
                "p.yaml:2:7: 'a b' is no name (a name has 1 to 64 of the characters A-Z a-z 0-9 . _ -)"
            ]),
        FaultCase(
            "name: 12",
            [
                "p.yaml:2:7: '12' is a number, not a text (put it in quotes: \"12\")"
            ]),
        FaultCase(
            "name: 'x/y'",
            [
                "p.yaml:2:7: 'x/y' is no name (a name has 1 to 64 of the characters A-Z a-z 0-9 . _ -)"
            ]),
        FaultCase(
            "name: \"\"",
            [
                "p.yaml:2:7: the text is empty"
            ]),
    ])
    func `a wrong name is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(name: example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase(
            "output: {dir: on}",
            [
                "p.yaml:8:15: 'on' is a boolean, not a text (put it in quotes: \"on\")"
            ]),
        FaultCase(
            "output: {dir: ''}",
            [
                "p.yaml:8:15: the text is empty"
            ]),
        FaultCase(
            "output: {dir: null}",
            [
                "p.yaml:8:15: 'null' is null, not a text (put it in quotes: \"null\")"
            ]),
        FaultCase(
            "output: {dir: \"a\\nb\"}",
            [
                "p.yaml:8:15: the text holds a control character (a line break, for instance)"
            ]),
        FaultCase(
            "output: {dir: ~}",
            [
                "p.yaml:8:15: '~' is null, not a text (put it in quotes: \"~\")"
            ]),
        FaultCase(
            "output: {dir: }",
            [
                "p.yaml:8:15: expected a text, found nothing (remove the key or give it a value)"
            ]),
        FaultCase(
            "output: runs",
            [
                "p.yaml:8:9: expected a mapping of keys, found a single value (known here: dir)"
            ]),
    ])
    func `what is no text to YAML is refused where a text is due`(_ example: FaultCase) {
        #expect(faults(profileText(example.text)) == example.faults)
    }
}
