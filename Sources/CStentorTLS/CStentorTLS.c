#include "CStentorTLS.h"

void stentor_ssl_ctx_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

int stentor_ssl_ctx_require_tls12(SSL_CTX *context) { return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION); }

int stentor_ssl_set_host_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }

void stentor_ssl_take_error(char *text, size_t size) {
    unsigned long code = ERR_get_error();
    text[0] = 0;
    if (code) {
        const char *reason = ERR_reason_error_string(code);
        if (reason) {
            size_t n = 0;
            while (reason[n] && n + 1 < size) { text[n] = reason[n]; n++; }
            text[n] = 0;
        }
    }
    ERR_clear_error();
}
