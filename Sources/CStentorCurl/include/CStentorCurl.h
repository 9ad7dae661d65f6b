// Fills this gap of Swift's importer: libcurl's variadic calls, one function for each type of argument. No policy.
#pragma once
#include <curl/curl.h>

#pragma clang assume_nonnull begin

CURLcode stentor_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode stentor_curl_set_string(CURL *handle, CURLoption option, const char *_Nullable value);
CURLcode stentor_curl_set_pointer(CURL *handle, CURLoption option, const void *_Nullable value);
CURLcode stentor_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
typedef size_t (*stentor_curl_write)(char *bytes, size_t size, size_t count, void *_Nullable context);
/// The body's callback; `context` must outlive the transfer.
CURLcode stentor_curl_set_write(CURL *handle, stentor_curl_write function, void *_Nullable context);
CURLcode stentor_curl_response_code(CURL *handle, long *code);

#pragma clang assume_nonnull end
