#include "CStentorCurl.h"

CURLcode stentor_curl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }
CURLcode stentor_curl_set_string(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }
CURLcode stentor_curl_set_pointer(CURL *handle, CURLoption option, const void *value) { return curl_easy_setopt(handle, option, value); }
CURLcode stentor_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }

CURLcode stentor_curl_set_write(CURL *handle, stentor_curl_write function, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, function);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

CURLcode stentor_curl_response_code(CURL *handle, long *code) { return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, code); }
