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

    /// The pending upload whose id a text begins with.
    ///
    /// It is then no longer pending.
    mutating func takeRefused(_ text: UnsafeRawBufferPointer) -> String? {
        guard let upload = longest(where: { text.starts(with: $0) }) else { return nil }
        let id = String(decoding: upload.id, as: UTF8.self)
        ended(id)
        return id
    }

    /// Reads `received ID: N bytes, sha256 HEX`, with or without more text behind it; the upload is then no longer pending.
    mutating func takeExact(_ text: UnsafeRawBufferPointer) -> Confirmation? {
        var reader = ByteReader(text)
        guard reader.take("received "), let id = reader.takeUntil(": "), !id.isEmpty, let bytes = reader.takeNumber(),
            reader.take(" bytes, sha256 "), let digest = reader.takeDigest()
        else { return nil }
        return take(id, bytes, digest)
    }

    /// Reads any text with a pending id, a digest, and a byte count: a number before a word like `bytes`, or the size that was sent.
    mutating func takeTolerant(_ text: UnsafeRawBufferPointer) -> Confirmation? {
        guard let upload = longest(where: { text.firstRange(of: $0) != nil }), let digest = ByteReader.firstDigest(in: text),
            let bytes = ByteReader.byteCount(in: text, expected: upload.bytes)
        else { return nil }
        return upload.id.withUnsafeBytes { take($0, bytes, digest) }
    }

    /// The pending upload with the longest id of those that fit: one id may begin with another.
    private func longest(where fits: ([UInt8]) -> Bool) -> Pending? {
        pending.filter { fits($0.id) }.max { $0.id.count < $1.id.count }
    }

    private mutating func take(_ id: UnsafeRawBufferPointer, _ bytes: Int, _ digest: SHA256Digest) -> Confirmation {
        let id = String(decoding: id, as: UTF8.self)
        ended(id)
        return Confirmation(id: id, bytes: bytes, digest: digest)
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
