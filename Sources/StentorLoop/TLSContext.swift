import COpenSSL
import CStentorSystem
import CStentorTLS
import StentorBase

// SAFETY: the SSL_CTX is not changed after init, and OpenSSL counts its references atomically.
/// What TLS connections of one side share: trust or certificate, versions, modes.
///
/// TLS 1.2 or later; idle connections keep no buffers (`SSL_MODE_RELEASE_BUFFERS`).
public final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    /// Whether the server's certificate is verified.
    public let isVerifying: Bool

    private init(_ handle: OpaquePointer, isVerifying: Bool) {
        self.handle = handle
        self.isVerifying = isVerifying
        stentor_ssl_ctx_set_modes(handle)
        _ = stentor_ssl_ctx_require_tls12(handle)
    }

    deinit { SSL_CTX_free(handle) }

    /// Makes the context of a client.
    ///
    /// - Parameters:
    ///   - caFile: PEM file of the authorities to trust instead of the system's; nil for the system's.
    ///   - isInsecure: True to accept any certificate.
    /// - Throws: ``UserFailure`` when the file cannot be used.
    public static func client(caFile: String?, isInsecure: Bool = false) throws(UserFailure) -> TLSContext {
        guard let handle = SSL_CTX_new(TLS_client_method()) else { throw UserFailure(.machine, "OpenSSL gives no TLS context") }
        let context = TLSContext(handle, isVerifying: !isInsecure)
        SSL_CTX_set_verify(handle, isInsecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
        if let caFile {
            try requireReadable(caFile, "CA file")
            guard SSL_CTX_load_verify_locations(handle, caFile, nil) == 1 else {
                throw UserFailure(
                    .file, "cannot use the CA file: \(takeError())", place: caFile, hint: "it must be readable and hold PEM certificates")
            }
        } else {
            SSL_CTX_set_default_verify_paths(handle)
        }
        return context
    }

    /// Makes the context of a server.
    ///
    /// - Throws: ``UserFailure`` when a file cannot be used, or key and certificate do not belong together.
    public static func server(certificateFile: String, keyFile: String) throws(UserFailure) -> TLSContext {
        guard let handle = SSL_CTX_new(TLS_server_method()) else { throw UserFailure(.machine, "OpenSSL gives no TLS context") }
        let context = TLSContext(handle, isVerifying: false)
        try requireReadable(certificateFile, "certificate")
        try requireReadable(keyFile, "private key")
        guard SSL_CTX_use_certificate_chain_file(handle, certificateFile) == 1 else {
            throw UserFailure(.file, "cannot use the certificate: \(takeError())", place: certificateFile, hint: "it must be a PEM chain")
        }
        guard SSL_CTX_use_PrivateKey_file(handle, keyFile, SSL_FILETYPE_PEM) == 1, SSL_CTX_check_private_key(handle) == 1 else {
            throw UserFailure(
                .file, "cannot use the private key: \(takeError())", place: keyFile, hint: "it must be the certificate's, in PEM")
        }
        return context
    }

    private static func requireReadable(_ path: String, _ what: String) throws(UserFailure) {
        guard access(path, R_OK) != 0 else { return }
        throw UserFailure(.file, "cannot read the \(what): \(SystemFailure.text(of: stentor_errno()))", place: path)
    }

    /// The text of the oldest error of this thread.
    static func takeError() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            // SAFETY: the capacity above is not 0, and the C function ends the text with a NUL.
            stentor_ssl_take_error(buffer.baseAddress!, buffer.count)
            let text = String(cString: buffer.baseAddress!)
            return text.isEmpty ? "no reason given" : text
        }
    }
}
