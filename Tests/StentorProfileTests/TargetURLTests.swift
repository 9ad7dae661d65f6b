import Testing

@testable import StentorProfile

/// URLs of gateways.
struct TargetURLTests {
    struct Example: CustomTestStringConvertible {
        let text: String
        let host: String
        let port: UInt16
        let path: String
        let header: String
        let isLoopback: Bool
        var testDescription: String { text }
    }

    @Test(arguments: [
        Example(text: "ws://localhost", host: "localhost", port: 80, path: "/", header: "localhost", isLoopback: true),
        Example(text: "WSS://LocalHost:443/x", host: "localhost", port: 443, path: "/x", header: "localhost", isLoopback: true),
        Example(
            text: "ws://127.255.0.9:8787/ws?a=b", host: "127.255.0.9", port: 8787, path: "/ws?a=b", header: "127.255.0.9:8787",
            isLoopback: true),
        Example(text: "ws://[::1]:9?q", host: "::1", port: 9, path: "/?q", header: "[::1]:9", isLoopback: true),
        Example(text: "wss://[2001:db8::1]/", host: "2001:db8::1", port: 443, path: "/", header: "[2001:db8::1]", isLoopback: false),
        Example(text: "ws://128.0.0.1", host: "128.0.0.1", port: 80, path: "/", header: "128.0.0.1", isLoopback: false),
        Example(
            text: "ws://localhost.example.org:443", host: "localhost.example.org", port: 443, path: "/",
            header: "localhost.example.org:443", isLoopback: false),
        Example(text: "ws://127.1", host: "127.1", port: 80, path: "/", header: "127.1", isLoopback: false),
        Example(
            text: "ws://127.0.0.1.example.org", host: "127.0.0.1.example.org", port: 80, path: "/", header: "127.0.0.1.example.org",
            isLoopback: false),
    ])
    func `a URL is taken apart`(_ example: Example) throws {
        let url = try TargetURL(example.text, schemes: ["ws", "wss"], example: "")
        #expect(url.host == example.host)
        #expect(url.port == example.port)
        #expect(url.pathAndQuery == example.path)
        #expect(url.hostHeader == example.header)
        #expect(url.isLoopback == example.isLoopback)
    }
}
