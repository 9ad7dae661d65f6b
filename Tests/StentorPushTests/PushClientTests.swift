import Foundation
import StentorBase
import TestSupport
import Testing

@testable import StentorPush

struct PushClientTests {
    private func client(_ server: TinyServer, _ change: (String) throws -> PushTarget) throws -> PushClient {
        let client = try PushClient(try change(server.url))
        try client.start()
        return client
    }

    private func client(_ server: TinyServer) throws -> PushClient {
        try client(server) { try PushTarget(url: $0, job: "stentor") }
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `a push is a PUT of the whole set to the group, and nothing else in the head`() throws {
        let server = TinyServer(.status(200))
        defer { server.stop() }
        let client = try client(server) { try PushTarget(url: $0 + "/prefix/", job: "a/b", labels: [GroupingLabel("x", "y z")]) }
        client.offer(bytes("m 1\n"))
        #expect(server.awaitRequest())
        let summary = client.finish(body: bytes("m 2\n"), within: .seconds(10))
        #expect(summary == PushSummary(attempts: 2, succeeded: 2, failed: 0, lastStatus: 200, finishSucceeded: true))
        #expect(server.requests.map(\.body) == ["m 1\n", "m 2\n"])
        #expect(server.requests.map(\.method) == ["PUT", "PUT"])
        let first = try #require(server.requests.first)
        #expect(first.path == "/prefix/metrics/job@base64/YS9i/x/y%20z")
        #expect(first.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(Set(first.headers.keys) == ["host", "user-agent", "accept", "content-type", "content-length"])
    }

    @Test func `a set of several megabytes arrives whole`() throws {
        let server = TinyServer(.status(200))
        defer { server.stop() }
        let body = String(repeating: "stentor_messages_sent_total 1\n", count: 100_000)
        let client = try client(server)
        #expect(client.finish(body: bytes(body), within: .seconds(20)).finishSucceeded)
        #expect(server.requests.first?.body == body)
    }

    @Test func `only the newest of the waiting sets is sent`() throws {
        let server = TinyServer(.held(200), .status(200))
        defer { server.stop() }
        let client = try client(server)
        client.offer(bytes("a\n"))
        #expect(server.awaitRequest())
        for text in ["b\n", "c\n", "d\n"] { client.offer(bytes(text)) }
        server.release()
        #expect(server.awaitRequest())
        client.finish(body: bytes("end\n"), within: .seconds(10))
        #expect(server.requests.map(\.body) == ["a\n", "d\n", "end\n"])
    }

    @Test(arguments: [TinyServer.Answer.silence, .dribble])
    func `a gateway that hangs costs the caller nothing, and the end is bounded`(answer: TinyServer.Answer) throws {
        let server = TinyServer(answer)
        defer { server.stop() }
        let client = try client(server) { try PushTarget(url: $0, job: "s", requestTimeout: .seconds(600)) }
        client.offer(bytes("a\n"))
        #expect(server.awaitRequest())
        let start = Instant.now()
        for _ in 0..<1000 { client.offer(bytes("b\n")) }
        let summary = client.finish(body: bytes("end\n"), within: .milliseconds(400))
        #expect(Instant.now() - start < .seconds(10))
        #expect(summary.attempts == 2 && summary.failed == 2 && !summary.finishSucceeded)
        #expect(server.awaitDeparture() && server.awaitDeparture())
        #expect(server.requests.map(\.body) == ["a\n", "end\n"])
    }

    @Test func `a request that takes too long fails and says so`() throws {
        let server = TinyServer(.silence)
        defer { server.stop() }
        let client = try client(server) { try PushTarget(url: $0, job: "s", requestTimeout: .milliseconds(50)) }
        let summary = client.finish(body: bytes("a\n"), within: .milliseconds(300))
        #expect(summary.lastError?.contains("timed out") == true, "\(summary)")
        #expect(summary.lastStatus == nil)
    }

    @Test(
        arguments: [
            (TinyServer.Answer.status(400, body: "pushed metrics are\ninvalid\u{1B}[0m\n"), "HTTP 400: pushed metrics are invalid [0m"),
            (.status(401), "HTTP 401"), (.status(307, headers: ["Location: /elsewhere"]), "HTTP 307 (redirects are not followed)"),
        ])
    func `a refusal is told in one line and not repeated`(answer: TinyServer.Answer, error: String) throws {
        let server = TinyServer(answer)
        defer { server.stop() }
        let client = try client(server)
        let summary = client.finish(body: bytes("a\n"), within: .seconds(10))
        #expect(summary.lastError == error)
        #expect(summary.attempts == 1 && summary.failed == 1)
        #expect(server.requests.count == 1)
    }

    @Test func `a failure of the gateway is retried, and stays in the summary after the success`() throws {
        let server = TinyServer(.status(503, body: "busy"), .status(200))
        defer { server.stop() }
        let client = try client(server)
        client.offer(bytes("a\n"))
        #expect(server.awaitRequest() && server.awaitRequest())
        let summary = client.finish(body: bytes("b\n"), within: .seconds(10))
        #expect(server.requests.map(\.body) == ["a\n", "a\n", "b\n"])
        #expect(
            summary
                == PushSummary(attempts: 3, succeeded: 2, failed: 1, lastError: "HTTP 503: busy", lastStatus: 200, finishSucceeded: true))
    }

