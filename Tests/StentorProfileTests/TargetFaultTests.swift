import Testing

@testable import StentorProfile

/// Faults of the target and the push.
struct TargetFaultTests {
    @Test(arguments: [
        FaultCase(
            "",
            [
                "p.yaml:1:1: missing key 'target'"
            ]),
        FaultCase(
            "target: {}",
            [
                "p.yaml:3:9: missing key 'url' in 'target'"
            ]),
        FaultCase(
            "target: embedded",
            [
                "p.yaml:3:9: expected a mapping of keys, found a single value (known here: \(targetKeys))"
            ]),
        FaultCase(
            "target: {url: gateway}",
            [
                "p.yaml:3:15: expected a URL such as wss://gateway.example/ws, or embedded (it begins with ws:// or "
                    + "wss://)"
            ]),
        FaultCase(
            "target: {url: 'http://h/ws'}",
            [
                "p.yaml:3:15: expected a URL such as wss://gateway.example/ws, or embedded (it begins with ws:// or "
                    + "wss://)"
            ]),
        FaultCase(
            "target: {url: 'ws://'}",
            [
                "p.yaml:3:15: URL has no host"
            ]),
        FaultCase(
            "target: {url: 'ws://h:0'}",
            [
                "p.yaml:3:15: URL port is not in 1...65535"
            ]),
        FaultCase(
            "target: {url: 'ws://h:99999'}",
            [
                "p.yaml:3:15: URL port is not in 1...65535"
            ]),
        FaultCase(
            "target: {url: 'ws://[::1'}",
            [
                "p.yaml:3:15: URL has an IPv6 address without ']'"
            ]),
        FaultCase(
            "target: {url: 'ws://[x]/'}",
            [
                "p.yaml:3:15: URL host is not valid"
            ]),
        FaultCase(
            "target: {url: 'ws://u:secret@h'}",
            [
                "p.yaml:3:15: URL holds a user name (give credentials in keys of their own, not in the URL)"
            ]),
        FaultCase(
            "target: {url: 'ws://h/#x'}",
            [
                "p.yaml:3:15: URL has a fragment ('#') (write a '#' that belongs to the path or query as %23)"
            ]),
        FaultCase(
            "target: {url: 'ws://h/a b'}",
            [
                "p.yaml:3:15: URL holds a character that must be percent-encoded (no blanks, controls or non-ASCII letters; a host in its xn-- form)"
            ]),
        FaultCase(
            "target: {url: 'ws://h,x/'}",
            [
                "p.yaml:3:15: URL host is not valid"
            ]),
        FaultCase(
            "target: {url: 'wss://gateway.example/ws'}",
            [
                "p.yaml:3:15: host 'gateway.example' is not loopback, and a load test of it is not allowed (set "
                    + "'target.allow_host: true' or pass '--allow-host gateway.example')"
            ]),
        FaultCase(
            "target: {url: 'ws://10.0.0.1/', allow_host: false}",
            [
                "p.yaml:3:15: host '10.0.0.1' is not loopback, and a load test of it is not allowed (set "
                    + "'target.allow_host: true' or pass '--allow-host 10.0.0.1')"
            ]),
        FaultCase(
            "target: {url: embedded, dialect: rooms}",
            [
                "p.yaml:3:34: 'rooms' is not available in this version (available: hermes)"
            ]),
        FaultCase(
            "target: {url: embedded, dialect: herms}",
            [
                "p.yaml:3:34: unknown value 'herms' (did you mean 'hermes'?)"
            ]),
        FaultCase(
            "target: {url: embedded, token: a, token_file: b, tokens_file: c}",
            [
                "p.yaml:3:47: 'token' and 'token_file' exclude each other (keep one of them)",
                "p.yaml:3:63: 'token' and 'tokens_file' exclude each other (keep one of them)",
            ]),
        FaultCase(
            "target: {url: embedded, token: 123}",
            [
                "p.yaml:3:32: the value is a number, not a text (put it in quotes)"
            ]),
        FaultCase(
            "target: {url: embedded, token: ''}",
            [
                "p.yaml:3:32: the text is empty"
            ]),
        FaultCase(
            "target: {url: embedded, token: {a: b}}",
            [
                "p.yaml:3:32: expected a single value, found a mapping"
            ]),
        FaultCase(
            "target: {url: embedded, tls: {insecure: no}}",
            [
                "p.yaml:3:30: 'tls' needs a wss:// target (the embedded gateway speaks ws://)",
                "p.yaml:3:41: expected true or false, found 'no' (write false, without quotes)",
            ]),
        FaultCase(
            "target: {url: 'ws://localhost', tls: {}}",
            [
                "p.yaml:3:38: 'tls' needs a wss:// target (the URL is ws://)"
            ]),
        FaultCase(
            "target: {url: 'ws://localhost', gateway: {reply_delay: 1s}}",
            [
                "p.yaml:3:42: 'gateway' needs 'url: embedded' (its options are those of the embedded gateway)"
            ]),
        FaultCase(
            "target: {url: embedded, gateway: {reply-delay: 1s, x: [1], y: }}",
            [
                "p.yaml:3:35: 'reply-delay' is no option of the gateway (option names are lower case with underscores, as "
                    + "in reply_delay)",
                "p.yaml:3:55: expected a single value, found a list",
                "p.yaml:3:63: expected a text, found nothing (remove the key or give it a value)",
            ]),
        FaultCase(
            "target: {url: embedded, headers: {'a b': c, Host: x, X-A: 1, x-a: b, Sec-WebSocket-Key: z}}",
            [
                "p.yaml:3:35: 'a b' is no header name",
                "p.yaml:3:45: header 'Host' belongs to the WebSocket handshake (remove it)",
                "p.yaml:3:59: '1' is a number, not a text (put it in quotes: \"1\")",
                "p.yaml:3:62: header 'x-a' is given twice (header names ignore case)",
                "p.yaml:3:70: header 'Sec-WebSocket-Key' belongs to the WebSocket handshake (remove it)",
            ]),
        FaultCase(
            "target: {url: embedded, headers: [a]}",
            [
                "p.yaml:3:34: expected a mapping of names to values, found a list"
            ]),
        FaultCase(
            "target: {url: embedded, source_addresses: [127.0.0.1, 127.0.0.1, 127.1, {}]}",
            [
                "p.yaml:3:55: address '127.0.0.1' is given twice",
                "p.yaml:3:66: '127.1' is no IP address (for instance 127.0.0.2)",
                "p.yaml:3:73: expected a single value, found a mapping",
            ]),
        FaultCase(
            "target: {url: embedded, message_limit: 1B}",
            [
                "p.yaml:3:40: '1B' is out of range (from 1KiB to 256MiB)"
            ]),
        FaultCase(
            "target: {url: embedded, connect_within: 0s}",
            [
                "p.yaml:3:41: '0s' is too short (it must be more than 0s)"
            ]),
    ])
    func `a wrong target is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(target: example.text)) == example.faults)
    }

    @Test(arguments: [
        FaultCase(
            "push: {every: 1s}",
            [
                "p.yaml:8:7: missing key 'url' in 'push'"
            ]),
        FaultCase(
            "push: {url: 'ftp://x'}",
            [
                "p.yaml:8:13: expected a URL such as http://pushgateway:9091 (it begins with http:// or https://)"
            ]),
        FaultCase(
            "push: {url: 'http://u:p@x'}",
            [
                "p.yaml:8:13: URL holds a user name (give credentials in keys of their own, not in the URL)"
            ]),
        FaultCase(
            "push: {url: 'http://x?a'}",
            [
                "p.yaml:8:13: the URL has a query (remove the '?' and what follows it)"
            ]),
        FaultCase(
            "push: {url: 'http://x', every: 500ms}",
            [
                "p.yaml:8:32: '500ms' is too short (it must be at least 1s)"
            ]),
        FaultCase(
            "push: {url: 'http://x', username: a}",
            [
                "p.yaml:8:35: 'username' needs 'password'"
            ]),
        FaultCase(
            "push: {url: 'http://x', password: a}",
            [
                "p.yaml:8:35: 'password' needs 'username'"
            ]),
        FaultCase(
            "push: {url: 'http://x', bearer: b, username: a, password: c}",
            [
                "p.yaml:8:46: 'bearer' and 'username' exclude each other (keep one of them)"
            ]),
        FaultCase(
            "push: {url: 'http://x', password: 12345, username: no}",
            [
                "p.yaml:8:35: the value is a number, not a text (put it in quotes)",
                "p.yaml:8:52: the value is a boolean, not a text (put it in quotes)",
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: {server: 1.1}}",
            [
                "p.yaml:8:42: '1.1' is a number, not a text (put it in quotes: \"1.1\")"
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: {1a: x, __b: x, job: x}}",
            [
                "p.yaml:8:34: '1a' is no label name (letters, digits and '_', no digit first)",
                "p.yaml:8:41: label '__b' is reserved (choose another name)",
                "p.yaml:8:49: label 'job' is reserved (choose another name)",
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: {server: x}, group: [sever, server, server]}",
            [
                "p.yaml:8:54: 'sever' is none of the labels (did you mean 'server'?)",
                "p.yaml:8:69: label 'server' is given twice",
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: {phase: x, version: y}}",
            [
                "p.yaml:8:34: label 'phase' is reserved (choose another name)",
                "p.yaml:8:44: label 'version' is reserved (choose another name)",
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: {a: , b: \(String(repeating: "x", count: 10_240))}}",
            [
                "p.yaml:8:37: expected a text, found nothing (remove the key or give it a value)",
                "p.yaml:8:42: the text is longer than 4096 bytes",
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: {a: '\(String(repeating: "ä", count: 513))'}, job: \(String(repeating: "j", count: 1025))}",
            [
                "p.yaml:8:37: the text has 1026 bytes (at most 1024 bytes are allowed here)",
                "p.yaml:8:560: the text has 1025 bytes (at most 1024 bytes are allowed here)",
            ]),
        FaultCase(
            "push: {url: 'http://x', bearer: b, bearer_file: c}",
            [
                "p.yaml:8:49: 'bearer' and 'bearer_file' exclude each other (keep one of them)"
            ]),
        FaultCase(
            "push: {url: 'http://x', timeout: 99ms, proxy: 'on'}",
            [
                "p.yaml:8:34: '99ms' is too short (it must be at least 100ms)",
                "p.yaml:8:47: unknown value 'on' (known here: none, environment)",
            ]),
        FaultCase(
            "push: {url: 'http://x', labels: [a]}",
            [
                "p.yaml:8:33: expected a mapping of names to values, found a list"
            ]),
        FaultCase(
            "push: {url: 'http://x', on_finish: drop}",
            [
                "p.yaml:8:36: unknown value 'drop' (known here: keep, delete)"
            ]),
    ])
    func `a wrong push is a fault`(_ example: FaultCase) {
        #expect(faults(profileText(example.text)) == example.faults)
    }
}
