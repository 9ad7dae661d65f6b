import StentorBase
import StentorWire

/// What a media frame says about the part it carries.
struct HermesPartHeader: Equatable {
    let id: String
    let part: Int
    let parts: Int
    let claim: HermesClaim?
    let hasURL: Bool
}

/// The size and digest that a sender names in a caption.
struct HermesClaim: Equatable {
    let bytes: Int
    let digest: SHA256Digest
}

/// One file on its way to a device.
///
/// Parts are hashed in the order of the file. `checkpoints[n]` is the hash before part n, so a part that comes again is hashed from where it
/// began: the last hashed one replaces what it was, an earlier one must give the same hash as before. Parts that are ahead are kept decoded.
struct HermesDownload {
    let id: String
    let parts: Int
    let firstPartAt: Instant
    var lastProgressAt: Instant
    var claim: HermesClaim?
    private(set) var checkpoints = [SHA256Stream()]
    private(set) var sizes: [Int] = []
    private var ahead: [Int: [UInt8]] = [:]

    init(id: String, parts: Int, firstPartAt: Instant) {
        self.id = id
        self.parts = parts
        self.firstPartAt = firstPartAt
        lastProgressAt = firstPartAt
    }

    /// Parts hashed; also the index of the part that is next in order.
    var hashedParts: Int { sizes.count }
    /// Bytes of all parts that are there.
    var bytes: Int { sizes.reduce(0, +) + ahead.values.reduce(0) { $0 + $1.count } }
    var isComplete: Bool { hashedParts == parts }

    /// Where to hash a part while it arrives; nil if it must be kept until those before it are there.
    func liveHash(part: Int) -> SHA256Stream? {
        part <= hashedParts ? checkpoints[part].copy() : nil
    }

    /// Takes a part that was hashed from ``liveHash(part:)``; false if it came before and was another.
    mutating func commit(part: Int, hash: SHA256Stream, count: Int) -> Bool {
        if part == hashedParts {
            checkpoints.append(hash)
            sizes.append(count)
            ahead[part] = nil
            hashAhead()
        } else if part == hashedParts - 1 {
            checkpoints[part + 1] = hash
            sizes[part] = count
        } else {
            return sizes[part] == count && hash.copy().finish() == checkpoints[part + 1].copy().finish()
        }
        return true
    }

    /// Takes a part that is ahead of the order.
    mutating func keep(part: Int, _ bytes: [UInt8]) {
        ahead[part] = bytes
    }

    /// The outcome of a file that is complete.
    func verdict() -> DownloadOutcome {
        guard let claim else { return .complete(verified: false) }
        guard claim.bytes == bytes else { return .corrupt(.sizeMismatch) }
        guard checkpoints[parts].copy().finish() == claim.digest else { return .corrupt(.digestMismatch) }
        return .complete(verified: true)
    }

    private mutating func hashAhead() {
        while let bytes = ahead.removeValue(forKey: hashedParts) {
            let hash = checkpoints[hashedParts].copy()
            bytes.withUnsafeBytes { hash.update($0) }
            checkpoints.append(hash)
            sizes.append(bytes.count)
        }
    }
}

/// The part that is arriving: its bytes are hashed if its place is known and due, else kept.
final class HermesIncomingPart {
    let header: HermesPartHeader?
    let startedAt: Instant
    private let hash: SHA256Stream?
    private let limitBytes: Int
    private var kept: [UInt8] = []
    private var decoder = Base64StreamDecoder()
    private(set) var count = 0
    private(set) var fault: DownloadFault?

    init(header: HermesPartHeader?, hash: SHA256Stream?, limitBytes: Int, startedAt: Instant) {
        self.header = header
        self.hash = hash
        self.limitBytes = limitBytes
        self.startedAt = startedAt
    }

    /// The hash and the size, if the part was hashed on the way.
    var hashed: SHA256Stream? { hash }
    /// The decoded bytes, if they were kept.
    var bytes: [UInt8] { kept }

    /// Takes the next characters of the part's base64.
    func take(_ text: UnsafeRawBufferPointer) {
        var rest = text[...]
        while fault == nil, !rest.isEmpty {
            let slice = UnsafeRawBufferPointer(rebasing: rest.prefix(32768))
            rest = rest.dropFirst(slice.count)
            decode(slice)
        }
        if fault != nil { kept = [] }
    }

    /// Ends the part's base64.
    func finish() {
        if fault == nil, !decoder.finish() { fault = .badBase64 }
    }

    private func decode(_ slice: UnsafeRawBufferPointer) {
        let room = Base64.decodedBound(slice.count)
        withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { buffer in
            guard let written = decoder.decode(slice, into: buffer) else {
                fault = .badBase64
                return
            }
            count += written
            guard count <= limitBytes else {
                fault = .tooLarge
                return
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<written])
            if let hash { hash.update(bytes) } else { kept.append(contentsOf: bytes) }
        }
    }
}
