import StentorBase
import StentorWire

/// Understands what a Hermes server says to one device, over all connections of the device's life.
///
/// Pure: bytes and times in, facts out. Messages that lie whole in a buffer go to ``messageReceived(_:at:facts:)``; others are streamed, so
/// that a media part of megabytes is decoded and hashed as it comes and never assembled. Nothing given is kept beyond a call.
///
///     connectionOpened ──> messages … ──> connectionLost ──> connectionOpened ──> …
public struct HermesSessionMachine: ~Copyable {
    /// Times, bounds and modes; the defaults are those of the protocol.
    public struct Options: Sendable {
        /// How replies find their texts.
        public var correlation = Correlation.marker
        /// How long after its last piece a reply without `final` is complete.
        ///
        /// Default 2 s.
        public var quietTime = Duration.seconds(2)
        /// How long a file may make no progress.
        ///
        /// Default 60 s.
        public var assemblyTimeout = Duration.seconds(60)
        /// The largest file, and the largest part.
        ///
        /// Default 64 MiB.
        public var fileLimitBytes = 64 << 20
        /// Files that may be open at once.
        ///
        /// Default 16.
        public var openFileLimit = 16
        /// Whether half a file may be completed over another connection.
        ///
        /// Default false.
        public var continuesFilesOverReconnect = false
        /// The most bytes that a streamed message may have beside its media payload.
        ///
        /// Default 1 MiB.
        public var headLimitBytes = 1 << 20

        /// Starts from the defaults.
        public init() {}
    }

    /// The longest id of a card or a file, as written in JSON.
    static let idLimitBytes = 1024

    /// What is needed only while a message comes in pieces; an idle device does not carry it.
    private final class Streaming {
        var splitter: JSONStreamSplitter?

        init(_ splitter: consuming JSONStreamSplitter) {
            self.splitter = consume splitter
        }
    }

    private let options: Options
    private let received: FrameTally?
    var replies: HermesReplies
    var uploads = HermesUploads()
    var downloads: HermesDownloads
    private var streaming: Streaming?
    private var isStreamRefused = false

    /// Makes the machine of a device that has not connected yet.
    ///
    /// - Parameter received: Counts the frames by type, in the order of the protocol's list; nil: they are not counted.
    public init(options: Options = Options(), received: FrameTally? = nil) {
        self.options = options
        self.received = received
        replies = HermesReplies(correlation: options.correlation, quietTime: options.quietTime)
        downloads = HermesDownloads(
            .init(
                timeout: options.assemblyTimeout, fileLimitBytes: options.fileLimitBytes, openLimit: options.openFileLimit,
                continuesOverReconnect: options.continuesFilesOverReconnect))
    }

    // MARK: The device's side

    /// A connection is open: nothing of an earlier one's last message counts.
    public mutating func connectionOpened() {
        dropStream()
    }

    /// The connection is gone.
    ///
    /// Open replies wait for their rest, without a deadline; open files are incomplete, unless they may go on.
    ///
    /// - Parameter closeCode: The server's close code; 1008 means that it refused the device for good. Nil if it sent none.
    public mutating func connectionLost(closeCode: UInt16?, at now: Instant, facts: inout [DeviceFact]) {
        dropStream()
        replies.connectionLost()
        downloads.connectionLost(facts: &facts)
        if closeCode == 1008 { facts.append(.refusedForGood(code: "1008")) }
    }

    /// An upload has begun to go out: messages that speak of it are confirmations or refusals.
    ///
    /// - Parameter bytes: The size of the file, if known: helps to read confirmations in other words than the protocol's own.
    public mutating func uploadBegan(_ id: String, bytes: Int? = nil) {
        uploads.began(id, bytes: bytes)
    }

    /// The device no longer waits for the server's word on an upload.
    public mutating func uploadEnded(_ id: String) {
        uploads.ended(id)
    }

    /// The device has sent a text and waits for its reply; for ``Correlation/turn`` only.
    ///
    /// Replaces an open turn.
    public mutating func turnOpened(_ sequence: Int) {
        replies.turnOpened(sequence)
    }

