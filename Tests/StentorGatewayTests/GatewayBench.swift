import Foundation
import StentorBase
import StentorWire
import Testing

@testable import StentorGateway

/// The core on a manual clock: plays the driver, and notes what each socket was sent.
final class GatewayBench {
    /// Something the core asked for beside frames.
    enum Deed: Equatable {
        case close(UInt16), reset, silence, ping
    }

    var core: HermesMachine
    private(set) var now = Instant(nanoseconds: 5_000_000_000_000)
    /// Frames per socket, as text.
    private(set) var sent: [Int: [String]] = [:]
    /// When each of them was sent.
    private(set) var times: [Int: [Instant]] = [:]
    private(set) var deeds: [Int: [Deed]] = [:]
    private(set) var reports: [String] = []
    private var socketWakes: [Int: Instant] = [:]
    private var deviceWakes: [Int: Instant] = [:]
    private let token: String

    init(_ options: GatewayOptions = GatewayOptions(), token: String = "t") {
        core = HermesMachine(options)
        self.token = token
    }

    /// Sets options by their names.
    convenience init(_ settings: [String: String]) throws {
        var options = GatewayOptions()
        for (name, value) in settings { try #require(GatewayOption.named(name)).apply(value, to: &options) }
        self.init(options)
    }

    // MARK: What devices do

    /// A socket on which nothing was sent.
    func open(tokens: [String]? = nil) -> Int {
        let socket = core.opened(tokens: tokens ?? [token], at: now)
        sent[socket] = []
        times[socket] = []
        deeds[socket] = []
        perform()
        return socket
    }

    /// A device that said hello.
    func connect(_ name: String = "dev") -> Int {
        let socket = open()
        send(socket, hello(name))
        return socket
    }

    func hello(_ name: String = "dev") -> String {
        #"{"t":"hello","v":1,"token":"\#(token)","device":{"id":"\#(name)","name":"n","platform":"ios","app_version":"1"},"user":{}}"#
    }

    func send(_ socket: Int, _ frame: String, _ kind: MessageKind = .text) {
        Array(frame.utf8).withUnsafeBytes { core.message(socket, kind, $0, at: now) }
        perform()
    }

    /// Sends a frame in pieces of this many bytes, as a long message comes.
    func send(_ socket: Int, _ frame: String, piecesOf size: Int) {
        let bytes = Array(frame.utf8)
        core.messageBegan(socket, .text)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { core.messagePiece(socket, $0) }
        }
        core.messageEnded(socket, at: now)
        perform()
    }

    func say(_ socket: Int, _ text: String) {
        send(socket, #"{"t":"text","id":"\#(newID())","text":"\#(text)"}"#)
    }

    /// The peer's side ends without a close frame.
    func cut(_ socket: Int) {
        core.ended(socket, at: now)
        socketWakes[socket] = nil
        perform()
    }

    private var ids = 0
    func newID() -> String {
        ids += 1
        return "00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + ids).dropFirst())
    }

    // MARK: Time

    /// Lets time pass and wakes the core when it asked for it.
    func advance(_ duration: Duration) {
        let end = now + duration
        while true {
            let socket = socketWakes.min { ($0.value, $0.key) < ($1.value, $1.key) }
            let device = deviceWakes.min { ($0.value, $0.key) < ($1.value, $1.key) }
            guard let next = [socket?.value, device?.value].compactMap(\.self).min(), next <= end else { break }
            now = max(now, next)
            if let socket, socket.value == next {
                socketWakes[socket.key] = nil
                core.socketDue(socket.key, at: now)
            } else if let device {
                deviceWakes[device.key] = nil
                core.deviceDue(device.key, at: now)
            }
            perform()
        }
        now = end
    }

    // MARK: What came

    /// The frames that a socket got, decoded.
    func frames(_ socket: Int, _ t: String? = nil) -> [[String: Any]] {
        (sent[socket] ?? []).compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .filter { t == nil || $0["t"] as? String == t }
    }

    /// The texts of the messages that a socket got.
    func texts(_ socket: Int) -> [String] {
        frames(socket, "message").map { $0["text"] as? String ?? "" }
    }

    /// The frames of turns as letters: T O typing and stop, H S I avatar, M message, E edit, ! final.
    func letters(_ socket: Int) -> String {
        frames(socket).map { frame in
            switch frame["t"] as? String {
            case "typing": return frame["stop"] as? Bool == true ? "O" : "T"
            case "avatar": return ["thinking": "H", "speaking": "S", "idle": "I"][frame["state"] as? String ?? ""] ?? "?"
            case "message": return (frame["edit"] as? Bool == true ? "E" : "M") + (frame["final"] as? Bool == true ? "!" : "")
            default: return ""
            }
        }.joined()
    }

    /// The totals, decoded.
    var totals: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(core.totals().utf8)) as? [String: Any]) ?? [:]
    }

    /// A number in the totals, by its path.
    func total(_ path: String...) -> Int {
        let parent = path.dropLast().reduce(totals) { $0[$1] as? [String: Any] ?? [:] }
        return parent[path.last ?? ""] as? Int ?? 0
    }

    /// The violations counted, each as often as it was.
    var violations: [String] {
        (totals["violations"] as? [String: Int] ?? [:]).flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
    }

    /// Forgets the frames of a socket that came until now.
    func forget(_ socket: Int) {
        sent[socket] = []
        times[socket] = []
    }

    // MARK: The driver's part

    func perform() {
        let bytes = core.output.bytes
        for action in core.output.actions {
            switch action {
            case .send(let socket, let range, _): note(socket, Array(bytes[range]))
            case .sendPhotoPart(let socket, let head, let shared, let tail):
                note(socket, Array(bytes[head]) + core.photoSource.base64[shared] + bytes[tail])
            case .ping(let socket): deeds[socket, default: []].append(.ping)
            case .close(let socket, let code, _): deeds[socket, default: []].append(.close(code))
            case .reset(let socket): deeds[socket, default: []].append(.reset)
            case .silence(let socket): deeds[socket, default: []].append(.silence)
            case .wakeSocket(let socket, let at): socketWakes[socket] = min(at, socketWakes[socket] ?? at)
            case .wakeDevice(let device, let at): deviceWakes[device] = min(at, deviceWakes[device] ?? at)
            case .report(let line): reports.append(line)
            }
        }
        core.output.removeAll()
    }

    private func note(_ socket: Int, _ frame: [UInt8]) {
        sent[socket, default: []].append(String(decoding: frame, as: UTF8.self))
        times[socket, default: []].append(now)
    }
}
