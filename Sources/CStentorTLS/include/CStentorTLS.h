// Fills this gap of Swift's importer: OpenSSL's function-like macros. Each function is one macro. No policy.
#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>

#pragma clang assume_nonnull begin

/// SSL_MODE_RELEASE_BUFFERS, ENABLE_PARTIAL_WRITE and ACCEPT_MOVING_WRITE_BUFFER on every connection of the context.
void stentor_ssl_ctx_set_modes(SSL_CTX *context);
/// TLS 1.2 or later.
int stentor_ssl_ctx_require_tls12(SSL_CTX *context);
/// SNI; `name` is copied.
int stentor_ssl_set_host_name(SSL *ssl, const char *name);
/// The text of the oldest error in this thread's queue, which is emptied; "" if there was none.
void stentor_ssl_take_error(char *text, size_t size);

#pragma clang assume_nonnull end
