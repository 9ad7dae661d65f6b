import StentorBase
import Testing

@testable import StentorWire

struct TargetURLTests {
    @Test(
        arguments: [
            ("ws://gateway.example", "gateway.example", 80, "/", "gateway.example"),
            ("wss://Gateway.Example/ws", "gateway.example", 443, "/ws", "gateway.example"),
            ("WSS://h:8443/a/b?x=1&y=%2f", "h", 8443, "/a/b?x=1&y=%2f", "h:8443"),
            ("http://127.0.0.1:9091", "127.0.0.1", 9091, "/", "127.0.0.1:9091"), ("https://h:443/", "h", 443, "/", "h"),
            ("ws://h:443", "h", 443, "/", "h:443"), ("ws://[::1]:8080/ws", "::1", 8080, "/ws", "[::1]:8080"),
            ("ws://[2001:DB8::1]", "2001:db8::1", 80, "/", "[2001:db8::1]"), ("ws://h?token=a+b", "h", 80, "/?token=a+b", "h"),
            ("ws://h/?u=http://x@y:1", "h", 80, "/?u=http://x@y:1", "h"), ("ws://my_pod-1.svc.", "my_pod-1.svc.", 80, "/", "my_pod-1.svc."),
            ("ws://xn--bcher-kva.example:65535", "xn--bcher-kva.example", 65_535, "/", "xn--bcher-kva.example:65535"),
        ] as [(String, String, UInt16, String, String)])
    func `a URL is read`(text: String, host: String, port: UInt16, target: String, hostHeader: String) throws {
        let url = try TargetURL(text)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.target == target)
        #expect(url.hostHeader == hostHeader)
    }

    @Test(arguments: [("ws", false), ("wss", true), ("http", false), ("https", true)])
    func `the scheme says whether TLS is spoken`(scheme: String, isSecure: Bool) throws {
        let url = try TargetURL("\(scheme)://h")
        #expect(url.scheme.rawValue == scheme)
        #expect(url.isSecure == isSecure)
    }

    @Test(arguments: [
        ("", "URL is empty"), ("gateway.example/ws", "URL has no scheme"), ("ws:/h", "URL has no scheme"),
        ("ftp://h", "URL scheme is not known"),
        ("ws://h/a b", "URL holds a character that must be percent-encoded"),
        ("ws://h/\r\nX:", "URL holds a character that must be percent-encoded"),
        ("ws://bücher.example", "URL holds a character that must be percent-encoded"), ("ws://h/a#b", "URL has a fragment ('#')"),
        ("ws://user@h", "URL holds a user name"), ("ws://user:secret@h/", "URL holds a user name"), ("ws://", "URL has no host"),
        ("ws:///ws", "URL has no host"), ("ws://:80", "URL has no host"), ("ws://h:", "URL port is not in 1...65535"),
        ("ws://h:0", "URL port is not in 1...65535"), ("ws://h:65536", "URL port is not in 1...65535"),
        ("ws://h:+80", "URL port is not in 1...65535"), ("ws://h:8a", "URL port is not in 1...65535"),
        ("ws://[::1", "URL has an IPv6 address without ']'"), ("ws://[::1]80", "URL port is not in 1...65535"),
        ("ws://[::g]", "URL host is not valid"), ("ws://[fe80::1%25eth0]", "URL host is not valid"),
        ("ws://[127.0.0.1]", "URL host is not valid"),
        ("ws://::1", "URL has no host"), ("ws://256.0.0.1", "URL host is not valid"), ("ws://1.2.3", "URL host is not valid"),
        ("ws://-h", "URL host is not valid"), ("ws://a..b", "URL host is not valid"), ("ws://a%2Fb", "URL host is not valid"),
        ("ws://a,b", "URL host is not valid"),
    ])
    func `a URL that cannot be dialled is refused`(text: String, message: String) {
        let failure = #expect(throws: UserFailure.self) { try TargetURL(text, place: "soak.yaml:9:8") }
        #expect(failure?.message == message)
        #expect(failure?.cause == .profile)
        #expect(failure?.place == "soak.yaml:9:8")
    }

    @Test func `a misspelt scheme gets a suggestion`() {
        #expect(throws: UserFailure(.arguments, "URL scheme is not known", place: "--target", hint: "did you mean 'wss'?")) {
            try TargetURL("wsss://h", cause: .arguments, place: "--target")
        }
    }

    @Test(arguments: [
        ("ws://h", "/?token=a%2Bb%2F%3D"), ("ws://h/ws", "/ws?token=a%2Bb%2F%3D"), ("ws://h/ws?", "/ws?token=a%2Bb%2F%3D"),
        ("ws://h/ws?x=1", "/ws?x=1&token=a%2Bb%2F%3D"), ("ws://h/ws?x=1&", "/ws?x=1&token=a%2Bb%2F%3D"),
    ])
    func `a query item is appended to what is there`(text: String, target: String) throws {
        #expect(try TargetURL(text).appendingQuery(name: "token", value: "a+b/=").target == target)
    }

    @Test(arguments: [
        ("ws://localhost", true), ("ws://a.localhost", true), ("ws://127.0.0.1", true), ("ws://127.9.9.9", true), ("ws://[::1]", true),
        ("ws://[0:0::1]", true), ("ws://128.0.0.1", false), ("ws://127.example", false), ("ws://localhost.example", false),
        ("ws://[::2]", false),
        ("ws://notlocalhost", false),
    ])
    func `loopback hosts are known`(text: String, isLoopback: Bool) throws {
        #expect(try TargetURL(text).isLoopback == isLoopback)
    }

    @Test func `addresses are told from names`() throws {
        #expect(try TargetURL("ws://10.0.0.1").isAddress)
        #expect(try TargetURL("ws://[::1]").isAddress)
        #expect(try !TargetURL("ws://h1").isAddress)
    }

    @Test func `printing leaves the query out`() throws {
        let url = try TargetURL("wss://[::1]/ws?token=secret")
        #expect("\(url)" == "wss://[::1]:443/ws?…")
        #expect(String(reflecting: url) == "wss://[::1]:443/ws?…")
        #expect(try "\(TargetURL("ws://h"))" == "ws://h:80/")
    }
}
