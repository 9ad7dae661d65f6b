import StentorBase
import Testing

@testable import StentorPush

struct GroupingPathTests {
    // The first three are the examples of the Pushgateway's README ("URL"), with the padding that RFC 4648 § 5 wants; the rest
    // follows what Pushgateway 1.5.1 accepts. Base64 by `printf … | base64 | tr +/ -_`.
    @Test(
        arguments: [
            ("titan", [("name", "Προμηθεύς")], "/metrics/job/titan/name@base64/zqDPgc6_zrzOt864zrXPjc-C"),
            ("directory_cleaner", [("path", "/var/tmp")], "/metrics/job/directory_cleaner/path@base64/L3Zhci90bXA="),
            (
                "example", [("first_label", ""), ("second_label", "foobar")],
                "/metrics/job/example/first_label@base64/=/second_label/foobar"
            ),
            ("stentor", [], "/metrics/job/stentor"),
            ("a/b", [("c", "d")], "/metrics/job@base64/YS9i/c/d"),
            ("s", [("x", "a+b")], "/metrics/job/s/x/a%2Bb"),
            ("s", [("x", "1.1.1-rc_2~")], "/metrics/job/s/x/1.1.1-rc_2~"),
            ("s", [("x", "a b?c#d%e")], "/metrics/job/s/x/a%20b%3Fc%23d%25e"),
            ("s", [("x", "q\"b\\\n")], "/metrics/job/s/x/q%22b%5C%0A"),
            ("s", [("x", "ä/北")], "/metrics/job/s/x@base64/w6Qv5YyX"),
            ("s", [("x", "job@base64")], "/metrics/job/s/x/job%40base64"),
            ("s", [("x", "."), ("y", "..")], "/metrics/job/s/x@base64/Lg==/y@base64/Li4="),
            ("s", [("x", "¿¿>/?")], "/metrics/job/s/x@base64/wr_Cvz4vPw=="),
            ("s", [("b", "2"), ("a", "1")], "/metrics/job/s/b/2/a/1"),
        ] as [(String, [(String, String)], String)])
    func `a grouping key is encoded as the Pushgateway decodes it`(job: String, labels: [(String, String)], path: String) throws {
        #expect(try GroupingPath.encode(job: job, labels: labels.map { GroupingLabel($0.0, $0.1) }) == path)
    }

    @Test(arguments: ["", "1a", "a-b", "a.b", "ä", "__name", "a@base64", "a/b", "a b"])
    func `a bad label name is refused`(name: String) {
        #expect(
            throws: UserFailure(
                .profile, "'\(name)' is no name of a push label",
                hint: "letters, digits and _ of ASCII, not a digit first, and not __ at the start")
        ) { try GroupingPath.encode(job: "s", labels: [GroupingLabel(name, "v")]) }
    }

    @Test(arguments: ["job", "a"])
    func `a label name is there once`(name: String) {
        #expect(throws: UserFailure(.profile, "the push label '\(name)' is there twice", hint: "the job counts as a label named 'job'")) {
            try GroupingPath.encode(job: "s", labels: [GroupingLabel("a", "1"), GroupingLabel(name, "2")])
        }
    }

    @Test func `a value may have a KiB and no byte more`() throws {
        _ = try GroupingPath.encode(job: "s", labels: [GroupingLabel("x", String(repeating: "ä", count: 512))])
        #expect(throws: UserFailure(.profile, "the value of the push label 'x' has 1025 bytes", hint: "at most 1024 bytes are allowed")) {
            try GroupingPath.encode(job: "s", labels: [GroupingLabel("x", String(repeating: "y", count: 1025))])
        }
    }

    @Test func `an empty job is refused`() {
        #expect(throws: UserFailure(.profile, "the push's job is empty", hint: "give it a name such as 'stentor'")) {
            try GroupingPath.encode(job: "", labels: [])
        }
    }

    // RFC 4648 § 10.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func `base64 follows its vectors`(text: String, encoded: String) {
        #expect(Base64Text.encode(Array(text.utf8), urlSafe: false) == encoded)
    }
}

