import StentorBase
import StentorWire

extension Profile.Target {
    init?(fields: Fields) {
        let url = fields.required("url", .endpoint)
        let dialects = fields.decoding.options.dialects
        let dialect = fields.value("dialect", default: dialects.shapes[0].name, .dialect(of: dialects))
        let token = Profile.Token(fields: fields)
        let tls = Profile.TLS.read(in: fields, isSecure: url?.isSecure == true)
        let headers = Self.headers(in: fields)
        let connectWithin = fields.value("connect_within", default: "10s", .duration)
        let readyWithin = fields.value("ready_within", default: "10s", .duration)
        let addresses = Self.sourceAddresses(in: fields)
        let allowsHost = fields.value("allow_host", default: "false", .boolean)
        let gateway = Self.gateway(in: fields)
        let limit = fields.value("message_limit", default: "16MiB", .byteCount("1KiB", "256MiB"))
        if let url { Self.check(url, allowsHost: allowsHost ?? true, in: fields) }
        guard let url, let dialect, let tls, let connectWithin, let readyWithin, let allowsHost, let limit else { return nil }
        endpoint = url
        (self.dialect, self.token, self.tls, self.headers) = (dialect.name, token, tls, headers)
        (self.connectWithin, self.readyWithin, sourceAddresses) = (connectWithin, readyWithin, addresses)
        (self.allowsHost, self.gateway, messageLimitBytes) = (allowsHost, gateway, limit)
    }

    private static func check(_ endpoint: Profile.Endpoint, allowsHost: Bool, in fields: Fields) {
        switch endpoint {
        case .embedded:
            if fields.has("tls") { fields.fault("'tls' needs a wss:// target", at: "tls", hint: "the embedded gateway speaks ws://") }
        case .url(let url):
            if fields.has("gateway") {
                fields.fault("'gateway' needs 'url: embedded'", at: "gateway", hint: "its options are those of the embedded gateway")
            }
            if fields.has("tls"), !url.isSecure { fields.fault("'tls' needs a wss:// target", at: "tls", hint: "the URL is ws://") }
            let isAllowed = fields.decoding.options.allowedHosts.contains { $0.lowercased().trimmingBrackets == url.host }
            if !url.isLoopback, !allowsHost, !isAllowed {
                fields.fault(
                    "host '\(url.host)' is not loopback, and a load test of it is not allowed", at: "url",
                    hint: "set 'target.allow_host: true' or pass '--allow-host \(url.host)'")
            }
        }
    }

    private static func headers(in fields: Fields) -> [Profile.Header] {
        var lines: [String: String] = [:]
        return fields.names("headers").compactMap { pair in
            let decoding = fields.decoding
            let refusal = headerRefusal(pair.key, twin: lines.updateValue(pair.key, forKey: pair.key.lowercased()))
            if let refusal { decoding.faults.add(refusal.message, at: pair.keyMark, hint: refusal.hint) }
            let isSecret = pair.value.scalar?.usesEnvironment == true || isCredential(pair.key)
            let reader = isSecret ? Reader<String>.secretText : .text
            let value = decoding.read(pair.value, at: fields.path + [.key("headers"), .key(pair.key)], reader)
            guard refusal == nil, let value else { return nil }
            return Profile.Header(name: pair.key, value: Secret(value))
        }
    }

    private static func headerRefusal(_ name: String, twin: String?) -> Complaint? {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)  // RFC 9110 § 5.6.2
        let isToken = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: marks.contains(byte)
            }
        }
        guard isToken, !name.isEmpty else { return Complaint("'\(shortened(name))' is no header name") }
        let lower = name.lowercased()
        guard !["host", "upgrade", "connection", "content-length", "transfer-encoding"].contains(lower), !lower.hasPrefix("sec-websocket-")
        else { return Complaint("header '\(name)' belongs to the WebSocket handshake", hint: "remove it") }
        guard twin == nil else { return Complaint("header '\(name)' is given twice", hint: "header names ignore case") }
        return nil
    }

    private static func sourceAddresses(in fields: Fields) -> [String] {
        var seen: Set<String> = []
        return fields.list("source_addresses").compactMap { entry in
            guard let address = fields.decoding.read(entry.node, at: entry.path, .ipAddress) else { return nil }
            guard seen.insert(address).inserted else {
                fields.decoding.faults.add("address '\(address)' is given twice", at: entry.node.mark)
                return nil
            }
            return address
        }
    }

    private static func gateway(in fields: Fields) -> [Profile.GatewayOption] {
        fields.names("gateway").compactMap { pair in
            let decoding = fields.decoding
            let isName = pair.key.utf8.first.map { (0x61...0x7A).contains($0) } == true
            guard isName, pair.key.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") })
            else {
                decoding.faults.add(
                    "'\(shortened(pair.key))' is no option of the gateway", at: pair.keyMark,
                    hint: "option names are lower case with underscores, as in reply_delay")
                return nil
            }
            // A token here is the one that the gateway asks for.
            let path = fields.path + [.key("gateway"), .key(pair.key)]
            let reader = isCredential(pair.key) ? Reader<String>.secretText : .anyText
            let value = decoding.read(pair.value, at: path, reader)
            return value.map { Profile.GatewayOption(name: pair.key, value: $0, place: pair.value.mark.place(in: decoding.faults.file)) }
        }
    }
}

