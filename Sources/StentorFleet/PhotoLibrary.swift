import StentorBase
import StentorLoop
import StentorWire

/// Photos that all devices share: encoded once, sent by reference.
///
/// The photos of a library are beginnings of one random file, of up to eight sizes spread over the range, so that memory does not grow with
/// devices. All begin as JPEG files do.
public final class PhotoLibrary: Sendable {
    /// One photo.
    public struct Photo: Sendable {
        /// Size in raw bytes.
        public let bytes: Int
        /// SHA-256 of the raw bytes.
        public let digest: SHA256Digest
        /// Its parts in order; at least one.
        public let parts: [Part]
    }

    /// One part of a photo: a range of the shared base64, and up to four characters that are its own.
    public struct Part: Sendable {
        /// Range in ``PhotoLibrary/encoded``.
        public let range: Range<Int>
        /// What follows it: the end of a part whose size is no multiple of three.
        public let tail: [UInt8]
    }

    /// The shared base64.
    public let encoded: SharedPayload
    /// The photos, smallest first.
    public let photos: [Photo]

    private static let variants = 8

    /// Makes the photos.
    ///
    /// - Parameters:
    ///   - sizes: Smallest and largest photo in bytes.
    ///   - partBytes: Raw bytes in a part; a multiple of 3.
    ///   - seed: The same seed gives the same photos.
    public init(sizes: ClosedRange<Int>, partBytes: Int, seed: UInt64) {
        precondition(partBytes % 3 == 0, "PhotoLibrary: a part is a multiple of three bytes")
        let raw = Self.rawBytes(sizes.upperBound, seed: seed)
        var base64: [UInt8] = []
        base64.reserveCapacity(Base64.encodedCount(raw.count))
        raw.withUnsafeBytes { Base64.encode($0, into: &base64) }
        encoded = SharedPayload(base64)
        let count = min(Self.variants, sizes.count)
        let steps = max(1, count - 1)
        photos = (0..<count).map { index in
            let size = sizes.lowerBound + Int(Double(sizes.upperBound - sizes.lowerBound) * Double(index) / Double(steps))
            return Self.photo(raw, size: count == 1 ? sizes.upperBound : size, partBytes: partBytes)
        }
    }

    private static func photo(_ raw: [UInt8], size: Int, partBytes: Int) -> Photo {
        let digest = raw.withUnsafeBytes { SHA256Digest(of: UnsafeRawBufferPointer(rebasing: $0[..<size])) }
        let count = max(1, (size + partBytes - 1) / partBytes)
        let parts = (0..<count).map { part in
            let (start, end) = (part * partBytes, min(size, (part + 1) * partBytes))
            let whole = (end - start) / 3 * 3
            var tail: [UInt8] = []
            raw.withUnsafeBytes { Base64.encode(UnsafeRawBufferPointer(rebasing: $0[(start + whole)..<end]), into: &tail) }
            return Part(range: start / 3 * 4..<(start + whole) / 3 * 4, tail: tail)
        }
        return Photo(bytes: size, digest: digest, parts: parts)
    }

    private static func rawBytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(state: SplitMix64.mixed(seed))
        var bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let words = UnsafeMutableRawBufferPointer(buffer)
            for index in 0..<count / 8 { words.storeBytes(of: random.next(), toByteOffset: index * 8, as: UInt64.self) }
            for index in (count / 8 * 8)..<count { words[index] = UInt8(truncatingIfNeeded: random.next()) }
            filled = count
        }
        // SOI and the head of a JFIF segment (ITU-T T.871 § 10.1).
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10, 0x4A, 0x46, 0x49, 0x46, 0x00]
        for (index, byte) in head.enumerated() where index < count { bytes[index] = byte }
        return bytes
    }
}
