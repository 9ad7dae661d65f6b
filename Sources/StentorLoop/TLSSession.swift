import COpenSSL
import CStentorSystem
import CStentorTLS

/// The TLS layer of one stream, over its descriptor. Loop thread only.
final class TLSSession {
    enum Outcome {
        case done(Int)
        case wouldBlock
        case ended
        case failed(String)
    }
    enum Handshake: Equatable {
        case done
        case wantsRead
        case wantsWrite
        case failed(String, isVerification: Bool)
        case closed
    }

    private let ssl: OpaquePointer

    /// - Parameter serverName: For a client: the name to send (SNI) and to verify; an IP address is verified but not sent. Nil for a server.
    init(context: TLSContext, descriptor: Int32, serverName: String?) {
        guard let ssl = SSL_new(context.handle) else { preconditionFailure("TLSSession: out of memory") }
        self.ssl = ssl
        SSL_set_fd(ssl, descriptor)
        guard let serverName else {
            SSL_set_accept_state(ssl)
            return
        }
        SSL_set_connect_state(ssl)
        if SocketAddress.isLiteral(serverName) {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), serverName)
        } else {
            _ = stentor_ssl_set_host_name(ssl, serverName)
            SSL_set1_host(ssl, serverName)
        }
    }

    deinit { SSL_free(ssl) }

    func handshake() -> Handshake {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 { return .done }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL: return .closed
        default: return failedHandshake()
        }
    }

    private func failedHandshake() -> Handshake {
        let verdict = SSL_get_verify_result(ssl)
        let text = TLSContext.takeError()
        guard verdict == X509_V_OK else {
            return .failed(String(cString: X509_verify_cert_error_string(verdict)), isVerification: true)
        }
        return text.contains("unexpected eof") ? .closed : .failed(text, isVerification: false)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let result = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
        return result > 0 ? .done(Int(result)) : outcome(of: result)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        ERR_clear_error()
        let result = SSL_write(ssl, bytes.baseAddress, Int32(bytes.count))
        return result > 0 ? .done(Int(result)) : outcome(of: result)
    }

    /// Sends close_notify, as far as the socket takes it.
    func shutdown() {
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    private func outcome(of result: Int32) -> Outcome {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL: return .failed(SystemFailure.text(of: stentor_errno()))
        default:
            let text = TLSContext.takeError()
            // A peer that closes without close_notify: the WebSocket layer above knows whether the conversation was over.
            return text.contains("unexpected eof") ? .ended : .failed(text)
        }
    }
}
