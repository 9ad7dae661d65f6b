import Testing

@testable import StentorProfile

/// Faults of behaviours, reconnects and drills.
struct BehaviourFaultTests {
    @Test(arguments: [
        FaultCase(
            "behaviour: {audio: {every: 15m}}",
            [
                "p.yaml:8:13: 'audio' is not available in this version (available: text, photo, prompts, ping, away)"
            ]),
        FaultCase(
            "behaviour: {away: {}}",
            [
                "p.yaml:8:19: missing key 'every' in 'behaviour.away'", "p.yaml:8:19: missing key 'for' in 'behaviour.away'",
            ]),
        FaultCase(
            "behaviour: {away: {every: 1m, for: 0s..5s}}",
            [
                "p.yaml:8:36: '0s..5s' is too short (it must be more than 0s)"
            ]),
        FaultCase(
            "behaviour: {away: {every: 1m, for: 5s, how: hide}}",
            [
                "p.yaml:8:45: unknown value 'hide' (known here: suspend, leave)"
            ]),
        FaultCase(
            "behaviour: {texts: {every: 1s}}",
            [
                "p.yaml:8:13: unknown key 'texts' (did you mean 'text'?)"
            ]),
        FaultCase(
            "behaviour:",
            [
                "p.yaml:8:11: expected a mapping of keys, found nothing (known here: text, photo, prompts, ping, away)"
            ]),
        FaultCase(
            "behaviour: [text]",
            [
                "p.yaml:8:12: expected a mapping of keys, found a list (known here: text, photo, prompts, ping, away)"
            ]),
        FaultCase(
            "behaviour: {text: {}}",
            [
                "p.yaml:8:19: missing key 'every' in 'behaviour.text'"
            ]),
        FaultCase(
            "behaviour: {text: {every: 20}}",
            [
                "p.yaml:8:27: expected a duration such as 250ms, 20s or 1h30m, found '20' (a unit is missing: did you "
                    + "mean '20s'?)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 20 s}}",
            [
                "p.yaml:8:27: expected a duration such as 250ms, 20s or 1h30m, found '20 s' (write it without blanks)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 0s}}",
            [
                "p.yaml:8:27: '0s' is too short (it must be more than 0s)"
            ]),
        FaultCase(
            "behaviour: {text: {every: -1s}}",
            [
                "p.yaml:8:27: expected a duration such as 250ms, 20s or 1h30m, found '-1s' (it cannot be negative)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 400d}}",
            [
                "p.yaml:8:27: '400d' is too long (it must be at most 365d)"
            ]),
        FaultCase(
            "behaviour: {text: {every: [1s]}}",
            [
                "p.yaml:8:27: expected a single value, found a list"
            ]),
        FaultCase(
            "behaviour: {text: {every: }}",
            [
                "p.yaml:8:27: expected a duration such as 250ms, 20s or 1h30m, found nothing"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, spacing: evn}}",
            [
                "p.yaml:8:40: unknown value 'evn' (did you mean 'even'?)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, spacing: x}}",
            [
                "p.yaml:8:40: unknown value 'x' (known here: even, poisson)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, body: 19B..400B}}",
            [
                "p.yaml:8:37: '19B..400B' is out of range (from 20B to 1MiB; the marker that matches replies needs 20B)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, body: 400B..20B}}",
            [
                "p.yaml:8:37: the range '400B..20B' runs backwards (write 20B..400B)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, body: 20..400B}}",
            [
                "p.yaml:8:37: expected a size such as 300B, 64KiB or 3MiB, or a range such as 20B..400B, found '20..400B' "
                    + "(both ends of a range need a unit)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, body: 300}}",
            [
                "p.yaml:8:37: expected a size such as 300B, 64KiB or 3MiB, or a range such as 20B..400B, found '300' (a "
                    + "unit is missing: did you mean '300B'?)"
            ]),
        FaultCase(
            "behaviour: {text: {every: 1s, body: 2MiB}}",
            [
                "p.yaml:8:37: '2MiB' is out of range (from 20B to 1MiB; the marker that matches replies needs 20B)"
            ]),
        FaultCase(
            "behaviour: {photo: {every: 1s, size: 0B}}",
            [
                "p.yaml:8:38: '0B' is out of range (from 1B to 256MiB)"
            ]),
        FaultCase(
            "behaviour: {photo: {size: 1KB}}",
            [
                "p.yaml:8:20: missing key 'every' in 'behaviour.photo'",
                "p.yaml:8:27: expected a size such as 300B, 64KiB or 3MiB, or a range such as 20B..400B, found '1KB'",
            ]),
        FaultCase(
            "behaviour: {prompts: {think: 5s..1s}}",
            [
                "p.yaml:8:30: the range '5s..1s' runs backwards (write 1s..5s)"
            ]),
        FaultCase(
            "behaviour: {prompts: {think: 500d}}",
            [
                "p.yaml:8:30: '500d' is too long (it must be at most 365d)"
            ]),
        FaultCase(
            "behaviour: {prompts: {answers: {approve: 80%}}}",
            [
                "p.yaml:8:32: the shares of the answers add up to 80%, not 100%"
            ]),
        FaultCase(
            "behaviour: {prompts: {answers: {approve: 80}}}",
            [
                "p.yaml:8:42: expected a share such as 70%, found '80' (a unit is missing: did you mean '80%'?)"
            ]),
        FaultCase(
            "behaviour: {prompts: {answers: {approve: 101%}}}",
            [
                "p.yaml:8:42: expected a share such as 70%, found '101%'"
            ]),
        FaultCase(
            "behaviour: {ping: {every: 10s, pong: 1s}}",
            [
                "p.yaml:8:32: unknown key 'pong' (known here: every, pong_within)"
            ]),
    ])
    func `a wrong behaviour is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase(
            "reconnect: {policy: fixed}",
            [
                "p.yaml:8:21: missing key 'base' in 'reconnect' ('policy: fixed' needs it)"
            ]),
        FaultCase(
            "reconnect: {policy: exponential, base: 2s, cap: 1s}",
            [
                "p.yaml:8:49: 'cap' is shorter than 'base'"
            ]),
        FaultCase(
            "reconnect: {base: 1s}",
            [
                "p.yaml:8:19: 'base' has no meaning with 'policy: dialect' (the dialect sets the waits; choose 'policy: "
                    + "exponential' to set them here)"
            ]),
        FaultCase(
            "reconnect: {policy: fixed, base: 1s, cap: 2s}",
            [
                "p.yaml:8:43: 'cap' has no meaning with 'policy: fixed' (remove it)"
            ]),
        FaultCase(
            "reconnect: {policy: exponential}",
            [
                "p.yaml:8:21: missing key 'base' in 'reconnect' ('policy: exponential' needs it)",
                "p.yaml:8:21: missing key 'cap' in 'reconnect' ('policy: exponential' needs it)",
            ]),
        FaultCase(
            "reconnect: {attempts: many}",
            [
                "p.yaml:8:23: expected a whole number, found 'many'"
            ]),
        FaultCase(
            "reconnect: {jitter: half}",
            [
                "p.yaml:8:21: unknown value 'half' (known here: none, equal, full)"
            ]),
        FaultCase(
            "drills: [{at: 2m, disconnect: {}}]",
            [
                "p.yaml:8:15: the drill begins after the load has ended (70s) (write it as a share of the load, such as "
                    + "50%, to let it move with the load)"
            ]),
        FaultCase(
            "drills: [{at: 0s, disconnect: {}}]",
            [
                "p.yaml:8:15: '0s' is too short (it must be more than 0s)"
            ]),
        FaultCase(
            "drills: [{at: 100%, disconnect: {}}]",
            [
                "p.yaml:8:15: '100%' is the end of the load (it must be less than 100%)"
            ]),
        FaultCase(
            "drills: [{at: 10s}]",
            [
                "p.yaml:8:10: a drill needs 'disconnect', 'command' or 'restart_embedded'"
            ]),
        FaultCase(
            "drills: [{at: 10s, command: []}]",
            [
                "p.yaml:8:29: the command is empty (write the program and its arguments: [kubectl, rollout, restart])"
            ]),
        FaultCase(
            "drills: [{at: 10s, command: [sleep, 5]}]",
            [
                "p.yaml:8:37: '5' is a number, not a text (put it in quotes: \"5\")"
            ]),
        FaultCase(
            "drills: [{at: 10s, disconnect: {}, within: 3s}]",
            [
                "p.yaml:8:44: 'within' needs 'command'"
            ]),
        FaultCase(
            "drills: [{at: 10s, restart_embedded: {}, disconnect: {}}]",
            [
                "p.yaml:8:38: 'disconnect' and 'restart_embedded' exclude each other (make them two drills)"
            ]),
        FaultCase(
            "drills: [{at: 10s, restart_embedded: {how: softly}}]",
            [
                "p.yaml:8:44: unknown value 'softly' (known here: kill, graceful)"
            ]),
        FaultCase(
            "drills: [{at: 10s, restart_embedded: {}}]",
            [
                "p.yaml:8:9: 'restart_embedded' needs 'url: embedded' (use 'command' to restart a gateway of your own)"
            ]),
        FaultCase(
            "drills: [{at: 1s, disconnect: {how: half_open}}]",
            [
                "p.yaml:8:9: 'how: half_open' needs 'behaviour.ping' or 'behaviour.text' (nothing else would ever notice the silence)"
            ]),
        FaultCase(
            "faults: [{drop: 1m, how: after_send}]",
            [
                "p.yaml:8:9: 'how: after_send' needs 'behaviour.text' (it waits for the next text)"
            ]),
        FaultCase(
            "faults: [{drop: 1m, how: mid_upload}]\nbehaviour: {photo: {every: 1m, size: 3MiB}}",
            [
                "p.yaml:8:9: 'how: mid_upload' needs 'behaviour.photo' with sizes over 3MiB (it waits for a photo of two parts or more)"
            ]),
        FaultCase(
            "faults: [{rate: 1KiB/s}]",
            [
                "p.yaml:8:10: a fault needs 'drop' or 'slow_reader'"
            ]),
        FaultCase(
            "faults: [{drop: 1m, slow_reader: 1%}]",
            [
                "p.yaml:8:34: 'drop' and 'slow_reader' exclude each other (make them two entries)"
            ]),
        FaultCase(
            "faults: [{drop: 1m, rate: 1KiB/s}, {slow_reader: 1%, how: reset}]",
            [
                "p.yaml:8:27: 'rate' has no meaning with 'drop' (remove it)",
                "p.yaml:8:50: missing key 'rate' in 'faults[1]' (the most it reads, such as 10KiB/s)",
                "p.yaml:8:59: 'how' has no meaning with 'slow_reader' (remove it)",
            ]),
        FaultCase(
            "faults: [{slow_reader: 60%, rate: 1KiB/s}, {slow_reader: 60%, rate: 10KiB/s}]",
            [
                "p.yaml:8:9: the shares of the slow readers are more than 100%"
            ]),
        FaultCase(
            "faults: [{slow_reader: 60%, rate: 10KiB}]",
            [
                "p.yaml:8:35: expected a size per second such as 10KiB/s, found '10KiB'"
            ]),
        FaultCase(
            "faults: [{slow_reader: 60%, rate: 1B/s}]",
            [
                "p.yaml:8:35: '1B/s' is out of range (from 1KiB/s to 1GiB/s)"
            ]),
        FaultCase(
            "drills: [{at: 1s, disconnect: {share: 0%}}]",
            [
                "p.yaml:8:39: '0%' is too little (it must be more than 0%)"
            ]),
        FaultCase(
            "drills: [{at: 1s, name: a, disconnect: {}}, {at: 2s, name: a, disconnect: {}}]",
            [
                "p.yaml:8:60: drill 'a' is given twice"
            ]),
        FaultCase(
            "drills: [{disconnect: {}}]",
            [
                "p.yaml:8:10: missing key 'at' in 'drills[0]'"
            ]),
    ])
    func `a wrong reconnect or drill is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(example.text)) == example.faults)
    }
}
