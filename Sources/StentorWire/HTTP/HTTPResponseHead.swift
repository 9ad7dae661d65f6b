/// The head of a response as a client reads it (RFC 9112 § 4).
struct HTTPResponseHead {
    let status: Int
    /// The digit after `HTTP/1.`.
    let minorVersion: Int
    let fields: HTTPFields

    init(_ head: HTTPHead) throws(HTTPHeadFailure) {
        let line = Array(head.startLine.utf8)
        // The blank after the status is due even before an empty phrase, but some servers leave it out.
        guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), HTTPGrammar.isDigit(line[7]), line[8] == HTTPGrammar.space,
            line.count == 12 || line[12] == HTTPGrammar.space,
            let status = HTTPGrammar.number(String(decoding: line[9..<12], as: UTF8.self)), (100...599).contains(status)
        else { throw HTTPHeadFailure(status: 400, reason: "bad status line") }
        self.status = status
        minorVersion = Int(line[7] - UInt8(ascii: "0"))
        fields = head.fields
    }

    /// Seconds to wait before a new attempt, 0...31,536,000 (a year); nil when not said or not readable (RFC 9110 § 10.2.3).
    ///
    /// A date counts from the response's own `Date`, so that the clocks of both ends need not agree.
    var retryAfterSeconds: Int? {
        guard let value = fields.first("Retry-After") else { return nil }
        if let seconds = HTTPGrammar.number(value) { return min(seconds, 31_536_000) }
        guard let date = fields.first("Date"), let from = HTTPDate.secondsSinceEpoch(date), let until = HTTPDate.secondsSinceEpoch(value)
        else { return nil }
        return min(max(until - from, 0), 31_536_000)
    }
}