    /// The device no longer waits for the open turn's reply; what still comes for it is unmatched.
    public mutating func turnClosed() {
        replies.turnClosed()
    }

    // MARK: Time

    /// When ``deadlinePassed(at:facts:)`` is due: a reply falls quiet or a file times out.
    ///
    /// Nil: nothing is awaited.
    public var deadline: Instant? {
        guard let first = replies.deadline else { return downloads.deadline }
        return min(first, downloads.deadline ?? .distantFuture)
    }

    /// Ends what is overdue; does nothing before the deadline.
    public mutating func deadlinePassed(at now: Instant, facts: inout [DeviceFact]) {
        replies.deadlinePassed(at: now, facts: &facts)
        downloads.deadlinePassed(at: now, facts: &facts)
    }

    // MARK: Messages

    /// A whole message came, text or binary.
    public mutating func messageReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        guard let frame = HermesFrame.read(bytes) else { return facts.append(.malformedFrame) }
        if let type = frame.type { received?.note(type.rawValue) }
        guard frame.type == .media else { return take(frame, bytes, at: now, facts: &facts) }
        guard let header = partHeader(frame, bytes) else { return facts.append(.malformedFrame) }
        guard let data = frame.data else { return takeWithoutData(header, at: now, facts: &facts) }
        downloads.partBegan(header, at: now, facts: &facts)
        data.unescapedRuns(in: bytes) { run in
            downloads.partBytes(run, at: now)
            return true
        }
        downloads.partEnded(header, at: now, facts: &facts)
    }

    /// A message begins that will come in pieces.
    public mutating func streamBegan() {
        dropStream()
        streaming = Streaming(JSONStreamSplitter(key: "data", headLimit: options.headLimitBytes))
        isStreamRefused = false
    }

    /// A piece of the message came.
    public mutating func streamReceived(_ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        guard !isStreamRefused, let streaming, var stream = streaming.splitter.take() else { return }
        let isAccepted = stream.feed(
            bytes,
            began: { head in
                downloads.partBegan(earlyHeader(head), at: now, facts: &facts)
            },
            divert: { downloads.partBytes($0, at: now) })
        streaming.splitter = consume stream
        if !isAccepted {
            dropStream()
            isStreamRefused = true
        }
    }

    /// The message is complete.
    public mutating func streamEnded(at now: Instant, facts: inout [DeviceFact]) {
        guard !isStreamRefused, let streaming, var stream = streaming.splitter.take() else {
            dropStream()
            return facts.append(.malformedFrame)
        }
        let hasData = stream.hasDiverted
        let head = stream.finish()
        head.withUnsafeBytes { bytes in
            guard let frame = HermesFrame.read(bytes) else { return facts.append(.malformedFrame) }
            if let type = frame.type { received?.note(type.rawValue) }
            guard frame.type == .media else { return take(frame, bytes, at: now, facts: &facts) }
            guard let header = partHeader(frame, bytes), downloads.agrees(header) else { return facts.append(.malformedFrame) }
            guard hasData else { return takeWithoutData(header, at: now, facts: &facts) }
            downloads.partEnded(header, at: now, facts: &facts)
        }
        dropStream()
    }

    // MARK: Frames

    private mutating func take(_ frame: HermesFrame, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        switch frame.type {
        case .message: takeMessage(frame, bytes, at: now, facts: &facts)
        case .typing: if frame.isStop { replies.paused(.typingStopped, at: now, facts: &facts) }
        case .avatar:
            if frame.state?.equals("idle", in: bytes) ?? true { replies.paused(.avatarIdle, at: now, facts: &facts) }
        case .ready: facts.append(.ready)
        case .prompt: facts.append(promptCard(frame, bytes).map(DeviceFact.promptOpened) ?? .malformedFrame)
        case .promptDone:
            guard let id = keptID(frame, bytes) else { return facts.append(.malformedFrame) }
            let option = frame.optionID?.string(in: bytes)
            facts.append(.promptClosed(id: id, optionID: option, isExpired: frame.isExpired))
        case .error: takeError(frame, bytes, facts: &facts)
        case .unknown: facts.append(.unknownFrame)
        case .media, nil: facts.append(.malformedFrame)
        }
    }

    private mutating func takeMessage(_ frame: HermesFrame, _ bytes: UnsafeRawBufferPointer, at now: Instant, facts: inout [DeviceFact]) {
        let key = HermesMessageKey(frame.id, in: bytes)
        let text = frame.text ?? JSONText(range: 0..<0, isEscaped: false)
        text.withUnescaped(in: bytes) {
            replies.shown(key, $0, isEdit: frame.isEdit, isFinal: frame.isFinal, at: now, uploads: &uploads, facts: &facts)
        }
    }

    private mutating func takeError(_ frame: HermesFrame, _ bytes: UnsafeRawBufferPointer, facts: inout [DeviceFact]) {
        let code = String((frame.code?.string(in: bytes) ?? "error").prefix(64))
        let isFatal = frame.isFatal || code == "auth_failed"
        if code == "media_corrupt" || code == "media_too_large" {
            let id = frame.message?.withUnescaped(in: bytes) { uploads.takeRefused($0) } ?? nil
            facts.append(.uploadRefused(id: id, code: code))
            guard isFatal else { return }
        }
        facts.append(.serverError(code: code, isFatal: isFatal))
    }

    /// The id of a card or a file, which others keep; nil if there is none, or one past all reason.
    private func keptID(_ frame: HermesFrame, _ bytes: UnsafeRawBufferPointer) -> String? {
        guard let id = frame.id, id.range.count <= Self.idLimitBytes else { return nil }
        return id.string(in: bytes)
    }

    private func promptCard(_ frame: HermesFrame, _ bytes: UnsafeRawBufferPointer) -> PromptCard? {
        guard let id = keptID(frame, bytes) else { return nil }
        var options: [PromptCard.Option] = []
        if let list = frame.options {
            try? JSONScanner.readArray(bytes, in: list) { element in
                guard options.count < 64, case .object(let range) = element else { return }
                if let option = promptOption(bytes, range) { options.append(option) }
            }
        }
        return PromptCard(id: id, kind: frame.kind?.string(in: bytes) ?? "", options: options)
    }

    private func promptOption(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> PromptCard.Option? {
        var id: String?
        var isDangerous = false
        try? JSONScanner.readObject(bytes, in: range) { key, value in
            if key.equals("id", in: bytes) { id = value.text?.string(in: bytes) }
            if key.equals("style", in: bytes) { isDangerous = value.text?.equals("danger", in: bytes) ?? false }
        }
        return id.map { PromptCard.Option(id: $0, isDangerous: isDangerous) }
    }

    // MARK: Media

    private mutating func takeWithoutData(_ header: HermesPartHeader, at now: Instant, facts: inout [DeviceFact]) {
        guard header.hasURL else { return facts.append(.malformedFrame) }
        downloads.referenced(header.id, at: now, facts: &facts)
    }

    private func partHeader(_ frame: HermesFrame, _ bytes: UnsafeRawBufferPointer) -> HermesPartHeader? {
        guard let id = keptID(frame, bytes) else { return nil }
        let claim = frame.caption?.withUnescaped(in: bytes) { ByteReader.claim(in: $0) } ?? nil
        return HermesPartHeader(
            id: id, part: Int(frame.part ?? 0), parts: Int(frame.parts ?? 1),
            claim: claim.map { HermesClaim(bytes: $0.bytes, digest: $0.digest) }, hasURL: frame.hasURL)
    }

    /// What a media frame says before its data; nil unless its place in a file is known for certain.
    private func earlyHeader(_ head: UnsafeRawBufferPointer) -> HermesPartHeader? {
        guard let frame = HermesFrame.read(head), frame.type == .media, frame.part != nil, frame.parts != nil else { return nil }
        return partHeader(frame, head)
    }

    private mutating func dropStream() {
        streaming = nil
        downloads.partAborted()
    }
}
