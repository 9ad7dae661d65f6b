import StentorBase
import StentorWire

// Upgrade, hello, ready.
extension HermesMachine {
    /// Judges the request to upgrade: its path, its query and, in the HTTP modes, its token.
    mutating func judgeUpgrade(path: String, query: [QueryItem]) -> UpgradeVerdict {
        guard path == Self.path else { return .refuse(status: 404) }
        for item in options.expectQuery where !query.contains(item) {
            if let line = tally.violation("query_item_lost", device: "-", detail: item.key) { output.add(.report(line)) }
        }
        let tokens = query.filter { $0.key == "token" }.map(\.value)
        guard let status = options.refuse.httpStatus, options.refuseAll || !isKnown(tokens.first) else { return .accept(tokens: tokens) }
        counts.refused["http_\(status)", default: 0] += 1
        return .refuse(status: status)
    }

    private func isKnown(_ token: String?) -> Bool {
        guard let token else { return false }
        guard options.token != nil || !boundTokens.isEmpty else { return true }
        return options.token?.reveal() == token || boundTokens.values.contains { $0.reveal() == token }
    }

    // MARK: Hello

    /// Takes the first frame of a connection.
    mutating func greet(_ index: Int, _ type: HermesFrameType?, in bytes: UnsafeRawBufferPointer, at now: Instant) {
        sockets[index].phaseDeadline = .distantFuture
        guard type == .hello else {
            violation(index, "hello_not_first", fields.string(.t, in: bytes) ?? "")
            return close(index, 1008, "hello first")
        }
        counts.hellos += 1
        let name = helloName(in: bytes)
        if let name { sockets[index].line.label = name }
        checkHello(index, in: bytes)
        if let name, refusedNames.contains(name) { violation(index, "reconnect_after_1008") }
        guard isAllowed(index, fields.string(.token, in: bytes), name) else {
            return refuse(index, "auth_failed", "access denied", close: 1008, remember: name)
        }
        guard fields.integer(.v) == 1, let name else {
            let why = name == nil ? "hello_without_id" : "unsupported_version"
            violation(index, why)
            return refuse(index, why, "hello not understood", close: 1008, remember: name)
        }
        if options.maxDevices > 0, tally.up >= options.maxDevices, knownDevice(named: name)?.sockets.isEmpty ?? true {
            return refuse(index, "capacity", "gateway full", close: 1013, remember: nil)
        }
        sockets[index].tokens = []
        sockets[index].device = device(named: name)
        sockets[index].phase = .settling
        let delay = random.duration(in: options.readyDelay)
        if delay == .zero { return becomeReady(index, at: now) }
        sockets[index].phaseDeadline = now + delay
    }

    /// Takes a hello that is not the first.
    mutating func helloAgain(_ index: Int, of device: HermesDevice, in bytes: UnsafeRawBufferPointer) {
        counts.hellos += 1
        let name = helloName(in: bytes)
        checkHello(index, in: bytes)
        if name != device.name { violation(index, "hello_device_changed") }
        if sockets[index].phase == .ready { sayReady(index) }
    }

    /// The id in a hello; nil when it is missing or blank. Reads the `device` object.
    private mutating func helloName(in bytes: UnsafeRawBufferPointer) -> String? {
        guard case .object(let range) = fields[.device], deviceFields.read(bytes, in: range) else { return nil }
        guard let name = deviceFields.string(.id, in: bytes) else { return nil }
        return name.allSatisfy(\.isWhitespace) ? nil : name
    }

    private mutating func checkHello(_ index: Int, in bytes: UnsafeRawBufferPointer) {
        let wrong = fields.check(HermesRule.hello, in: bytes).map { ($0.kind, "hello." + $0.field) }
        for (kind, field) in wrong { violation(index, kind, field) }
        guard fields[.device] != nil else { return }
        // `t` belongs to frames, not to the objects inside them.
        if deviceFields[.t] != nil { violation(index, "field_extra", "device.t") }
        let inner = deviceFields.check(HermesRule.device, in: bytes).map { ($0.kind, "device." + $0.field) }
        for (kind, field) in inner { violation(index, kind, field) }
    }

    /// Judges both tokens; what is reported never holds one.
    private mutating func isAllowed(_ index: Int, _ token: String?, _ name: String?) -> Bool {
        let tokens = sockets[index].tokens
        if tokens.isEmpty { violation(index, "query_token_missing") }
        if tokens.count > 1 { violation(index, "query_token_repeated") }
        let token = token ?? ""
        if token.isEmpty {
            violation(index, "hello_token_missing")
        } else if let first = tokens.first, first != token {
            violation(index, "token_mismatch")
        }
        guard !options.refuseAll, !token.isEmpty, tokens.first == token else { return false }
        if options.token == nil, boundTokens.isEmpty { return true }
        return options.token?.reveal() == token || (name.flatMap { boundTokens[$0] }?.reveal() == token)
    }

    private mutating func refuse(_ index: Int, _ code: String, _ message: String, close closeCode: UInt16, remember name: String?) {
        counts.refused[code, default: 0] += 1
        if let name, refusedNames.count < Self.refusedLimit { refusedNames.insert(name) }
        output.add(.send(socket: index, error(code, message, isFatal: closeCode == 1008)))
        close(index, closeCode, code)
    }

    // MARK: Ready

    /// Makes a socket ready.
    mutating func becomeReady(_ index: Int, at now: Instant) {
        guard let device = sockets[index].device else { preconditionFailure("HermesMachine: ready without a device") }
        if let left = device.leftAt, device.sockets.isEmpty { counts.reconnectGaps.note(now - left) }
        if options.secondSocket == .close {
            for old in device.sockets {
                sockets[old].line.goDown(&tally)
                close(old, 4001, "replaced by a newer connection")
            }
            device.sockets.removeAll(keepingCapacity: true)
        }
        device.sockets.append(index)
        device.connections += 1
        sockets[index].phase = .ready
        sockets[index].line.goUp(options, &random, &tally, at: now)
        sayReady(index)
        resendCards(to: device)
        startPeriods(of: device, at: now)
        settle(device, at: now)
    }

    private mutating func sayReady(_ index: Int) {
        guard sockets[index].canSend else { return }
        let start = output.begin("ready")
        if let avatar = options.avatarURL { output.member("avatar_url", avatar) }
        output.add(.send(socket: index, output.end(start)))
        guard options.extraFrames else { return }
        for t: StaticString in ["catalog", "models"] {
            counts.onPurpose["unknown", default: 0] += 1
            let start = output.begin(t)
            output.append(",\"items\":[{\"id\":\"a\"}]")
            output.add(.send(socket: index, output.end(start)))
        }
    }

    /// Writes an error frame.
    mutating func error(_ code: String, _ message: String, isFatal: Bool) -> Range<Int> {
        let start = output.begin("error")
        output.member("code", code)
        output.member("message", message)
        output.member("fatal", isFatal)
        return output.end(start)
    }
}

extension Refusal {
    /// The status that refuses an upgrade; nil when the upgrade succeeds.
    var httpStatus: Int? {
        switch self {
        case .close1008: nil
        case .http401: 401
        case .http403: 403
        }
    }
}
