import Foundation
import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

/// A gateway without turns on a manual clock: plays the server, and notes what each socket was sent.
final class ChatBench<Machine: ChatMachine> {
    var core: Machine
    private(set) var now = Instant(nanoseconds: 5_000_000_000_000)
    /// Messages per socket, as text, with their kinds.
    private(set) var sent: [Int: [String]] = [:]
    private(set) var kinds: [Int: [MessageKind]] = [:]
    private(set) var closes: [Int: UInt16] = [:]
    private(set) var resets: Set<Int> = []
    private(set) var pings: [Int: Int] = [:]
    private var wakes: [Int: Instant] = [:]

    /// Sets options by their names; Unix time is 1000 s.
    init(_ settings: [String: String] = [:]) throws {
        var options = GatewayOptions()
        for (name, value) in settings { try #require(GatewayOption.named(name)).apply(value, to: &options) }
        try options.validate()
        core = Machine(options)
        core.began(origin: "", at: now, wallSeconds: 1000)
    }

    func open() -> Int {
        let socket = core.opened(tokens: [], at: now)
        (sent[socket], kinds[socket]) = ([], [])
        perform()
        return socket
    }

    func send(_ socket: Int, _ text: String, _ kind: MessageKind = .text) {
        Array(text.utf8).withUnsafeBytes { core.message(socket, kind, $0, at: now) }
        perform()
    }

    func close(_ socket: Int, _ code: UInt16?) {
        core.closeReceived(socket, code: code, at: now)
        core.ended(socket, at: now)
        wakes[socket] = nil
        perform()
    }

    func cut(_ socket: Int) {
        core.ended(socket, at: now)
        wakes[socket] = nil
        perform()
    }

    func advance(_ duration: Duration) {
        let end = now + duration
        while let next = wakes.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }), next.value <= end {
            now = max(now, next.value)
            wakes[next.key] = nil
            core.socketDue(next.key, at: now)
            perform()
        }
        now = end
    }

    /// A number, or a counter by name, of the totals.
    func total(_ path: String...) throws -> Int {
        var value: Any? = try JSONSerialization.jsonObject(with: Data(core.totals().utf8))
        for key in path { value = (value as? [String: Any])?[key] }
        return value as? Int ?? 0
    }

    func perform() {
        let bytes = core.output.bytes
        for action in core.output.actions {
            switch action {
            case .send(let socket, let range, let kind):
                sent[socket, default: []].append(String(decoding: bytes[range], as: UTF8.self))
                kinds[socket, default: []].append(kind ?? .text)
            case .close(let socket, let code, _): closes[socket] = code
            case .reset(let socket), .silence(let socket): resets.insert(socket)
            case .ping(let socket): pings[socket, default: 0] += 1
            case .wakeSocket(let socket, let at): wakes[socket] = min(at, wakes[socket] ?? at)
            case .wakeDevice, .report, .sendPhotoPart: break
            }
        }
        core.output.removeAll()
    }
}
