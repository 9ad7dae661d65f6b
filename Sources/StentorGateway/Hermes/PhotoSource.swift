import StentorBase
import StentorWire

/// The content of the photos that a gateway sends: random bytes that repeat every part, then the photo's number.
///
/// All photos share their bytes but the last eight, so any number of them is on its way without a copy each, and the digest of one costs
/// at most 64 KiB of hashing once its length was reached before.
struct PhotoSource {
    /// The raw bytes of a full part: 3 MiB.
    static let partBytes = 3 << 20

    /// One photo: how long it is, and what its last bytes say.
    struct Photo: Equatable {
        let length: Int
        let number: Int

        /// The parts that it takes; an empty one takes one.
        var parts: Int { max(1, (length + PhotoSource.partBytes - 1) / PhotoSource.partBytes) }
        /// The bytes that come from the shared ones.
        var sharedBytes: Int { max(0, length - 8) }

        /// The byte at an index past the shared ones: of the number, big-endian, at the photo's end.
        func tailByte(at index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: UInt64(number) >> UInt64(8 * (length - 1 - index)))
        }
    }

    /// Half-way states of the hash lie this far apart.
    private static let stepBytes = 64 << 10

    /// The shared bytes of a part, and their base64; both empty until the first photo.
    private(set) var raw: [UInt8] = []
    private(set) var base64: [UInt8] = []
    private var states: [SHA256Stream] = []
    private var random: SeededRandom

    /// Makes a source; its memory is taken with the first photo.
    init(seed: UInt64) {
        random = SeededRandom(seed: seed, stream: 1)
    }

    /// Makes the shared bytes unless they are there.
    mutating func prepare() {
        guard raw.isEmpty else { return }
        raw = [UInt8](unsafeUninitializedCapacity: Self.partBytes) { buffer, count in
            let words = UnsafeMutableRawBufferPointer(buffer)
            for offset in stride(from: 0, to: Self.partBytes, by: 8) {
                words.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
            }
            count = Self.partBytes
        }
        base64.reserveCapacity(Base64.encodedCount(Self.partBytes))
        raw.withUnsafeBytes { Base64.encode($0, into: &base64) }
        states = [SHA256Stream()]
    }

    /// The digest of a photo.
    mutating func digest(of photo: Photo) -> SHA256Digest {
        let step = photo.sharedBytes / Self.stepBytes
        while states.count <= step {
            let state = states[states.count - 1].copy()
            hash(state, from: (states.count - 1) * Self.stepBytes, count: Self.stepBytes)
            states.append(state)
        }
        let state = states[step].copy()
        hash(state, from: step * Self.stepBytes, count: photo.sharedBytes - step * Self.stepBytes)
        let tail = (photo.sharedBytes..<photo.length).map(photo.tailByte)
        tail.withUnsafeBytes { state.update($0) }
        return state.finish()
    }

    /// Hashes shared bytes that lie within one step.
    private func hash(_ state: SHA256Stream, from offset: Int, count: Int) {
        let start = offset % Self.partBytes
        raw.withUnsafeBytes { state.update(UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
    }

    /// The base64 of one part: a range of ``base64``, then the text of the rest.
    func encoded(_ photo: Photo, part: Int) -> (shared: Range<Int>, rest: [UInt8]) {
        let start = part * Self.partBytes
        let end = min(photo.length, start + Self.partBytes)
        let sharedGroups = max(0, min(end, photo.sharedBytes) - start) / 3
        let rest = (start + sharedGroups * 3..<max(end, start)).map { index in
            index < photo.sharedBytes ? raw[index % Self.partBytes] : photo.tailByte(at: index)
        }
        var text: [UInt8] = []
        rest.withUnsafeBytes { Base64.encode($0, into: &text) }
        return (0..<sharedGroups * 4, text)
    }
}
