import COpenSSL

/// Hashes bytes with SHA-256 as they arrive, in constant memory.
///
/// Not thread-safe; one owner at a time. Traps when OpenSSL lacks memory or SHA-256.
public final class SHA256Stream {
    private let context: OpaquePointer

    /// Starts an empty hash.
    public init() {
        context = Self.makeContext()
        precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "SHA256Stream: OpenSSL has no SHA-256")
    }

    /// Starts where another stream stands; the two go on independently of each other.
    private init(from other: SHA256Stream) {
        context = Self.makeContext()
        precondition(EVP_MD_CTX_copy_ex(context, other.context) == 1, "SHA256Stream: state not copied")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Hashes further bytes; empty pieces change nothing.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0 else { return }
        precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "SHA256Stream: update failed")
    }

    /// An independent stream in the same state.
    public func copy() -> SHA256Stream {
        SHA256Stream(from: self)
    }

    /// Ends the hash and gives its digest; the stream must not be used again.
    public func finish() -> SHA256Digest {
        SHA256Digest { digest in
            precondition(EVP_DigestFinal_ex(context, digest, nil) == 1, "SHA256Stream: finish failed")
        }
    }

    private static func makeContext() -> OpaquePointer {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("SHA256Stream: out of memory") }
        return context
    }
}
