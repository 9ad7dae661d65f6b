import CCurl
import CStentorCurl
import StentorBase

/// How one request ended.
struct TransferOutcome {
    /// The status; nil when no answer came.
    let status: Int?
    /// Why it failed, clean and in one line; nil after 2xx.
    let failure: String?

    /// Whether the same request may succeed later: no answer, 408, 429 and 5xx (RFC 9110 § 15).
    var mayRetry: Bool { status.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? true }
}

/// One request at a time through libcurl, interruptible from other threads.
///
/// The only file that touches libcurl. A multi handle carries the one transfer, because its poll can be woken and a transfer taken out.
///
/// SAFETY: `@unchecked Sendable`: after `init` only the push thread calls anything but ``wake()``, and `curl_multi_wakeup` is documented
/// as safe from any thread; the last owner's `deinit` runs after both are done.
final class HTTPTransfer: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let easy: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private let answer = AnswerBytes()
    private let hidden: [String]

    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(_ target: PushTarget) throws(UserFailure) {
        guard Self.isInitialised, let multi = curl_multi_init() else {
            throw UserFailure(.machine, "libcurl could not be started")
        }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw UserFailure(.machine, "libcurl could not be started")
        }
        (self.multi, self.easy) = (UnsafeMutableRawPointer(multi), UnsafeMutableRawPointer(easy))
        // "Expect:" keeps libcurl from waiting for a 100 that many servers never send.
        let type = curl_slist_append(nil, "Content-Type: text/plain; version=0.0.4; charset=utf-8")
        headers = curl_slist_append(type, "Expect:")
        hidden = target.hiddenTexts
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard configure(target) else { throw UserFailure(.machine, "libcurl refuses an option of the push") }
    }

    deinit {
        // No transfer is under way: `run` takes it out before it returns.
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        curl_slist_free_all(headers)
        errorBuffer.deallocate()
    }

    /// Ends a wait, or the next one, at once.
    ///
    /// Any thread.
    func wake() {
        curl_multi_wakeup(multi)
    }

    /// Waits for ``wake()`` or the instant; nil: a minute at most.
    func wait(until instant: Instant?) {
        let now = Instant.now()
        curl_multi_poll(multi, nil, 0, Self.milliseconds(from: now, to: instant ?? now + .seconds(60)), nil)
    }

    /// Sends one request and waits for its end.
    ///
    /// - Parameters:
    ///   - body: What to PUT; nil: DELETE.
    ///   - deadline: Asked after each wake-up, so that it can move closer while the request is under way.
    func run(body: [UInt8]?, deadline: () -> Instant) -> TransferOutcome {
        answer.bytes.removeAll(keepingCapacity: true)
        errorBuffer[0] = 0
        set(CURLOPT_CUSTOMREQUEST, body == nil ? "DELETE" : "PUT")
        set(CURLOPT_TIMEOUT_MS, max(1, Int(Self.milliseconds(from: .now(), to: deadline()))))
        setBody(body)
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return TransferOutcome(status: nil, failure: "libcurl could not begin the request")
        }
        defer { curl_multi_remove_handle(multi, easy) }
        while true {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            if running == 0 { return finished() }
            let now = Instant.now()
            guard now < deadline() else { return TransferOutcome(status: nil, failure: "given up at the end of the run") }
            curl_multi_poll(multi, nil, 0, Self.milliseconds(from: now, to: deadline()), nil)
        }
    }

    private func finished() -> TransferOutcome {
        var code = CURLE_OK
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { code = message.pointee.data.result }
        }
        var status = 0
        _ = stentor_curl_response_code(easy, &status)
        let known = status == 0 ? nil : status
        guard code == CURLE_OK else {
            let detail = String(cString: errorBuffer)
            let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
            // A status without a whole answer proves nothing, so that it must not decide about a retry.
            return TransferOutcome(status: nil, failure: ErrorText.clean(Array(text.utf8), hiding: hidden))
        }
        guard let known else { return TransferOutcome(status: nil, failure: "the answer has no status") }
        guard !(200...299).contains(known) else { return TransferOutcome(status: known, failure: nil) }
        let note = (300...399).contains(known) ? " (redirects are not followed)" : ""
        let said = ErrorText.clean(answer.bytes, hiding: hidden)
        return TransferOutcome(status: known, failure: "HTTP \(known)\(note)" + (said.isEmpty ? "" : ": \(said)"))
    }

    private func configure(_ target: PushTarget) -> Bool {
        var isFine = true
        func check(_ code: CURLcode) { isFine = isFine && code == CURLE_OK }
        check(stentor_curl_set_string(easy, CURLOPT_URL, target.address))
        check(stentor_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        check(stentor_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1))
        check(stentor_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0))
        check(stentor_curl_set_long(easy, CURLOPT_NOSIGNAL, 1))
        // Else a name server that does not answer would hold up the end of the run: libcurl joins its resolver thread.
        check(stentor_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1))
        check(stentor_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(target.requestTimeout.wholeNanoseconds / 1_000_000))))
        check(stentor_curl_set_string(easy, CURLOPT_USERAGENT, "stentor"))
        check(stentor_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers))
        check(stentor_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer))
        if !target.usesEnvironmentProxy { check(stentor_curl_set_string(easy, CURLOPT_NOPROXY, "*")) }
        if let caFile = target.caFile { check(stentor_curl_set_string(easy, CURLOPT_CAINFO, caFile)) }
        switch target.credentials {
        case .none: break
        case .basic(let user, let password):
            check(stentor_curl_set_long(easy, CURLOPT_HTTPAUTH, 1 << 0))
            check(stentor_curl_set_string(easy, CURLOPT_USERNAME, user))
            check(stentor_curl_set_string(easy, CURLOPT_PASSWORD, password.reveal()))
        case .bearer(let token):
            check(stentor_curl_set_long(easy, CURLOPT_HTTPAUTH, 1 << 6))
            check(stentor_curl_set_string(easy, CURLOPT_XOAUTH2_BEARER, token.reveal()))
        }
        // The context is `answer`, which this object owns for as long as the handle.
        check(stentor_curl_set_write(easy, AnswerBytes.receive, Unmanaged.passUnretained(answer).toOpaque()))
        return isFine
    }

    private func setBody(_ body: [UInt8]?) {
        guard let body else {
            // HTTPGET takes the body of an earlier PUT away; the custom method stays.
            set(CURLOPT_HTTPGET, 1)
            return
        }
        set(CURLOPT_POST, 1)
        _ = stentor_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // COPYPOSTFIELDS copies as many bytes as the size says; an empty body needs an address all the same.
        _ = (body + [0]).withUnsafeBufferPointer { stentor_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
    }

    private func set(_ option: CURLoption, _ value: Int) { _ = stentor_curl_set_long(easy, option, value) }
    private func set(_ option: CURLoption, _ value: String) { _ = stentor_curl_set_string(easy, option, value) }

    /// Rounded up, so that a wait never ends just before its instant and spins.
    private static func milliseconds(from now: Instant, to then: Instant) -> Int32 {
        Int32(clamping: max(0, then.nanoseconds(since: now) / 1_000_000 + 1))
    }
}

/// The beginning of an answer's body.
private final class AnswerBytes {
    var bytes: [UInt8] = []

    static let receive: stentor_curl_write = { data, size, count, context in
        guard let context else { return 0 }
        let answer = Unmanaged<AnswerBytes>.fromOpaque(context).takeUnretainedValue()
        let room = max(0, ErrorText.limitBytes - answer.bytes.count)
        let piece = UnsafeRawBufferPointer(start: data, count: size * count)
        answer.bytes.append(contentsOf: piece.prefix(room))
        return size * count
    }
}
