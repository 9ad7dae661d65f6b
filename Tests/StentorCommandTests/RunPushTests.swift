import Foundation
import StentorBase
import StentorLoop
import StentorMetrics
import StentorProfile
import TestSupport
import Testing

@testable import StentorCommand

@Suite struct `The pushes of a run` {
    private static func push(_ url: String, _ more: String) throws -> Profile.Push {
        let text = """
            version: 1
            name: test
            target: {url: "ws://127.0.0.1:1/ws"}
            devices: {count: 1}
            load:
              - {ramp: 1, over: 1s}
            push: {url: "\(url)"\(more.isEmpty ? "" : ", \(more)")}

            """
        let profile = try Profile.decode(Array(text.utf8), file: "p.yaml", options: DecodingOptions())
        return try #require(profile.push)
    }

    private static var snapshot: RunSnapshot {
        let identity = RunIdentity(
            runID: "r", profile: "test", version: "0", dialect: "hermes", targetHost: "h", startedAtSeconds: 0)
        return RunSnapshot(identity: identity, elapsedSeconds: 1, phase: .steady, totals: Totals())
    }

    /// The first lines of the requests that a run with one last push makes.
    private static func requests(
        _ more: String, shard: String = "", labels: [Assignment] = []
    ) async throws -> (lines: [String], succeeded: Bool) {
        try await withPushgateway { port in
            let given = try Self.push("http://127.0.0.1:\(port)/base/", more)
            let push = try RunPush(given, profile: "test", shard: shard, labels: try SeriesLabels(given, labels))
            try push.start()
            return push.finish(snapshot).succeeded
        }
    }

    private static func label(_ text: String) throws -> Assignment { try #require(Assignment(text)) }

    @Test func `go to the group of job and profile`() async throws {
        let (lines, succeeded) = try await Self.requests("")
        #expect(lines == ["PUT /base/metrics/job/stentor/profile/test HTTP/1.1"])
        #expect(succeeded)
    }

    @Test func `take the labels of the group in its order, and no others`() async throws {
        let (lines, _) = try await Self.requests("job: gw, labels: {a: one, b: two, c: three}, group: [c, a]")
        #expect(lines == ["PUT /base/metrics/job/gw/profile/test/c/three/a/one HTTP/1.1"])
    }

    @Test func `let the command line's labels stand over the profile's`() async throws {
        let (lines, _) = try await Self.requests(
            "labels: {server: old, region: eu}, group: [server, region]", labels: [Self.label("server=1.1/2"), Self.label("more=x")])
        // RFC 4648 § 5 of `1.1/2`: a slash cannot stand in a path segment.
        #expect(lines == ["PUT /base/metrics/job/stentor/profile/test/server@base64/MS4xLzI=/region/eu HTTP/1.1"])
    }

    @Test func `delete the group at the end where the profile wants it`() async throws {
        let (lines, succeeded) = try await Self.requests("on_finish: delete")
        #expect(lines == ["DELETE /base/metrics/job/stentor/profile/test HTTP/1.1"])
        #expect(succeeded)
    }

    @Test func `are counted, and a failed last one says why`() async throws {
        let (lines, record) = try await Self.withPushgateway(answer: "400 Bad") { port in
            let given = try Self.push("http://127.0.0.1:\(port)", "required: true")
            let push = try RunPush(given, profile: "test", labels: try SeriesLabels(given, []))
            try push.start()
            let (record, succeeded) = push.finish(Self.snapshot)
            #expect(push.isRequired && !succeeded)
            return record
        }
        #expect(!lines.isEmpty && lines.allSatisfy { $0 == "PUT /metrics/job/stentor/profile/test HTTP/1.1" })
        #expect(record.attempts == lines.count && record.failed == lines.count)
        #expect(record.lastError?.contains("400") == true)
        #expect(record.failedInARow == record.failed && record.lastStatus == 400 && record.end == .failed && record.backOffSeconds == nil)
    }

    @Test func `a shard has a group of its own`() async throws {
        let (lines, _) = try await Self.requests("labels: {a: one}, group: [a]", shard: "1/2")
        // RFC 4648 § 5 of `1/2`.
        #expect(lines == ["PUT /base/metrics/job/stentor/profile/test/shard@base64/MS8y/a/one HTTP/1.1"])
    }

    @Test func `the authorities of a CA file are trusted, and no others`() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/tls").standardized.path
        for (more, isTrusted) in [("ca_file: '\(folder)/ca.pem'", true), ("", false)] {
            let (lines, record) = try await Self.withPushgateway(tls: folder) { port in
                let given = try Self.push("https://127.0.0.1:\(port)", more)
                let push = try RunPush(given, profile: "test", labels: try SeriesLabels(given, []))
                try push.start()
                return push.finish(Self.snapshot).record
            }
            #expect(record.end == (isTrusted ? .kept : .failed), "\(record)")
            #expect(lines.isEmpty != isTrusted)
            if !isTrusted { #expect(record.lastError?.contains("certificate") == true, "\(record)") }
        }
    }

    @Test func `a bearer token comes from its file`() throws {
        let folder = try FreshDirectory()
        let path = try folder.write("  s3cret \n", to: "token")
        let push = try Self.push("http://127.0.0.1:1", "bearer_file: '\(path)'")
        _ = try RunPush(push, profile: "test", labels: try SeriesLabels(push, []))
        let empty = try folder.write("\n", to: "token")
        #expect(throws: UserFailure(.profile, "must hold one line, the token", place: empty)) {
            try RunPush(push, profile: "test", labels: try SeriesLabels(push, []))
        }
    }

