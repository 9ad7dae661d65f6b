import StentorBase
import StentorWire

/// What a machine wants done, in order; ranges lie in ``GatewayOutput/bytes``.
enum GatewayAction: Equatable {
    /// Send one message of a kind; nil: of the kind that the gateway always sends.
    case send(socket: Int, Range<Int>, kind: MessageKind? = nil)
    /// Send one message made of three pieces: bytes, a range of the shared base64 of the photos, bytes.
    case sendPhotoPart(socket: Int, head: Range<Int>, shared: Range<Int>, tail: Range<Int>)
    /// Send a WebSocket ping.
    case ping(socket: Int)
    /// Send a close frame; the peer's frames are still welcome.
    case close(socket: Int, code: UInt16, reason: String)
    /// Cut the connection with an RST.
    case reset(socket: Int)
    /// Neither read nor write any more, but keep the connection.
    case silence(socket: Int)
    /// Call `socketDue` at this instant or earlier.
    case wakeSocket(Int, Instant)
    /// Call `deviceDue` at this instant or earlier.
    case wakeDevice(Int, Instant)
    /// Show a line to the user.
    case report(String)
}

/// The answers of a machine to one event, in buffers that are used again.
struct GatewayOutput {
    /// The payloads of the messages to send.
    private(set) var bytes: [UInt8] = []
    /// What to do, in order.
    private(set) var actions: [GatewayAction] = []
    private let escapesSlashes: Bool

    /// Above this the buffer's memory is not kept.
    private static let keptBytes = 1 << 20

    /// Makes an empty output.
    init(escapesSlashes: Bool) {
        self.escapesSlashes = escapesSlashes
    }

    /// Asks for something.
    mutating func add(_ action: GatewayAction) {
        actions.append(action)
    }

    /// Forgets what was done.
    mutating func removeAll() {
        actions.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
    }

    // MARK: JSON

    /// Begins a frame of type `t` and gives its start.
    mutating func begin(_ t: StaticString) -> Int {
        let start = bytes.count
        append("{\"t\":\"")
        append(t)
        append("\"")
        return start
    }

    /// Ends the frame that began at `start` and gives its range.
    mutating func end(_ start: Int) -> Range<Int> {
        append("}")
        return start..<bytes.count
    }

    /// Adds a text member.
    mutating func member(_ key: StaticString, _ value: UnsafeRawBufferPointer) {
        open(key)
        quote(value)
    }

    /// Adds a text member.
    mutating func member(_ key: StaticString, _ value: String) {
        open(key)
        var value = value
        value.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
    }

    /// Adds an id.
    mutating func member(_ key: StaticString, _ id: UUIDBits) {
        open(key)
        append("\"")
        id.append(to: &bytes)
        append("\"")
    }

    /// Adds a whole number.
    mutating func member(_ key: StaticString, _ value: Int) {
        open(key)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Adds a truth value.
    mutating func member(_ key: StaticString, _ value: Bool) {
        open(key)
        append(value ? "true" : "false")
    }

    /// Adds a comma, a key and a colon; the value must follow.
    mutating func open(_ key: StaticString) {
        append(",\"")
        append(key)
        append("\":")
    }

    /// Adds bytes as they are.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Adds bytes as they are.
    mutating func append(_ text: [UInt8]) {
        bytes.append(contentsOf: text)
    }

    /// Adds bytes as they are, but for slashes where those are escaped.
    mutating func append(base64 text: UnsafeRawBufferPointer) {
        guard escapesSlashes else { return bytes.append(contentsOf: text) }
        for byte in text {
            if byte == UInt8(ascii: "/") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
    }

    private mutating func quote(_ text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var from = 0
        for at in 0..<text.count where mustEscape(text[at]) {
            bytes.append(contentsOf: text[from..<at])
            escape(text[at])
            from = at + 1
        }
        bytes.append(contentsOf: text[from...])
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (byte == UInt8(ascii: "/") && escapesSlashes)
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            append(byte < 0x10 ? "u000" : "u001")
            let digit = byte & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        default: bytes.append(byte)
        }
    }
}
