/// The numbers of close frames (RFC 6455 § 7.4 and IANA's WebSocket Close Code Number Registry).
public enum WebSocketCloseCode {
    /// Whether a code may stand in a close frame: 1000...1003, 1007...1014, 3000...4999.
    ///
    /// The others are unassigned, or name local conditions (1005, 1006, 1015) that are never sent.
    public static func isValid(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// What a close frame's payload says, or how it breaks the rules.
    static func read(_ payload: [UInt8]) -> Result<(code: UInt16?, reason: String), WebSocketFailure> {
        guard !payload.isEmpty else { return .success((nil, "")) }
        guard payload.count >= 2 else { return .failure(.violation("close payload of one byte")) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard isValid(code) else { return .failure(.violation("invalid close code")) }
        var validator = UTF8Validator()
        let isText = payload.withUnsafeBytes { validator.feed(UnsafeRawBufferPointer(rebasing: $0[2...])) } && validator.finish()
        guard isText else { return .failure(.reasonNotUTF8) }
        return .success((code, String(decoding: payload[2...], as: UTF8.self)))
    }
}