    @Test func `labels of the command line are checked where they stand`() throws {
        #expect(
            throws: UserFailure(
                .arguments, "the label 'phase' is one that the numbers have themselves", place: "--label", hint: "choose another name")
        ) { try SeriesLabels(nil, [Self.label("phase=x")]) }
        #expect(
            throws: UserFailure(
                .arguments, "the value of the label 'a' has 10240 bytes", place: "--label", hint: "at most 1024 bytes are allowed")
        ) { try SeriesLabels(nil, [Self.label("a=" + String(repeating: "x", count: 10_240))]) }
        let all = try SeriesLabels(Self.push("http://a", "labels: {a: one, b: two}"), [Self.label("c="), Self.label("a=x\ny")]).all
        #expect(all.map(\.name) == ["a", "b", "c"] && all.map(\.value) == ["x\ny", "two", ""])
    }

    /// Runs a body with a server that gives every request the same answer; gives the requests' first lines too.
    private static func withPushgateway<Result: Sendable>(
        answer: String = "200 OK", tls folder: String? = nil, _ body: (UInt16) throws -> Result
    ) async throws -> ([String], Result) {
        let loop = try EventLoop(name: "push")
        loop.start()
        defer {
            loop.stop()
            loop.join()
        }
        let server = try await Task(executorPreference: loop) {
            let tls = try folder.map { try TLSContext.server(certificateFile: $0 + "/server.pem", keyFile: $0 + "/server.key") }
            return LoopBox(try OneAnswer(loop, answer, tls: tls))
        }.value
        let port = await Task(executorPreference: loop) { server.value.port }.value
        let result = try body(port)
        return (await Task(executorPreference: loop) { server.value.lines }.value, result)
    }
}

/// An HTTP server that gives every request the same answer, then closes.
private final class OneAnswer {
    private var listener: Listener?
    private(set) var lines: [String] = []
    private var connections: [Connection] = []

    init(_ loop: EventLoop, _ answer: String, tls: TLSContext?) throws {
        listener = try Listener(loop: loop, host: "127.0.0.1", port: 0, tls: tls) { [unowned self] stream in
            let connection = Connection(stream) { head in
                self.lines.append(String(head.prefix { $0 != "\r\n" }))
                stream.write(Array("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
                stream.finish()
            }
            connections.append(connection)
            try? stream.attach(connection)
        }
    }

    var port: UInt16 { listener?.port ?? 0 }

    private final class Connection: StreamHandler {
        private var text = ""
        private let whole: (String) -> Void
        private var isAnswered = false

        init(_ stream: ByteStream, _ whole: @escaping (String) -> Void) { self.whole = whole }

        func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
            text += String(decoding: bytes, as: UTF8.self)
            guard !isAnswered, let end = text.range(of: "\r\n\r\n") else { return }
            let lengths = text[..<end.lowerBound].split(separator: "\r\n").compactMap { line -> Int? in
                let field = line.lowercased()
                return field.hasPrefix("content-length:") ? Int(field.dropFirst(15).drop { $0 == " " }) : nil
            }
            guard text[end.upperBound...].utf8.count >= lengths.first ?? 0 else { return }
            isAnswered = true
            whole(text)
        }
        func streamWrote(_ mark: UInt64) {}
        func streamEnded(_ end: StreamEnd) {}
    }
}
