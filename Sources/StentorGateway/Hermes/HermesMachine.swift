import StentorBase
import StentorWire

/// The Hermes gateway without its sockets: events and the time go in, actions come out.
///
/// Each connection: `greeting ──hello──▶ (settling) ──ready──▶ ready ──close, end──▶ ended ──▶ free`, and `silent` from anywhere. Sockets and
/// devices are named by index.
struct HermesMachine: GatewayMachine, ~Copyable {
    static let path = "/ws"

    /// How the gateway behaves.
    let options: GatewayOptions
    /// What is to be done.
    var output: GatewayOutput
    /// The content of photos.
    var photoSource: PhotoSource
    /// Where downloads are, for instance `http://127.0.0.1:8787`; set once listening.
    private(set) var origin = ""
    /// When the gateway began; the reply delay grows from there. Set once listening.
    private(set) var startedAt = Instant.distantFuture

    var random: SeededRandom
    var tally = GatewayTally()
    var counts = HermesCounts()
    var sockets: [HermesSocket] = []
    var devices: [HermesDevice] = []
    var downloads = PhotoShelf()

    let boundTokens: [String: Secret]
    /// Devices that were refused for good.
    var refusedNames: Set<String> = []
    var spare = SpareTexts()
    /// Scratch space: the frame being read, its `device` object, decoded data.
    var fields = HermesFields()
    var deviceFields = HermesFields()
    var scratch: [UInt8] = []

    private var freeSockets: [Int] = []
    private var names: [String: Int] = [:]

    /// The most refused names that are remembered.
    static let refusedLimit = 100_000

    /// Makes a gateway that nobody has connected to.
    init(_ options: GatewayOptions) {
        self.options = options
        output = GatewayOutput(escapesSlashes: options.escapeSlashes)
        photoSource = PhotoSource(seed: options.seed)
        random = SeededRandom(seed: options.seed)
        boundTokens = Dictionary(options.bind.map { ($0.id, $0.token) }, uniquingKeysWith: { $1 })
    }

    var photos: PhotoSource? { photoSource }

    func photo(at path: String) -> PhotoSource.Photo? { downloads.photo(at: path) }

    mutating func began(origin: String, at now: Instant, wallSeconds: Double) {
        self.origin = origin
        startedAt = now
    }

    // MARK: Connections

    /// Takes a connection whose upgrade was accepted, and gives its index.
    mutating func opened(tokens: [String], at now: Instant) -> Int {
        tally.connected(at: now)
        let index = freeSockets.popLast() ?? sockets.count
        if index == sockets.count { sockets.append(HermesSocket()) }
        sockets[index] = HermesSocket()
        sockets[index].phase = .greeting
        sockets[index].line = GatewayLine(label: "connection \(tally.connections)", options: options, at: now)
        sockets[index].tokens = tokens
        sockets[index].phaseDeadline = now + options.helloTimeout
        arm(socket: index)
        return index
    }

    /// Notes the peer's close frame; the driver answers it by itself.
    mutating func closeReceived(_ index: Int, code: UInt16?, at now: Instant) {
        guard sockets[index].line.closeReceived(code) else { return }
        leave(index, at: now)
    }

    /// Notes that the peer broke RFC 6455, or sent too long a message; the driver sends the close frame.
    mutating func failed(_ index: Int, _ failure: WebSocketFailure, at now: Instant) {
        if sockets[index].line.failed(failure.closeCode) {
            violation(index, "websocket_\(failure.closeCode)", failure.reason)
        }
        leave(index, at: now)
    }

    /// Notes that a connection is gone, however that came; its index is free from now on.
    mutating func ended(_ index: Int, at now: Instant) {
        let socket = sockets[index]
        guard socket.phase != .free else { preconditionFailure("HermesMachine: end of a free socket") }
        socket.line.countEnd(&tally)
        leave(index, at: now)
        sockets[index] = HermesSocket()
        freeSockets.append(index)
    }

