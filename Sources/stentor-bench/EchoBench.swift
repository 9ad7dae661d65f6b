import CStentorAlloc
import StentorBase
import StentorClient
import StentorLoop
import StentorMetrics
import StentorWire

/// Echo round trips in a closed loop: each connection has one 150-byte text in flight. Everything a run does is on: fresh masks, UTF-8 checks,
/// strict frames, a latency in the histogram for each.
enum EchoBench {
    struct Result: Sendable {
        var roundTrips = 0
        var cpuNanoseconds: Int64 = 0
        var serverNanoseconds: Int64 = 0
        var p50: Double?
        var p99: Double?
        /// Of the client, over the measured time.
        var allocations: Int64 = 0
        var systemCalls = EventLoop.SystemCalls()
        var bytes = 0

        var microsecondsPerRoundTrip: Double { Double(cpuNanoseconds) / Double(max(1, roundTrips)) / 1000 }
        var serverMicroseconds: Double { Double(serverNanoseconds) / Double(max(1, roundTrips)) / 1000 }
    }

    static let payloadBytes = 150

    static func run(_ server: BenchServer, connections: Int, seconds: Double, on control: EventLoop) async throws -> Result {
        let url = server.url
        let loop = try EventLoop(name: "devices-0")
        loop.start()
        let processID = server.processID
        let result = try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask(executorPreference: loop) { try await drive(url, processID, connections, seconds, loop) }
            guard let result = try await group.next() else { preconditionFailure("EchoBench: no result") }
            return result
        }
        loop.stop()
        loop.join()
        return result
    }

    private static func drive(
        _ url: TargetURL, _ server: Int32, _ connections: Int, _ seconds: Double, _ loop: EventLoop
    ) async throws -> Result {
        let context = ClientContext(loop: loop, resolver: Resolver())
        let shared = EchoShared()
        let request = WebSocketConnection.Request(
            target: DialTarget(host: url.host, port: url.port), path: url.target, host: url.hostHeader, headers: [])
        var devices: [EchoDevice] = []
        for index in 0..<connections {
            let device = EchoDevice(shared, loop)
            try await WebSocketConnection(context: context, handler: device).open(request, index: index, until: .now() + .seconds(10))
            devices.append(device)
        }
        for device in devices { device.send() }
        await loop.sleep(until: .now() + .seconds(0.5))
        let (begin, cpu, serverCPU) = (shared.roundTrips, ProcessFacts.ownCPU(), ProcessFacts.cpu(of: server))
        let (traffic, calls, allocations) = (context.traffic, loop.systemCalls, stentor_allocation_count())
        shared.latencies = Histogram()
        await loop.sleep(until: .now() + .seconds(seconds))
        var result = Result(roundTrips: shared.roundTrips - begin, cpuNanoseconds: ProcessFacts.ownCPU() - cpu)
        result.allocations = stentor_allocation_count() - allocations
        result.systemCalls.waits = loop.systemCalls.waits - calls.waits
        result.systemCalls.receives = loop.systemCalls.receives - calls.receives
        result.systemCalls.sends = loop.systemCalls.sends - calls.sends
        result.bytes = context.traffic.bytesSent + context.traffic.bytesReceived - traffic.bytesSent - traffic.bytesReceived
        result.serverNanoseconds = ProcessFacts.cpu(of: server) - serverCPU
        result.p50 = shared.latencies.percentile(.p50).map { Double($0) / 1e9 }
        result.p99 = shared.latencies.percentile(.p99).map { Double($0) / 1e9 }
        for device in devices { device.stop() }
        return result
    }
}

private final class EchoShared {
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: EchoBench.payloadBytes)
    var roundTrips = 0
    var latencies = Histogram()
}

private final class EchoDevice: ConnectionHandler {
    private let shared: EchoShared
    private let loop: EventLoop
    private var connection: WebSocketConnection?
    private var sentAt = Instant.distantPast

    init(_ shared: EchoShared, _ loop: EventLoop) {
        self.shared = shared
        self.loop = loop
    }

    func send() {
        sentAt = .now()
        connection?.send(.text, shared.text)
    }

    func stop() { connection?.abandon() }

    func connectionOpened(_ connection: WebSocketConnection) { self.connection = connection }

    func messageReceived(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == EchoBench.payloadBytes else { return }
        shared.roundTrips += 1
        shared.latencies.record(UInt64(max(0, loop.now.nanoseconds(since: sentAt))))
        send()
    }

    func messageBegan(_ kind: MessageKind) {}
    func messagePieceReceived(_ bytes: UnsafeRawBufferPointer) {}
    func messageEnded() {}
    func pongReceived(_ payload: [UInt8]) {}
    func sent(mark: UInt64) {}
    func connectionEnded(_ end: ConnectionEnd) { connection = nil }
}
