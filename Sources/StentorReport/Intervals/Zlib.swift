import CZlib

/// Compresses pieces in the zlib format (RFC 1950), one after the other with the same memory.
///
/// One thread at a time.
final class Deflater {
    // SAFETY: zlib keeps the address of its stream and compares it, so the stream has a place of its own from init to deinit.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Takes 256 KiB for its tables.
    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit_(stream, Z_DEFAULT_COMPRESSION, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "Deflater: no memory for zlib")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes as one zlib stream.
    func compress(_ bytes: [UInt8]) -> [UInt8] {
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
enum Inflater {
    /// The content of one zlib stream; nil when it is damaged or longer than `limit`.
    static func decompress(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
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
