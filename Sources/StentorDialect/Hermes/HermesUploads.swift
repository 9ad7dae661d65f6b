import StentorWire

/// Recognises what a server says about the uploads of one device.
struct HermesUploads {
    /// What a server says it received.
    struct Confirmation: Equatable {
        let id: String
        let bytes: Int
        let digest: SHA256Digest?
    }

    private struct Pending {
        let id: [UInt8]
        let bytes: Int?
    }

    private static let pendingLimit = 256

    private var pending: [Pending] = []

    /// Learns of an upload; past 256 the oldest is forgotten.
    mutating func began(_ id: String, bytes: Int?) {
        guard !id.isEmpty else { return }
        ended(id)
        if pending.count == Self.pendingLimit { pending.removeFirst() }
        pending.append(Pending(id: Array(id.utf8), bytes: bytes))
    }

    /// Forgets an upload.
    mutating func ended(_ id: String) {
        pending.removeAll { $0.id.elementsEqual(id.utf8) }
    }

    /// Reads a message's text as a confirmation; nil if it is none. The upload is then no longer pending.
    mutating func takeConfirmation(_ text: UnsafeRawBufferPointer) -> Confirmation? {
        guard let found = exact(text) ?? tolerant(text) else { return nil }
        ended(found.id)
        return found
    }

    /// The pending upload whose id a text begins with. It is then no longer pending.
    mutating func takeRefused(_ text: UnsafeRawBufferPointer) -> String? {
        guard let index = pending.firstIndex(where: { text.starts(with: $0.id) }) else { return nil }
        return String(decoding: pending.remove(at: index).id, as: UTF8.self)
    }

    /// `received ID: N bytes, sha256 HEX`, with or without more text behind it.
    private func exact(_ text: UnsafeRawBufferPointer) -> Confirmation? {
        var reader = ByteReader(text)
        guard reader.take("received "), let id = reader.takeUntil(": "), !id.isEmpty, let bytes = reader.takeNumber(),
            reader.take(" bytes, sha256 "), let digest = reader.takeDigest()
        else { return nil }
        return Confirmation(id: String(decoding: id, as: UTF8.self), bytes: bytes, digest: digest)
    }

    /// Any text with a pending id, a digest, and a byte count: a number before a word like `bytes`, or the size that was sent.
    private func tolerant(_ text: UnsafeRawBufferPointer) -> Confirmation? {
        guard let upload = pending.first(where: { text.firstRange(of: $0.id) != nil }), let digest = ByteReader.firstDigest(in: text),
            let bytes = ByteReader.byteCount(in: text, expected: upload.bytes)
        else { return nil }
        return Confirmation(id: String(decoding: upload.id, as: UTF8.self), bytes: bytes, digest: digest)
    }
}

extension UnsafeRawBufferPointer {
    /// Where a pattern first occurs.
    func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard let first = pattern.first, count >= pattern.count else { return nil }
        for start in 0...count - pattern.count where self[start] == first {
            if self[start..<start + pattern.count].elementsEqual(pattern) { return start..<start + pattern.count }
        }
        return nil
    }
}
