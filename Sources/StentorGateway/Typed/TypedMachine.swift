import StentorBase
import StentorWire

/// The typed gateway without its sockets: `{sender, content}` as JSON in binary messages; it speaks first and answers each with its content.
struct TypedMachine: ChatMachine {
    static let path = "/chat"
    static let leaveCode: UInt16? = 1001

    var core: ChatCore<Bool>
    private var messages = 0
    private var undecodable = 0
    private var senders: [String: SenderTruth] = [:]

    /// The tag of replies that go out as text messages, on purpose.
    private static let textFault = 1

    init(_ options: GatewayOptions) {
        core = ChatCore(options, blank: false)
    }

    mutating func cameUp(_ index: Int, at now: Instant) {
        guard core.options.greet else { return }
        let delay = core.random.duration(in: core.options.greetDelay)
        if delay == .zero { return greet(index) }
        core.sockets[index].deadline = now + delay
    }

    mutating func deadlineCame(_ index: Int, at now: Instant) { greet(index) }

    /// The first message: only it makes a device connected.
    private mutating func greet(_ index: Int) {
        core.sockets[index].extra = true
        core.send(index, Self.message(content: Array("welcome".utf8)), .binary)
    }

    mutating func heard(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant) {
        guard kind == .binary else { return core.violation(index, "text_message", "\(bytes.count) bytes") }
        guard let (sender, content) = read(index, bytes) else { return }
        core.sockets[index].line.label = sender
        if core.options.greet, !core.sockets[index].extra { core.violation(index, "before_first_message") }
        messages += 1
        senders[sender, default: SenderTruth()].heard(content.withUnsafeBytes { TextSigns.firstSequence(in: $0) })
        if core.random.chance(core.options.undecodableRate) {
            undecodable += 1
            core.send(index, [0xFF, UInt8(ascii: "{")], .binary)
        }
        let isFault = core.random.chance(core.options.textFaultRate)
        core.post(index, Self.message(content: content), isFault ? .text : .binary, tag: isFault ? Self.textFault : 0, at: now)
    }

    /// Reads a message; nil when it is none, which is counted.
    private mutating func read(_ index: Int, _ bytes: UnsafeRawBufferPointer) -> (sender: String, content: [UInt8])? {
        var values: [ChatField: JSONValue] = [:]
        var extra: [String] = []
        guard ChatField.read(bytes, known: [.sender, .content], into: &values, extra: &extra) else {
            core.violation(index, "malformed", "\(bytes.count) bytes")
            return nil
        }
        for key in extra { core.violation(index, "field_extra", key) }
        for field in [ChatField.sender, .content] where values[field]?.text == nil {
            core.violation(index, values[field] == nil ? "field_missing" : "field_type", field.rawValue)
            return nil
        }
        guard let sender = values[.sender]?.text, let content = values[.content]?.text else { return nil }
        var text: [UInt8] = []
        content.append(to: &text, in: bytes)
        return (sender.string(in: bytes), text)
    }

    private static func message(content: [UInt8]) -> [UInt8] {
        var output = GatewayOutput(escapesSlashes: false)
        output.append("{\"sender\":\"server\"")
        content.withUnsafeBytes { output.member("content", $0) }
        output.append("}")
        return output.bytes
    }

    func totals() -> String {
        var json = TotalsWriter()
        json.object { json in
            json.member("messages", messages)
            core.write("replies", to: &json)
            json.member("text_faults", core.counts(tag: Self.textFault).sent)
            json.member("undecodable_faults", undecodable)
            json.object("per_sender") { json in
                for (name, sender) in senders.sorted(by: { $0.key < $1.key }) {
                    json.object(name) { json in
                        json.member("messages", sender.messages)
                        sender.writeMarks(to: &json)
                    }
                }
            }
            core.tally.write(to: &json)
        }
        return json.text
    }
}
