import Testing

@testable import StentorProfile

/// Faults of devices and load.
struct FleetFaultTests {
    @Test(arguments: [
        FaultCase(
            "",
            [
                "p.yaml:1:1: missing key 'devices'"
            ]),
        FaultCase(
            "devices: {}",
            [
                "p.yaml:4:10: missing key 'count' in 'devices'"
            ]),
        FaultCase(
            "devices: {count: 0}",
            [
                "p.yaml:4:18: '0' is out of range (from 1 to 1000000)"
            ]),
        FaultCase(
            "devices: {count: 1000001}",
            [
                "p.yaml:4:18: '1000001' is out of range (from 1 to 1000000)"
            ]),
        FaultCase(
            "devices: {count: 5k}",
            [
                "p.yaml:4:18: expected a whole number, found '5k'"
            ]),
        FaultCase(
            "devices: {count: 10, id: phone}",
            [
                "p.yaml:4:26: 'phone' makes no unique device ids (it needs {index} or {uuid}, once)"
            ]),
        FaultCase(
            "devices: {count: 10, id: '{index}{uuid}'}",
            [
                "p.yaml:4:26: '{index}{uuid}' makes no unique device ids (it needs {index} or {uuid}, once)"
            ]),
        FaultCase(
            "devices: {count: 10, id: '{indx}'}",
            [
                "p.yaml:4:26: '{indx}' makes no unique device ids (it needs {index} or {uuid}, once)"
            ]),
        FaultCase(
            "devices: {count: 10, id: 'a=b{index}'}",
            [
                "p.yaml:4:26: 'a=b{index}' makes no device ids (up to 128 printable ASCII characters without blank and "
                    + "'=')"
            ]),
        FaultCase(
            "devices: {count: 10, id: '{index}}'}",
            [
                "p.yaml:4:26: '{index}}' makes no unique device ids (it needs {index} or {uuid}, once)"
            ]),
        FaultCase(
            "devices: {count: 10, app_version: 1.4}",
            [
                "p.yaml:4:35: '1.4' is a number, not a text (put it in quotes: \"1.4\")"
            ]),
        FaultCase(
            "devices: {count: 10, cohorts: [{name: a, share: 70%}, {name: a, share: 20%}]}",
            [
                "p.yaml:4:31: the shares of the cohorts add up to 90%, not 100%",
                "p.yaml:4:62: cohort 'a' is given twice",
            ]),
        FaultCase(
            "devices: {count: 10, cohorts: [{share: 0%}]}",
            [
                "p.yaml:4:32: missing key 'name' in 'devices.cohorts[0]'",
                "p.yaml:4:40: '0%' is too little (it must be more than 0%)",
            ]),
        FaultCase(
            "devices: {count: 10, cohorts: {}}",
            [
                "p.yaml:4:31: expected a list, found a mapping (begin each entry with '- ')"
            ]),
    ])
    func `wrong devices are a fault`(_ example: FaultCase) {
        #expect(faults(profileText(devices: example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase(
            "",
            [
                "p.yaml:1:1: missing key 'load'"
            ]),
        FaultCase(
            "load: []",
            [
                "p.yaml:5:7: the load has no step (begin with {ramp: N, over: D})"
            ]),
        FaultCase(
            "load: [{}]",
            [
                "p.yaml:5:8: a step needs 'ramp' and 'over', or 'hold'"
            ]),
        FaultCase(
            "load: [{hold: 1m}]",
            [
                "p.yaml:5:8: the load begins with a hold of 0 devices (begin with {ramp: N, over: D})"
            ]),
        FaultCase(
            "load: [{ramp: 0, over: 1s}]",
            [
                "p.yaml:5:7: the load never connects a device (one ramp at least must go above 0)"
            ]),
        FaultCase(
            "load: [{ramp: 11, over: 1s}]",
            [
                "p.yaml:5:15: ramp to 11 devices, but there are 10 (raise devices.count, or write 100%)"
            ]),
        FaultCase(
            "load: [{ramp: 10}]",
            [
                "p.yaml:5:8: missing key 'over' in 'load[0]' (how long the ramp takes, such as 10m)"
            ]),
        FaultCase(
            "load: [{over: 10s}]",
            [
                "p.yaml:5:15: 'over' needs 'ramp'"
            ]),
        FaultCase(
            "load: [{ramp: 1, over: 1s, hold: 1s}]",
            [
                "p.yaml:5:34: 'ramp' and 'hold' exclude each other (make them two steps)"
            ]),
        FaultCase(
            "load: [{ramp: 101%, over: 1s}]",
            [
                "p.yaml:5:15: expected a share such as 70%, found '101%'"
            ]),
        FaultCase(
            "load: [{ramp: -1, over: 1s}]",
            [
                "p.yaml:5:15: '-1' is out of range (from 0 to 1000000)"
            ]),
        FaultCase(
            "load: [{ramp: 5, over: 0s}]",
            [
                "p.yaml:5:24: '0s' is too short (it must be more than 0s)"
            ]),
        FaultCase(
            "load: 5",
            [
                "p.yaml:5:7: expected a list, found a single value (begin each entry with '- ')"
            ]),
        FaultCase(
            "load: [5]",
            [
                "p.yaml:5:8: expected a mapping of keys, found a single value (known here: ramp, over, hold)"
            ]),
    ])
    func `a wrong load is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(load: example.text)) == example.faults)
    }
}