    /// Takes a socket's device off the line: nothing goes out on it any more, and nothing it sends counts.
    mutating func leave(_ index: Int, at now: Instant) {
        let wasReady = sockets[index].phase == .ready
        if sockets[index].phase != .silent { sockets[index].phase = .ended }
        sockets[index].long = nil
        sockets[index].phaseDeadline = .distantFuture
        sockets[index].line.quieten()
        sockets[index].line.goDown(&tally)
        guard wasReady, let device = sockets[index].device else { return }
        if !options.uploadResume {
            device.sending = nil
            for upload in device.uploads where upload.socket == index { drop(upload, of: device, "connection_lost") }
        }
        guard let place = device.sockets.firstIndex(of: index) else { return }
        device.sockets.remove(at: place)
        guard device.sockets.isEmpty else { return }
        device.leftAt = now
        device.promptAt = .distantFuture
        device.photoAt = .distantFuture
    }

    /// Closes a socket unless it is being closed already.
    mutating func close(_ index: Int, _ code: UInt16, _ reason: String) {
        guard sockets[index].line.close(index, code, reason, &output) else { return }
        if sockets[index].phase != .ready { sockets[index].phase = .ended }
        sockets[index].phaseDeadline = .distantFuture
    }

    // MARK: The whole gateway

    /// Ends every connection as a restart does.
    mutating func restart(at now: Instant) {
        for index in sockets.indices where sockets[index].phase != .free && sockets[index].phase != .silent {
            switch options.restartHow {
            case .close:
                close(index, 1001, "restart")
            case .reset:
                output.add(.reset(socket: index))
            case .silence:
                leave(index, at: now)
                sockets[index].phase = .silent
                output.add(.silence(socket: index))
            }
        }
    }

    /// Notes that a restart is over.
    mutating func restarted() {
        tally.restarts += 1
    }

    /// Closes every connection with 1001; those that play dead are reset.
    ///
    /// Replies that are still to come will find no device: they are unsent.
    mutating func stop() {
        for device in devices {
            for turn in device.lane.takePending() where turn.copy == .only || turn.copy == .first { note(.unsent, turn.sequence, device) }
        }
        for index in sockets.indices where sockets[index].phase != .free {
            if sockets[index].phase == .silent { output.add(.reset(socket: index)) } else { close(index, 1001, "") }
        }
    }

    /// The totals as one line of JSON, without an end of line.
    func totals() -> String {
        var json = TotalsWriter()
        json.object { json in
            counts.write(to: &json, devices: devices)
            tally.write(to: &json)
        }
        return json.text
    }

    // MARK: Shared by the parts

    /// Counts a violation, and reports it unless enough of its kind were.
    mutating func violation(_ index: Int, _ kind: String, _ detail: String = "") {
        if let line = tally.violation(kind, device: sockets[index].line.label, detail: detail) { output.add(.report(line)) }
    }

    /// The device of a name, made at its first hello.
    mutating func device(named name: String) -> HermesDevice {
        if let index = names[name] { return devices[index] }
        let device = HermesDevice(name: name, index: devices.count)
        names[name] = device.index
        devices.append(device)
        return device
    }

    /// The device of a name, if it was ever let in.
    func knownDevice(named name: String) -> HermesDevice? {
        names[name].map { devices[$0] }
    }

    /// Sends a frame on each socket of a device; false if none could take it.
    @discardableResult
    mutating func push(_ device: HermesDevice, _ frame: Range<Int>) -> Bool {
        var isTaken = false
        for index in device.sockets where sockets[index].canSend {
            output.add(.send(socket: index, frame))
            isTaken = true
        }
        return isTaken
    }

    /// Whether a device has a socket that can take frames.
    func isThere(_ device: HermesDevice) -> Bool {
        device.sockets.contains { sockets[$0].canSend }
    }
}
