/// Why a head is no HTTP/1.1, and with which status a server refuses it.
struct HTTPHeadFailure: Error, Equatable {
    /// 400, 405, 414, 426, 431, 501 or 505.
    var status: Int
    /// What is wrong, in fixed words of ours.
    var reason: String
}

/// Collects the bytes of a head as they arrive, up to the empty line (RFC 9112 § 2.1).
struct HTTPHeadReader {
    /// The longest head taken; of a client's wait, all interim answers together.
    static let limitBytes = 16 * 1024

    /// What the head must begin with: checked byte by byte, as a peer of another protocol may never send an empty line.
    enum Start {
        /// A method's first letter.
        case request
        /// `HTTP/1.`
        case status
    }

    private let start: Start
    private var held: [UInt8] = []
    /// Bytes of heads that were complete before the current one.
    private var earlierBytes = 0
    /// How much of CR LF CR LF the last bytes make up.
    private var matched = 0

    init(_ start: Start) {
        self.start = start
    }

    /// Takes what belongs to the head from `bytes[offset...]` and moves `offset` past it.
    ///
    /// - Returns: The head with its empty line; nil when more bytes are needed.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, from offset: inout Int) throws(HTTPHeadFailure) -> [UInt8]? {
        let room = Self.limitBytes - earlierBytes - held.count
        var end = offset
        while end < bytes.count, matched < 4 {
            guard end - offset < room else { throw HTTPHeadFailure(status: 431, reason: "head is over 16 KiB") }
            try checkStart(bytes[end], at: held.count + end - offset)
            matched = try advance(bytes[end])
            end += 1
        }
        held.append(contentsOf: bytes[offset..<end])
        offset = end
        guard matched == 4 else { return nil }
        var head: [UInt8] = []
        swap(&head, &held)
        earlierBytes += head.count
        matched = 0
        return head
    }

    private func checkStart(_ byte: UInt8, at index: Int) throws(HTTPHeadFailure) {
        switch start {
        case .request:
            guard index > 0 || HTTPGrammar.isTokenByte(byte) else { throw HTTPHeadFailure(status: 400, reason: "not an HTTP request") }
        case .status:
            let expected: StaticString = "HTTP/1."
            guard index >= expected.utf8CodeUnitCount || byte == expected.utf8Start[index] else {
                throw HTTPHeadFailure(status: 400, reason: "not HTTP/1.1")
            }
        }
    }

    private func advance(_ byte: UInt8) throws(HTTPHeadFailure) -> Int {
        let expectsLineFeed = matched == 1 || matched == 3
        guard expectsLineFeed == (byte == HTTPGrammar.lineFeed) else {
            throw HTTPHeadFailure(status: 400, reason: "line does not end in CR LF")
        }
        if expectsLineFeed { return matched + 1 }
        guard byte == HTTPGrammar.carriageReturn else { return 0 }
        return matched == 2 ? 3 : 1
    }
}

/// A complete head, cut into its start line and its fields.
struct HTTPHead {
    let startLine: String
    let fields: HTTPFields

    /// Reads a head that ends with its empty line (RFC 9112 §§ 3–5).
    ///
    /// Folded lines, bad names and control characters are refused.
    init(_ bytes: [UInt8]) throws(HTTPHeadFailure) {
        var lines = bytes.dropLast(4).split(separator: HTTPGrammar.lineFeed, omittingEmptySubsequences: false)
        // Each line but the last still has the CR that stood before its LF.
        for index in lines.indices.dropLast() { lines[index].removeLast() }
        guard HTTPGrammar.isFieldValue(lines[0]) else { throw HTTPHeadFailure(status: 400, reason: "start line holds a control character") }
        startLine = String(decoding: lines[0], as: UTF8.self)
        guard lines.count - 1 <= HTTPFields.countLimit else { throw HTTPHeadFailure(status: 431, reason: "more than 100 header fields") }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            guard line.first != HTTPGrammar.space, line.first != HTTPGrammar.tab else {
                throw HTTPHeadFailure(status: 400, reason: "folded header line")
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPGrammar.isToken(line[..<colon]) else {
                throw HTTPHeadFailure(status: 400, reason: "header line without a valid name")
            }
            let value = line[(colon + 1)...]
            guard HTTPGrammar.isFieldValue(value) else {
                throw HTTPHeadFailure(status: 400, reason: "header value holds a control character")
            }
            fields.append(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
        self.fields = fields
    }
}
