import Foundation
import StentorBase
import StentorLoop
import StentorWire

@testable import StentorGateway

typealias HermesGateway = GatewayServer<HermesMachine>

/// Runs a body on a loop of its own, with a started gateway; gives the body's result and the totals.
func withGateway<Result: Sendable>(
    _ settings: [String: String] = [:], _ body: @escaping @Sendable (EventLoop, HermesGateway) async throws -> Result
) async throws -> (result: Result, totals: String) {
    SignalSource.ignoreBrokenPipes()
    var options = GatewayOptions()
    for (name, value) in settings { try GatewayOption.named(name)?.apply(value, to: &options) }
    let fixed = options
    let loop = try EventLoop(name: "gateway-test")
    loop.start()
    defer {
        loop.stop()
        loop.join()
    }
    return try await withThrowingTaskGroup(of: (Result, String).self) { group in
        group.addTask(executorPreference: loop) {
            let gateway = try HermesGateway(options: fixed, loop: loop)
            try gateway.start()
            let result = try await body(loop, gateway)
            await gateway.stop()
            return (result, gateway.totalsJSON())
        }
        guard let outcome = try await group.next() else { preconditionFailure("a group of one task gave nothing") }
        return outcome
    }
}

/// A client on the wire, built on the other role of the WebSocket machine. Notes all it gets.
final class GatewayPeer: StreamHandler {
    private(set) var status: Int?
    private(set) var body: [UInt8] = []
    private(set) var messages: [String] = []
    private(set) var closeCode: UInt16?
    private(set) var pongs = 0
    private(set) var end: StreamEnd?
    let stream: ByteStream

    private let loop: EventLoop
    private var handshake: Handshake?
    private var wire = WebSocketMachine(role: .client)
    private var partial: [UInt8] = []
    private var condition: (() -> Bool)?
    private var promise: LoopPromise<Bool>?

    private final class Handshake {
        var machine: WebSocketClientHandshake
        init(_ machine: consuming WebSocketClientHandshake) { self.machine = machine }
    }

    init(_ loop: EventLoop, port: UInt16, tls: TLSContext? = nil) async throws {
        self.loop = loop
        let target = DialTarget(host: "127.0.0.1", port: port, tls: tls, serverName: "gw.test")
        stream = try await Dial(loop: loop, resolver: Resolver(), target: target).connect(until: .now() + .seconds(10))
        try stream.attach(self)
    }

    /// Opens the WebSocket; false when the answer was another status than 101.
    func open(_ target: String = "/ws?token=t", piecesOf size: Int = .max) async throws -> Bool {
        let handshake = Handshake(try WebSocketClientHandshake(target: target, host: "gw.test", nonce: [UInt8](repeating: 7, count: 16)))
        self.handshake = handshake
        try await write(handshake.machine.request, piecesOf: size)
        _ = await until { self.status != nil || self.end != nil }
        return status == 101
    }

    /// A device that is ready.
    static func ready(
        _ loop: EventLoop, _ gateway: HermesGateway, _ name: String = "dev", tls: TLSContext? = nil
    ) async throws -> GatewayPeer {
        let peer = try await GatewayPeer(loop, port: gateway.port, tls: tls)
        guard try await peer.open() else { throw SystemFailure("upgrade", code: 71) }
        peer.hello(name)
        guard await peer.until({ peer.messages.contains { $0.hasPrefix(#"{"t":"ready""#) } }) else {
            throw SystemFailure("ready", code: 62)
        }
        return peer
    }

    func hello(_ name: String = "dev") {
        send(#"{"t":"hello","v":1,"token":"t","device":{"id":"\#(name)","name":"n","platform":"p","app_version":"1"},"user":{}}"#)
    }

    func say(_ text: String) {
        send(#"{"t":"text","id":"\#(UUID().uuidString)","text":"\#(text)"}"#)
    }

    func send(_ text: String) {
        frame(.text, Array(text.utf8))
    }

    func frame(_ opcode: WebSocketFrames.Opcode, isFinal: Bool = true, _ payload: [UInt8]) {
        stream.write(WebSocketFrames.frame(opcode, isFinal: isFinal, payload: payload, maskKey: 0x1234_5678))
    }

    func close(_ code: UInt16) {
        frame(.close, WebSocketFrames.closePayload(code: code, reason: ""))
        wire.closeSent(at: loop.now)
    }

    /// Writes in pieces that reach the kernel one by one.
    func write(_ bytes: [UInt8], piecesOf size: Int) async throws {
        for start in stride(from: 0, to: bytes.count, by: min(size, bytes.count)) {
            stream.write(Array(bytes[start..<min(bytes.count, start + min(size, bytes.count))]))
            // A turn of the loop sends each piece; the last needs no such wait.
            if size < bytes.count { await loop.sleep(until: loop.now) }
        }
    }

    /// Waits until the condition holds; false after ten seconds.
    func until(_ condition: @escaping () -> Bool) async -> Bool {
        if condition() { return true }
        let promise = LoopPromise<Bool>(loop)
        self.condition = condition
        self.promise = promise
        return await promise.value(until: .now() + .seconds(10)) ?? false
    }

    // MARK: StreamHandler

    func streamReceived(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        if let handshake {
            switch handshake.machine.next(UnsafeRawBufferPointer(bytes)) {
            case .needBytes: return
            case .upgraded(let consumed):
                status = 101
                offset = consumed
            case .refused(let status, _, let consumed):
                self.status = status
                offset = consumed
            case .failed: stream.close()
            }
            self.handshake = nil
        }
        if status == 101 { readFrames(bytes, &offset) } else { body += bytes[offset...] }
        check()
    }

    private func readFrames(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) {
        while true {
            switch wire.next(in: bytes, from: &offset, at: loop.now) {
            case .needBytes: return
            case .message(_, let range): messages.append(String(decoding: bytes[range], as: UTF8.self))
            case .begin: partial = []
            case .payload(let range): partial += bytes[range]
            case .end: messages.append(String(decoding: partial, as: UTF8.self))
            case .ping: break
            case .pong: pongs += 1
            case .close(let code, _, let mustReply):
                closeCode = code
                if mustReply { close(code ?? 1000) }
                stream.finish()
            case .fail: stream.close()
            }
        }
    }

    func streamWrote(_ mark: UInt64) {}

    func streamEnded(_ end: StreamEnd) {
        self.end = end
        check()
    }

    private func check() {
        if let condition, condition() { promise?.fulfil(true) }
    }
}
