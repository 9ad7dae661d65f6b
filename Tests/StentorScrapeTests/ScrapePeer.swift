import StentorBase
import StentorLoop
import StentorMetrics
import TestSupport

@testable import StentorScrape

/// A scraper on the wire: sends what it is told, and notes what comes.
final class ScrapePeer: StreamHandler {
    private(set) var bytes: [UInt8] = []
    private(set) var hasEnded = false
    private let loop: EventLoop
    private let stream: ByteStream
    private var condition: (() -> Bool)?
    private var promise: LoopPromise<Bool>?

    /// An answer, cut into its parts.
    struct Answer {
        let status: Int
        let fields: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    init(_ loop: EventLoop, _ server: ScrapeServer) async throws {
        self.loop = loop
        let port = UInt16(server.url.split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0
        stream = try await Dial(
            loop: loop, resolver: Resolver(), target: DialTarget(host: "127.0.0.1", port: port, tls: nil, serverName: "")
        ).connect(until: .now() + .seconds(30))
        try stream.attach(self)
    }

    func send(_ text: String) { stream.write(Array(text.utf8)) }
    func close() { stream.close() }
    /// Forgets what came, before the next answer.
    func forget() { bytes = [] }

    /// Asks and waits for the whole answer.
    func ask(_ line: String = "GET /metrics HTTP/1.1", _ fields: String...) async throws -> Answer {
        bytes = []
        send(([line, "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
        return try await answer(hasBody: !line.hasPrefix("HEAD"))
    }

    /// Waits for a whole answer.
    func answer(hasBody: Bool = true) async throws -> Answer {
        var found: Answer?
        guard
            await wait({ [unowned self] in
                found = parsed(hasBody: hasBody)
                return found != nil
            }), let found
        else { throw ChildFailure("no answer: \(String(decoding: bytes, as: UTF8.self).prefix(300))") }
        return found
    }

    /// Waits for the end of the connection.
    func awaitEnd() async -> Bool { await wait { [unowned self] in hasEnded } }

    private func parsed(hasBody: Bool) -> Answer? {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: separator) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let pairs = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
        let fields = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0].lowercased(), String($0[1].drop { $0 == " " })) })
        let length = Int(fields["content-length"] ?? "") ?? 0
        let body = Array(bytes[end.upperBound...])
        guard body.count >= (hasBody ? length : 0), let status = lines.first?.split(separator: " ").dropFirst().first else { return nil }
        return Answer(status: Int(status) ?? 0, fields: fields, body: body)
    }

    private func wait(_ condition: @escaping () -> Bool) async -> Bool {
        if condition() { return true }
        let promise = LoopPromise<Bool>(loop)
        (self.condition, self.promise) = (condition, promise)
        return await promise.value(until: .now() + .seconds(60)) ?? false
    }

    private func check() {
        guard let condition, condition() else { return }
        self.condition = nil
        promise?.fulfil(true)
    }

    func streamReceived(_ received: UnsafeMutableRawBufferPointer) {
        bytes += received
        check()
    }
    func streamWrote(_ mark: UInt64) {}
    func streamEnded(_ end: StreamEnd) {
        hasEnded = true
        check()
    }
}

/// Runs a body with a server on a free port, on the loop of the peers.
func withServer<Result: Sendable>(_ body: @escaping @Sendable (EventLoop, ScrapeServer) async throws -> Result) async throws -> Result {
    try await onLoop { loop in
        let server = try await ScrapeServer.start(host: "127.0.0.1", port: 0, labels: [("profile", "p"), ("site", "a\"b")])
        defer { server.stop() }
        return try await body(loop, server)
    }
}

/// A snapshot of so many texts.
func snapshot(sent: Int) -> RunSnapshot {
    let shard = MetricShard()
    shard.count(.messagesSent, by: sent)
    var delta = ShardDelta()
    shard.drain(into: &delta)
    var totals = Totals()
    totals.add(delta)
    totals.endSecond()
    let identity = RunIdentity(runID: "r", profile: "p", version: "0", dialect: "hermes", targetHost: "h", startedAtSeconds: 0)
    return RunSnapshot(identity: identity, elapsedSeconds: 1, phase: .steady, totals: totals)
}
