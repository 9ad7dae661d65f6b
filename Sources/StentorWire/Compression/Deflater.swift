import CZlib

/// Compresses pieces, one after the other with the same memory.
///
/// One thread at a time.
public final class Deflater {
    /// What stands around the compressed data.
    public enum Format: Sendable {
        /// RFC 1950: two bytes before, an Adler-32 behind.
        case zlib
        /// RFC 1952: what HTTP calls `gzip`.
        case gzip

        /// As `deflateInit2` takes it: the largest window, and 16 more for gzip.
        fileprivate var windowBits: Int32 { self == .zlib ? 15 : 31 }
    }

    // SAFETY: zlib keeps the address of its stream and compares it, so the stream has a place of its own from init to deinit.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Takes 256 KiB for its tables.
    public init(_ format: Format = .zlib) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "Deflater: no memory for zlib")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes as one stream of the format.
    public func compress(_ bytes: [UInt8]) -> [UInt8] {
        deflateReset(stream)
        let bound = Int(deflateBound(stream, uLong(bytes.count)))
        var input = bytes
        return input.withUnsafeMutableBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = uInt(source.count)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = uInt(bound)
                let status = deflate(stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "Deflater: more output than zlib's own bound")
                count = bound - Int(stream.pointee.avail_out)
            }
        }
    }
}

/// Decompresses what may come from anywhere.
public enum Inflater {
    /// The content of one zlib stream (RFC 1950); nil when it is damaged or longer than `limit`.
    public static func decompress(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        var input = Array(bytes)
        var length = uLongf(limit)
        var status = Z_DATA_ERROR
        let output = input.withUnsafeMutableBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: limit) { target, count in
                status = uncompress(target.baseAddress, &length, source.baseAddress, uLong(source.count))
                count = status == Z_OK ? Int(length) : 0
            }
        }
        return status == Z_OK ? output : nil
    }
}
