import StentorBase
import StentorWire

/// The echo gateway without its sockets: sends back what it gets, after an optional `Request served by HOST`.
struct EchoMachine: ChatMachine {
    static let path = "/"
    static let leaveCode: UInt16? = 1000

    var core: ChatCore<Void>
    private var texts = 0
    private var binaries = 0
    private var bytesHeard = 0
    private var marked = 0

    init(_ options: GatewayOptions) {
        core = ChatCore(options, blank: ())
    }

    mutating func cameUp(_ index: Int, at now: Instant) {
        if core.options.greeting { core.send(index, Array("Request served by \(core.options.host)".utf8), .text) }
    }

    mutating func heard(_ index: Int, _ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, at now: Instant) {
        switch kind {
        case .text:
            texts += 1
            if TextSigns.firstSequence(in: bytes) != nil { marked += 1 }
        case .binary:
            binaries += 1
            if !core.options.binary { core.violation(index, "binary_message", "\(bytes.count) bytes") }
        }
        bytesHeard += bytes.count
        core.post(index, Array(bytes), kind, at: now)
    }

    func totals() -> String {
        var json = TotalsWriter()
        json.object { json in
            json.member("texts", texts)
            json.member("binary", binaries)
            json.member("bytes", bytesHeard)
            json.member("marked", marked)
            core.write("replies", to: &json)
            core.tally.write(to: &json)
        }
        return json.text
    }
}
