import Testing

@testable import StentorWire

struct HTTPMessageTests {
    private static func text(_ response: HTTPResponse, omitsBody: Bool = false) -> String {
        String(decoding: response.bytes(omitsBody: omitsBody), as: UTF8.self)
    }

    @Test func `a response declares its body`() {
        var response = HTTPResponse(status: 200, text: "ok\n")
        response.fields.append("X-Run", "7")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nX-Run: 7\r\nContent-Length: 3\r\n\r\n"
        #expect(Self.text(response) == head + "ok\n")
        #expect(Self.text(response, omitsBody: true) == head)
    }

    @Test(arguments: [(204, "No Content"), (304, "Not Modified"), (101, "Switching Protocols")])
    func `some statuses have no body`(status: Int, phrase: String) {
        #expect(Self.text(HTTPResponse(status: status, body: [1])) == "HTTP/1.1 \(status) \(phrase)\r\n\r\n")
    }

    @Test func `a stream declares no length, an empty body does`() {
        #expect(Self.text(HTTPResponse(status: 200, body: nil)) == "HTTP/1.1 200 OK\r\n\r\n")
        #expect(Self.text(HTTPResponse(status: 599)) == "HTTP/1.1 599 Status\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `fields are found without regard to case`() {
        let fields = HTTPFields([("Accept", " a , B,, c"), ("X", "1"), ("ACCEPT", "d")])
        #expect(fields.members(of: "accept") == ["a", "b", "c", "d"])
        #expect(fields.values(of: "accept") == ["a , B,, c", "d"])
        #expect(fields.first("accept") == "a , B,, c")
        #expect(fields.only("accept") == nil)
        #expect(fields.only("x") == "1")
        #expect(!fields.contains("Y"))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_800),
            ("Mon, 30 Nov 2026 03:42:10 GMT", 1_796_010_130), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
            ("Sun, 29 Feb 1900 00:00:00 GMT", nil), ("Sun, 31 Apr 2024 00:00:00 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
            ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("", nil),
        ] as [(String, Int?)])
    func `a date in the fixed form is read`(text: String, seconds: Int?) {
        #expect(HTTPDate.secondsSinceEpoch(text) == seconds)
    }

    @Test(arguments: [("a+b c/€~", "a%2Bb%20c%2F%E2%82%AC~"), ("Az09-._~", "Az09-._~"), ("%&=?#", "%25%26%3D%3F%23"), ("", "")])
    func `everything but unreserved characters is percent-encoded`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded) == text)
    }
}
