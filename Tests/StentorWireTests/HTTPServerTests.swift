import Testing

@testable import StentorWire

/// What a server of plain HTTP/1.1 needs.
struct HTTPServerTests {
    private func outcome(_ text: String, cutAt cut: Int) -> HTTPRequestReader.Outcome {
        var reader = HTTPRequestReader()
        let bytes = Array(text.utf8)
        let first = bytes[..<cut].withUnsafeBytes { reader.next($0) }
        guard first == .needBytes else { return first }
        return bytes[cut...].withUnsafeBytes { reader.next($0) }
    }

    @Test func `a request is read however it is cut`() throws {
        let text = "PUT /a%20b?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n"
        for cut in 0..<text.utf8.count {
            guard case .request(let head, let consumed) = outcome(text + "hi", cutAt: cut) else {
                Issue.record("no request when cut at \(cut)")
                continue
            }
            #expect(head.method == "PUT" && head.path == "/a b" && head.body == .bytes(2))
            #expect(consumed == text.utf8.count - cut)
        }
    }

    @Test func `what is no request is refused, and stays refused`() {
        var reader = HTTPRequestReader()
        let hadBegun = reader.hasBegun
        let refusal = HTTPRequestReader.Outcome.reject(status: 400, reason: "not an HTTP request")
        let first = [UInt8]("\u{16}".utf8).withUnsafeBytes { reader.next($0) }
        let second = [UInt8]("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8).withUnsafeBytes { reader.next($0) }
        #expect(first == refusal && second == refusal)
        let hasBegun = reader.hasBegun
        #expect(!hadBegun && hasBegun)
        let text = String(decoding: HTTPResponse.refusal(status: 400, reason: "no").bytes(), as: UTF8.self)
        #expect(
            text
                == "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n\r\nno\n"
        )
    }

    // RFC 9110 § 12.5.3, with what Prometheus sends (`gzip`) and browsers do.
    @Test(
        arguments: [
            ([], .identity), ([""], .identity), (["gzip"], .gzip), (["GZip"], .gzip), (["x-gzip"], .gzip), (["gzip, deflate, br"], .gzip),
            (["deflate", "gzip;q=0.5"], .gzip), (["gzip;q=0"], .identity), (["gzip; q=0.000"], .identity), (["gzip ; q=1.000"], .gzip),
            (["*"], .gzip), (["*;q=0"], .identity), (["gzip;q=0, *"], .identity), (["gzip;q=0.5, *;q=1"], .identity),
            (["identity;q=1, gzip;q=0.5"], .identity), (["identity;q=0.5, gzip"], .gzip), (["gzip;q=2"], .identity),
            (["gzip;q=1.001"], .identity), (["gzip;q=0.1234"], .identity), (["gzip;q="], .identity), (["gzip;q=-1"], .identity),
            (["identity;q=0"], .identity), (["br"], .identity),
        ] as [([String], ContentCoding)])
    func `gzip is chosen where the client wants it`(values: [String], coding: ContentCoding) {
        #expect(ContentCoding.chosen(for: HTTPFields(values.map { ("Accept-Encoding", $0) })) == coding)
    }

    @Test func `gzip begins as RFC 1952 has it, and a deflater serves again`() {
        let deflater = Deflater(.gzip)
        let text = Array(String(repeating: "stentor_messages_sent_total 1\n", count: 1000).utf8)
        let packed = deflater.compress(text)
        #expect(packed.prefix(3) == [0x1F, 0x8B, 8] && packed.count < text.count / 50)
        // The last four bytes are the length of the content, the four before its CRC-32.
        #expect(packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == text.count)
        #expect(deflater.compress(text) == packed)
        #expect(Inflater.decompress(Deflater().compress(text)[...], limit: text.count) == text)
    }
}