    @Test func `while it fails, the summary has the failures in a row and the wait`() throws {
        let server = TinyServer(.status(503, body: "busy"))
        defer { server.stop() }
        let client = try client(server)
        client.offer(bytes("a\n"))
        #expect(server.awaitRequest() && server.awaitRequest())
        // The second request began after the first had failed.
        let summary = client.summary
        #expect(summary.failedInARow >= 1 && summary.failedInARow == summary.failed && (summary.backOff ?? .zero) >= .milliseconds(250))
        let end = client.finish(body: bytes("b\n"), within: .milliseconds(50))
        #expect(end.failedInARow == end.failed && !end.finishSucceeded)
    }

    @Test func `nobody listening is a failure like any other`() throws {
        let server = TinyServer(.status(200))
        server.stop()
        let client = try client(server)
        let summary = client.finish(body: bytes("a\n"), within: .milliseconds(50))
        #expect(summary.failed == summary.attempts && summary.attempts >= 1)
        #expect(summary.lastError?.contains("onnect") == true, "\(summary)")
    }

    // RFC 7617 § 2 and RFC 6750 § 2.1.
    @Test(
        arguments: [
            (PushTarget.Credentials.basic(user: "Aladdin", password: Secret("open sesame")), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.bearer(Secret("mF_9.B5f-4.1JqM")), "Bearer mF_9.B5f-4.1JqM"),
        ])
    func `credentials go on the wire and in no message, also when the gateway repeats them`(
        credentials: PushTarget.Credentials, header: String
    ) throws {
        let server = TinyServer(.echoAuthorization)
        defer { server.stop() }
        let client = try client(server) { try PushTarget(url: $0, job: "s", credentials: credentials) }
        let summary = client.finish(body: bytes("a\n"), within: .seconds(10))
        #expect(server.requests.first?.headers["authorization"] == header)
        #expect(summary.lastError == "HTTP 400: bad header: \(header.prefix { $0 != " " }) [redacted]")
    }

    @Test func `the group is deleted at the end where the target says so`() throws {
        let server = TinyServer(.status(200), .status(202))
        defer { server.stop() }
        let client = try client(server) { try PushTarget(url: $0, job: "s", onFinish: .delete) }
        client.offer(bytes("a\n"))
        #expect(server.awaitRequest())
        let summary = client.finish(body: bytes("end\n"), within: .seconds(10))
        #expect(summary.finishSucceeded && summary.lastStatus == 202)
        #expect(server.requests.map(\.method) == ["PUT", "DELETE"])
        #expect(server.requests.map(\.body) == ["a\n", ""])
        #expect(server.requests.last?.path == "/metrics/job/s")
    }

    @Test func `a client that is dropped leaves its request`() throws {
        let server = TinyServer(.silence)
        defer { server.stop() }
        do {
            let client = try client(server) { try PushTarget(url: $0, job: "s", requestTimeout: .seconds(600)) }
            client.offer(bytes("a\n"))
            #expect(server.awaitRequest())
        }
        #expect(server.awaitDeparture())
        #expect(server.requests.count == 1)
    }

    @Test func `a client that never started ends with zeros, and a second end changes nothing`() throws {
        let server = TinyServer(.status(200))
        defer { server.stop() }
        let idle = try PushClient(try PushTarget(url: server.url, job: "s"))
        #expect(idle.finish(body: [], within: .seconds(600)) == PushSummary())
        let client = try client(server)
        let summary = client.finish(body: bytes("a\n"), within: .seconds(10))
        #expect(client.finish(body: bytes("b\n"), within: .seconds(10)) == summary)
        #expect(server.requests.count == 1)
    }

    @Test func `proxies of the environment are ignored unless asked for`() async {
        await #expect(processExitsWith: .success) {
            let (gateway, proxy) = (TinyServer(.status(200)), TinyServer(.status(200)))
            setenv("http_proxy", proxy.url, 1)
            setenv("all_proxy", proxy.url, 1)
            for isAsked in [false, true] {
                let target = try PushTarget(url: gateway.url, job: "s", usesEnvironmentProxy: isAsked)
                let client = try PushClient(target)
                try client.start()
                precondition(client.finish(body: [UInt8](), within: .seconds(10)).finishSucceeded)
            }
            precondition(gateway.requests.count == 1 && proxy.requests.count == 1)
            precondition(proxy.requests[0].path == gateway.url + "/metrics/job/s")
        }
    }
}

extension PushSummary {
    init(attempts: Int, succeeded: Int, failed: Int, lastError: String? = nil, lastStatus: Int?, finishSucceeded: Bool) {
        self.init()
        (self.attempts, self.succeeded, self.failed) = (attempts, succeeded, failed)
        (self.lastError, self.lastStatus, self.finishSucceeded) = (lastError, lastStatus, finishSucceeded)
    }
}
