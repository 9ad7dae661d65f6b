import StentorBase

extension GatewayOption {
    /// Every option of the simulated Hermes gateway, in the order of its help.
    static let hermes: [GatewayOption] = life + connecting + replies + faults + soak + prompts + files

    private static let life: [GatewayOption] = [
        GatewayOption(name: "listen", kind: .value(placeholder: "HOST:PORT"), help: "where to listen; port 0 is free choice") {
            (text, options) throws(UserFailure) in
            guard let (host, port) = address(text) else {
                throw failure("listen", text, "an address such as 127.0.0.1:8787 or [::1]:0")
            }
            options.host = host
            options.port = port
        },
        period("life", \.life, "ends by itself after this; without it, at a signal"),
        row("seed", "N", "a whole number from 0", "seeds every random choice", \.seed) { UInt64($0) },
        text("tls-certificate", "FILE", \.tlsCertificate, "PEM certificate chain: listens with TLS"),
        text("tls-key", "FILE", \.tlsKey, "PEM private key of the certificate"),
    ]

    private static let connecting: [GatewayOption] = [
        GatewayOption(name: "token", kind: .value(placeholder: "TOKEN"), help: "shared token; none: any that query and hello agree on") {
            (text, options) throws(UserFailure) in
            guard !text.isEmpty else { throw UserFailure(.arguments, "the token is empty", place: "--token") }
            options.token = Secret(text)
        },
        pairs("bind", "ID=TOKEN", "a token for one device id only") { $0.bind.append(BoundToken(id: $1, token: Secret($2))) },
        choice("refuse", \.refuse, "how a bad token is refused: close code or HTTP status"),
        flag("refuse-all", \.refuseAll, "every token is bad"),
        pairs("expect-query", "KEY=VALUE", "query item that must survive") { $0.expectQuery.append(QueryItem(key: $1, value: $2)) },
        duration("hello-timeout", \.helloTimeout, "longest wait for hello, else close 1008 (10s)"),
        durations("ready-delay", \.readyDelay, "from hello to ready"),
        text("avatar-url", "URL", \.avatarURL, "what ready names as avatar_url"),
        flag("extra-frames", \.extraFrames, "two unknown frames right after ready"),
        choice("second-socket", \.secondSocket, "same device id twice: close the older with 4001, or serve both"),
        integer("max-devices", in: 0...10_000_000, \.maxDevices, "ready devices at once, more get close 1013; 0 is no limit"),
        period("ping-every", \.pingEvery, "WebSocket pings; no pong in as long: close 1011"),
        byteCount("message-limit", \.messageLimit, "longer messages: close 1009 (8MiB)"),
    ]

    private static let replies: [GatewayOption] = [
        durations("reply-delay", \.replyDelay, "from receipt to reply"),
        flag("stream", \.stream, "replies as a message and edits"),
        integer("edits", in: 0...1000, \.edits, "edits per streamed reply (3)"),
        duration("edit-gap", \.editGap, "between the pieces of a reply (100ms)"),
        integer("plain-parts", in: 1...1000, \.plainParts, "with --no-stream: messages appended under one id (1)"),
        flag("final", \.final, "the last piece of a reply says final"),
        choice("moods", \.moods, "typing and avatar frames of a reply"),
        choice("while-away", \.whileAway, "replies due while the device has no socket"),
        flag("binary", \.binary, "JSON in binary messages"),
        flag("escape-slashes", \.escapeSlashes, "write / as \\/"),
    ]

    private static let faults: [GatewayOption] = [
        share("lose-rate", \.loseRate, "replies never sent"),
        share("duplicate-rate", \.duplicateRate, "replies sent twice"),
        share("reorder-rate", \.reorderRate, "replies overtaken by the next one"),
        share("bad-frame-rate", \.badFrameRate, "replies preceded by an unknown or malformed frame"),
        share("error-rate", \.errorRate, "replies preceded by a non-fatal error"),
        row("drop-after", "A..B", "a duration or a range such as 20s..2m", "each connection is reset so long after ready", \.dropAfter) {
            text in
            Quantity.range(text, of: Quantity.duration).map { .some($0) }
        },
        row(
            "close-code", "CODE", "a close code that may be sent: 1000...1014 but 1004...1006, or 3000...4999",
            "with --drop-after: close with this code, no reset", \.closeCode
        ) { text in
            guard let code = UInt16(text), (1000...1014).contains(code) || (3000...4999).contains(code) else { return nil }
            return (1004...1006).contains(code) ? nil : .some(code)
        },
        period("restart-after", \.restartAfter, "once: all connections end, new ones are refused"),
        choice("restart-how", \.restartHow, "how they end; close is 1001"),
        duration("down", \.down, "how long a restart refuses connections (2s)"),
    ]