extension Profile.Token {
    fileprivate init(fields: Fields) {
        let text = fields.optional("token", .secret)
        let file = fields.optional("token_file", .path(in: fields.decoding))
        let table = fields.optional("tokens_file", .path(in: fields.decoding))
        let given = ["token", "token_file", "tokens_file"].filter(fields.has)
        for extra in given.dropFirst() {
            fields.fault("'\(given[0])' and '\(extra)' exclude each other", at: extra, hint: "keep one of them")
        }
        self = text.map { .text($0) } ?? file.map { .file($0) } ?? table.map { .tableFile($0) } ?? .none
    }
}

extension Profile.Endpoint {
    fileprivate var isSecure: Bool {
        if case .url(let url) = self { url.isSecure } else { false }
    }
}

extension Profile.TLS {
    // Defaults of what is not used must not show in a resolved profile, which could not be decoded again.
    fileprivate static func read(in fields: Fields, isSecure: Bool) -> Profile.TLS? {
        guard let section = fields.section("tls", orEmpty: isSecure) else {
            return Profile.TLS(caFile: nil, serverName: nil, isInsecure: false)
        }
        return Profile.TLS(fields: section)
    }

    private init?(fields: Fields) {
        caFile = fields.optional("ca_file", .path(in: fields.decoding))
        serverName = fields.optional("server_name", .text)
        guard let isInsecure = fields.value("insecure", default: "false", .boolean) else { return nil }
        self.isInsecure = isInsecure
    }
}

extension Reader where Value == Profile.Endpoint {
    fileprivate static var endpoint: Reader<Profile.Endpoint> {
        let reader = Reader<String>.text.then { text, _ throws(Complaint) -> Profile.Endpoint in
            if text == "embedded" { return .embedded }
            return .url(try TargetURL.read(text, schemes: [.ws, .wss], example: "wss://gateway.example/ws, or embedded"))
        }
        return reader.displayed(withoutQuerySecrets)
    }

    // Hermes takes its token as a query item, so someone will write one into the URL.
    private static func withoutQuerySecrets(_ scalar: YAMLScalar) -> String {
        guard let mark = scalar.text.firstIndex(of: "?") else { return scalar.text }
        guard scalar.usesEnvironment || isCredential(String(scalar.text[mark...])) else { return scalar.text }
        return scalar.text[...mark] + "[redacted]"
    }
}

/// Whether a name is that of something which must not be seen.
private func isCredential(_ name: String) -> Bool {
    let lower = name.lowercased()
    return ["auth", "cookie", "token", "key", "secret", "password"].contains { lower.contains($0) }
}

extension String {
    /// The host of `[::1]` and the like.
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}

extension Reader where Value == String {
    /// A path, relative to the profile's folder.
    static func path(in decoding: Decoding) -> Reader<String> {
        text.then { text, _ throws(Complaint) in decoding.resolvedPath(text) }
    }

    fileprivate static var ipAddress: Reader<String> {
        anyText.then { text, scalar throws(Complaint) in
            guard IPAddress(text) != nil else { throw Complaint("\(scalar.shown) is no IP address", hint: "for instance 127.0.0.2") }
            return text
        }
    }

    /// The text of any single value, whatever type YAML sees in it.
    fileprivate static var anyText: Reader<String> {
        Reader { scalar throws(Complaint) in
            try Reader<String>.text.read(YAMLScalar(text: scalar.text, written: scalar.written, isPlain: scalar.isNothing))
        }
    }
}
