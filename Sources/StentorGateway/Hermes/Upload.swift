import StentorBase
import StentorWire

/// A file that a device uploads in parts, hashed as the parts come; only parts that come too early are kept.
///
/// The hash stands behind the last part of an unbroken row from part 0. Its state before that part is kept too, so a repeat of that part
/// can replace it. A repeat of an earlier part is counted, but its content cannot count any more.
final class Upload {
    /// What every part must repeat.
    struct Constants: Equatable {
        var kind: String?
        var mime: String?
        var filename: String?
        var caption: String?
    }

    /// Where the bytes of one part go.
    enum Sink {
        /// Into the hash, which stands where the part begins; the number is the upload's version at that moment.
        case hash(SHA256Stream, version: Int)
        /// Into memory, for later.
        case memory([UInt8])
        /// Nowhere.
        case nowhere
    }

    /// The id given by the device.
    let name: String
    /// The number of parts that the first part to come named.
    let parts: Int
    /// What the first part to come said.
    let constants: Constants
    /// The socket that it began on.
    let socket: Int
    /// When it is given up unless another part comes.
    var deadline = Instant.distantFuture
    /// Index of the part that would follow in order the last one that came.
    private(set) var next = 0
    /// Bytes of all parts that are there.
    private(set) var bytes = 0

    /// Parts in the hash: 0 ..< this.
    private var hashed = 0
    private var beforeLast = SHA256Stream()
    private var hash = SHA256Stream()
    private var lastBytes = 0
    private var early: [Int: [UInt8]] = [:]
    /// Changes with every part, so that a part that was hashed beside another is noticed.
    private(set) var version = 0

    /// Begins a file.
    init(name: String, parts: Int, constants: Constants, socket: Int) {
        self.name = name
        self.parts = parts
        self.constants = constants
        self.socket = socket
    }

    /// Whether every part is there.
    var isComplete: Bool { hashed == parts }

    /// Whether a part has come before.
    func has(_ part: Int) -> Bool {
        part < hashed || early[part] != nil
    }

    /// Where the bytes of a part should go as they come.
    func sink(for part: Int) -> Sink {
        if part == hashed { return .hash(hash.copy(), version: version) }
        if part == hashed - 1 { return .hash(beforeLast.copy(), version: version) }
        return part < hashed ? .nowhere : .memory([])
    }

    /// Takes a whole part; false if another part changed the upload while this one was hashed, so that its bytes are gone.
    func take(_ part: Int, bytes count: Int, _ sink: consuming Sink) -> Bool {
        switch sink {
        case .hash(let ended, let begun):
            guard begun == version, part == hashed || part == hashed - 1 else { return false }
            append(part, ended, count)
        case .memory(let content) where part > hashed:
            bytes += count - (early[part]?.count ?? 0)
            early[part] = content
        case .memory(let content) where part >= hashed - 1:
            let ended = part == hashed ? hash.copy() : beforeLast.copy()
            content.withUnsafeBytes { ended.update($0) }
            append(part, ended, count)
        case .memory, .nowhere:
            // An earlier part again: its place in the hash is behind.
            break
        }
        version += 1
        next = part + 1
        return true
    }

    /// The digest of the complete file.
    func digest() -> SHA256Digest {
        hash.finish()
    }

    /// Puts a part at the end of the hash, or in place of the last one, and then the early ones that follow.
    private func append(_ part: Int, _ ended: SHA256Stream, _ count: Int) {
        if part == hashed {
            beforeLast = hash
            hashed += 1
            bytes += count
        } else {
            bytes += count - lastBytes
        }
        hash = ended
        lastBytes = count
        while let content = early.removeValue(forKey: hashed) {
            beforeLast = hash
            hash = hash.copy()
            content.withUnsafeBytes { hash.update($0) }
            lastBytes = content.count
            hashed += 1
        }
    }
}