struct PushTargetTests {
    @Test(
        arguments: [
            ("http://pg:9091", "http://pg:9091/metrics/job/s"), ("https://pg/", "https://pg/metrics/job/s"),
            ("http://pg/a/b/", "http://pg/a/b/metrics/job/s"), ("http://pg//a//b", "http://pg/a/b/metrics/job/s"),
            ("HTTP://[::1]:9091/x", "http://[::1]:9091/x/metrics/job/s"),
        ])
    func `the path prefix stays and no segment is empty`(url: String, address: String) throws {
        #expect(try PushTarget(url: url, job: "s").address == address)
    }

    @Test(
        arguments: [
            ("pg:9091", "is not http or https", "write it as http://pushgateway:9091"),
            ("ftp://pg", "is not http or https", "write it as http://pushgateway:9091"),
            ("http://", "has no host", "write it as http://pushgateway:9091"),
            ("http://:9091/", "has no host", "write it as http://pushgateway:9091"),
            ("http://user:hunter2@pg", "holds a user or password", "give credentials on their own"),
            ("http://pg/?token=hunter2", "has a query or fragment", "end it with the path"),
            ("http://pg/a b", "holds a blank or a character that is not ASCII", "percent-encode it"),
            ("http://pg/\r\nX: y", "holds a blank or a character that is not ASCII", "percent-encode it"),
        ])
    func `a bad URL is refused, and never shown`(url: String, what: String, hint: String) {
        #expect(throws: UserFailure(.profile, "the push's url \(what)", hint: hint)) { try PushTarget(url: url, job: "s") }
        #expect(!what.contains("hunter2"))
    }

    @Test func `a CA file that cannot be read is refused`() {
        #expect(throws: UserFailure(.file, "the CA file of the push cannot be read", place: "/no/such/ca.pem")) {
            try PushTarget(url: "https://pg", job: "s", caFile: "/no/such/ca.pem")
        }
    }

    @Test(arguments: ["", "line\n", "a\r\nX: y"])
    func `a token that would break its header is refused`(token: String) {
        let hint = "it must not be empty or hold control characters; is there a line break at the end?"
        #expect(throws: UserFailure(.profile, "the push's token cannot be sent", hint: hint)) {
            try PushTarget(url: "https://pg", job: "s", credentials: .bearer(Secret(token)))
        }
    }

    @Test(arguments: [("a:b", "c"), ("a", "c\n"), ("a\n", "c")])
    func `a user or password that would break the pair is refused`(user: String, password: String) {
        let hint = "no ':' in the user, no control characters in either; is there a line break at the end?"
        #expect(throws: UserFailure(.profile, "the push's user or password cannot be sent", hint: hint)) {
            try PushTarget(url: "https://pg", job: "s", credentials: .basic(user: user, password: Secret(password)))
        }
    }
}

struct ErrorTextTests {
    @Test(
        arguments: [
            ("one\r\ntwo\n", "one two"), ("\u{1B}[31mred\u{07}", "[31mred"), ("a\u{202E}b\u{2028}c", "a b c"), ("", ""), ("ä 北", "ä 北"),
            ("token is hunter2, hunter2!", "token is [redacted], [redacted]!"), ("hunter", "hunter"),
        ])
    func `a text of others becomes one harmless line`(raw: String, clean: String) {
        #expect(ErrorText.clean(Array(raw.utf8), hiding: ["hunter2"]) == clean)
    }

    @Test func `a secret is hidden also where the text was cut`() {
        let text = String(repeating: "x", count: ErrorText.limitBytes - 3) + "hunter2"
        let clean = ErrorText.clean(Array(text.utf8), hiding: ["hunter2"])
        #expect(clean == String(repeating: "x", count: ErrorText.limitBytes - 3) + "[redacted]")
    }

    @Test func `invalid UTF-8 is replaced`() {
        #expect(ErrorText.clean([0x61, 0xFF, 0x62], hiding: []) == "a\u{FFFD}b")
    }
}
