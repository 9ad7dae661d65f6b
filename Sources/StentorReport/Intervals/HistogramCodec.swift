import StentorMetrics
import StentorWire

/// Writes and reads a ``Histogram`` as HdrHistogram's encoding V2, compressed.
///
/// Source: `AbstractHistogram.encodeIntoCompressedByteBuffer` and `ZigZagEncoding` of HdrHistogram for Java, version 2. A compressed
/// histogram is a cookie, a length and a zlib stream; inside stand a header of 40 bytes and the counts of the buckets from 0 to the
/// highest used one, as ZigZag LEB128 numbers of at most nine bytes, a run of zeros as its negative length.
enum HistogramCodec {
    /// `0x1c849303`, and 1 in the second digit for words of one byte.
    static let cookie: UInt32 = 0x1C84_9313
    /// The same of a compressed histogram.
    static let compressedCookie: UInt32 = 0x1C84_9314
    /// Two digits give the buckets of ``Histogram``.
    static let significantDigits: UInt32 = 2

    private static let headerBytes = 40
    /// More than any header and all buckets can take.
    private static let contentLimit = headerBytes + Histogram.bucketCount * 9

    /// The compressed histogram.
    static func encode(_ histogram: Histogram, _ deflater: Deflater) -> [UInt8] {
        var counts: [UInt8] = []
        var next = 0
        for (index, count) in histogram.nonZeroBuckets {
            appendZeros(index - next, to: &counts)
            append(Int64(clamping: count), to: &counts)
            next = index + 1
        }
        var content: [UInt8] = []
        content.reserveCapacity(headerBytes + counts.count)
        append(cookie, to: &content)
        append(UInt32(counts.count), to: &content)
        append(UInt32(0), to: &content)
        append(significantDigits, to: &content)
        append(UInt64(1), to: &content)
        append(Histogram.maximumValue, to: &content)
        append(1.0.bitPattern, to: &content)
        let compressed = deflater.compress(content + counts)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + compressed.count)
        append(compressedCookie, to: &bytes)
        append(UInt32(compressed.count), to: &bytes)
        return bytes + compressed
    }

    /// The histogram; every value is the highest of its bucket, so sum, minimum and maximum are those of the buckets.
    ///
    /// - Returns: Nil when the bytes are no compressed histogram with these buckets.
    static func decode(_ bytes: [UInt8]) -> Histogram? {
        guard read32(bytes, at: 0) == compressedCookie, let length = read32(bytes, at: 4), bytes.count == 8 + Int(length),
            let content = Inflater.decompress(bytes[8...], limit: contentLimit), content.count >= headerBytes,
            read32(content, at: 0) == cookie, read32(content, at: 4).map(Int.init) == content.count - headerBytes,
            read32(content, at: 8) == 0, read32(content, at: 12) == significantDigits
        else { return nil }
        var histogram = Histogram()
        var at = headerBytes
        var index = 0
        while at < content.count {
            guard let count = readNumber(content, &at) else { return nil }
            let covered = count > 0 ? 1 : max(1, count.magnitude)
            guard covered <= UInt64(Histogram.bucketCount - index) else { return nil }
            if count <= 0 {
                index += Int(covered)
            } else {
                histogram.record(Histogram.highestValue(ofBucket: index), times: UInt64(count))
                index += 1
            }
        }
        return histogram
    }

    // MARK: - Numbers

    private static func appendZeros(_ run: Int, to bytes: inout [UInt8]) {
        if run == 1 { append(Int64(0), to: &bytes) } else if run > 1 { append(Int64(-run), to: &bytes) }
    }

    /// ZigZag, then seven bits a byte, lowest first; the ninth byte has eight.
    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        for _ in 0..<8 {
            guard rest > 0x7F else { return bytes.append(UInt8(rest)) }
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads what ``append(_:to:)`` wrote; nil when the bytes end before the number.
    static func readNumber(_ bytes: [UInt8], _ at: inout Int) -> Int64? {
        var number: UInt64 = 0
        for position in 0..<9 {
            guard at < bytes.count else { return nil }
            let byte = bytes[at]
            at += 1
            if position == 8 {
                number |= UInt64(byte) << 56
            } else {
                number |= UInt64(byte & 0x7F) << UInt64(7 * position)
                if byte < 0x80 { break }
            }
        }
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    private static func append(_ number: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func read32(_ bytes: [UInt8], at offset: Int) -> UInt32? {
        guard bytes.count >= offset + 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
