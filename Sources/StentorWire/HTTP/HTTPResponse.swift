/// A simple response of a server (RFC 9112 § 4).
public struct HTTPResponse: Equatable, Sendable {
    /// The status, 100...599.
    public var status: Int
    /// The fields besides `Content-Length`, which is added.
    public var fields: HTTPFields
    /// The body; nil: none is declared, for a switch of protocols or a stream that ends with its connection.
    public var body: [UInt8]?

    /// Makes a response.
    public init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8]? = []) {
        precondition((100...599).contains(status), "HTTPResponse: no such status")
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Makes a response of plain text.
    public init(status: Int, fields: HTTPFields = HTTPFields(), text: String) {
        self.init(status: status, fields: fields, body: Array(text.utf8))
        self.fields.append("Content-Type", "text/plain; charset=utf-8")
    }

    /// The response as it goes on the wire.
    ///
    /// - Parameter omitsBody: True for an answer to HEAD: the body is declared but not sent. Statuses 1xx, 204 and 304 never have one.
    public func bytes(omitsBody: Bool = false) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(Self.phrase(of: status))\r\n".utf8)
        fields.write(to: &bytes)
        let mayHaveBody = status >= 200 && status != 204 && status != 304
        if let body, mayHaveBody { bytes += Array("Content-Length: \(body.count)\r\n".utf8) }
        bytes += Array("\r\n".utf8)
        if let body, mayHaveBody, !omitsBody { bytes += body }
        return bytes
    }

    /// The standard phrase of a status (RFC 9110 § 15); `Status` for one not listed here.
    public static func phrase(of status: Int) -> String {
        switch status {
        case 101: "Switching Protocols"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