    private static let soak: [GatewayOption] = [
        row("leak", "SIZE/TIME", "a size per time such as 10MiB/min", "memory that is never given back", \.leakPerSecond) {
            perSecond($0) { Quantity.byteCount($0).map(Double.init) }.map { .some($0) }
        },
        row(
            "latency-drift", "SHARE/TIME", "a share per time such as 10%/min", "growth of --reply-delay since the start", \.latencyDrift
        ) { perSecond($0, of: percentage) },
        row(
            "slow-writes", "SIZE/TIME", "a size per time such as 10KiB/s, at least 20B/s", "the most that a connection is sent",
            \.slowWrites
        ) { text in
            guard let rate = perSecond(text, of: { Quantity.byteCount($0).map(Double.init) }), rate >= 20 else { return nil }
            return .some(Int(rate))
        },
    ]

    private static let prompts: [GatewayOption] = [
        period("prompt-every", \.promptEvery, "cards offered unasked, per device"),
        row(
            "prompt-kinds", "LIST", "a list of \(PromptOffer.allCases.map(\.rawValue).joined(separator: ", "))",
            "which cards are offered unasked (all)", \.promptKinds
        ) { text in
            let kinds = text.split(separator: ",", omittingEmptySubsequences: false).map { PromptOffer(rawValue: String($0)) }
            return kinds.contains(nil) ? nil : kinds.compactMap(\.self)
        },
        duration("prompt-expiry", \.promptExpiry, "how long a card stays open (300s)"),
        choice("prompt-resend", \.promptResend, "after a reconnect: open cards and ends, ends only, nothing"),
        flag("text-answers-clarify", \.textAnswersClarify, "a text is taken as the answer to an open clarify"),
    ]

    private static let files: [GatewayOption] = [
        period("send-photo-every", \.sendPhotoEvery, "photos sent unasked, per device"),
        row("photo-bytes", "A..B", "a size or a range such as 1KiB..3MiB, at most 1GiB", "their size (1MiB)", \.photoBytes) {
            Quantity.range($0, of: { text in Quantity.byteCount(text).flatMap { $0 <= 1 << 30 ? $0 : nil } })
        },
        choice("photo-fault", \.photoFault, "what is wrong with every photo"),
        choice("photo-by", \.photoBy, "photos in frames, or as addresses to download"),
        byteCount("file-limit", \.fileLimit, "larger uploads: error media_too_large (64MiB)"),
        duration("assembly-timeout", \.assemblyTimeout, "an upload without progress is given up (60s)"),
        flag("upload-resume", \.uploadResume, "half an upload survives a reconnect"),
    ]

    /// An amount per `s`, `min` or `h`, for one second; nil when it is none, or 0.
    private static func perSecond(_ text: String, of read: (String) -> Double?) -> Double? {
        guard let slash = text.lastIndex(of: "/"), let amount = read(String(text[..<slash])), amount > 0 else { return nil }
        return Quantity.rate("1" + text[slash...]).map { amount * $0 }
    }

    /// A share that may be more than 100 %.
    private static func percentage(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), number.isFinite else { return nil }
        return number / 100
    }

    /// The host without brackets and the port of `HOST:PORT`.
    private static func address(_ text: String) -> (String, UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        let host = text[..<colon]
        if host.first == "[", host.last == "]", host.count > 2 { return (String(host.dropFirst().dropLast()), port) }
        return host.isEmpty || host.contains(":") ? nil : (String(host), port)
    }
}

extension GatewayOptions {
    /// Checks what no single option can: that options which need each other are given together.
    ///
    /// - Throws: A ``UserFailure`` `.arguments` for the first pair that does not fit.
    public func validate() throws(UserFailure) {
        if closeCode != nil, dropAfter == nil {
            throw UserFailure(.arguments, "needs --drop-after", place: "--close-code")
        }
        if leaveOnClose, !announce {
            throw UserFailure(.arguments, "needs --announce", place: "--leave-on-close")
        }
        if latencyDrift > 0, replyDelay.upperBound == .zero {
            throw UserFailure(.arguments, "needs a --reply-delay that can grow", place: "--latency-drift")
        }
        if (tlsCertificate == nil) != (tlsKey == nil) {
            let (given, missing) = tlsKey == nil ? ("--tls-certificate", "--tls-key") : ("--tls-key", "--tls-certificate")
            throw UserFailure(.arguments, "needs \(missing)", place: given)
        }
    }
}
