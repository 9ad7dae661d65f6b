/// Encodes WebSocket frames (RFC 6455 § 5.2).
public enum WebSocketFrames {
    /// The defined frame types (RFC 6455 § 11.8).
    public enum Opcode: UInt8, Sendable {
        /// A later fragment of a message.
        case continuation = 0x0
        /// A text message, or its first fragment.
        case text = 0x1
        /// A binary message, or its first fragment.
        case binary = 0x2
        /// A close frame.
        case close = 0x8
        /// A ping.
        case ping = 0x9
        /// A pong.
        case pong = 0xA

        /// Whether it is a close, ping or pong: at most 125 payload bytes, never fragmented.
        public var isControl: Bool { rawValue >= 0x8 }
    }

    /// The longest header: two bytes, an eight-byte length and a mask key.
    public static let headerLimitBytes = 14
    /// The longest payload of a control frame (RFC 6455 § 5.5).
    public static let controlLimitBytes = 125

    /// Bytes that ``writeHeader(_:isFinal:payloadBytes:maskKey:into:)`` writes for this payload: 2...14.
    public static func headerBytes(payloadBytes: Int, isMasked: Bool) -> Int {
        (payloadBytes < 126 ? 2 : payloadBytes < 65_536 ? 4 : 10) + (isMasked ? 4 : 0)
    }

    /// Writes a frame's header, its length in the shortest form.
    ///
    /// - Parameters:
    ///   - isFinal: False for every fragment but the last.
    ///   - payloadBytes: 0 or more; at most 125 in a control frame.
    ///   - maskKey: Its most significant byte goes first. Nil: not masked, as a server must send.
    ///   - target: Room for the header; 14 bytes are always enough.
    /// - Returns: The bytes written, 2...14.
    @discardableResult
    public static func writeHeader(
        _ opcode: Opcode, isFinal: Bool = true, payloadBytes: Int, maskKey: UInt32?, into target: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(payloadBytes >= 0, "WebSocketFrames: negative payload")
        precondition(
            !opcode.isControl || (isFinal && payloadBytes <= controlLimitBytes), "WebSocketFrames: control frame too long or fragmented")
        let headerBytes = headerBytes(payloadBytes: payloadBytes, isMasked: maskKey != nil)
        precondition(target.count >= headerBytes, "WebSocketFrames: no room for the header")
        let maskBit: UInt8 = maskKey == nil ? 0 : 0x80
        target[0] = (isFinal ? 0x80 : 0) | opcode.rawValue
        if payloadBytes < 126 {
            target[1] = maskBit | UInt8(payloadBytes)
        } else if payloadBytes < 65_536 {
            target[1] = maskBit | 126
            target.storeBytes(of: UInt16(payloadBytes).bigEndian, toByteOffset: 2, as: UInt16.self)
        } else {
            target[1] = maskBit | 127
            target.storeBytes(of: UInt64(payloadBytes).bigEndian, toByteOffset: 2, as: UInt64.self)
        }
        if let maskKey { target.storeBytes(of: maskKey.bigEndian, toByteOffset: headerBytes - 4, as: UInt32.self) }
        return headerBytes
    }

    /// A whole frame in memory of its own: for control frames and small messages.
    ///
    /// - Parameters:
    ///   - payload: At most 125 bytes in a control frame.
    ///   - maskKey: Random and new for each frame of a client (RFC 6455 § 5.3); nil for a server.
    public static func frame(_ opcode: Opcode, isFinal: Bool = true, payload: [UInt8], maskKey: UInt32?) -> [UInt8] {
        let headerBytes = headerBytes(payloadBytes: payload.count, isMasked: maskKey != nil)
        return [UInt8](unsafeUninitializedCapacity: headerBytes + payload.count) { buffer, count in
            let frame = UnsafeMutableRawBufferPointer(buffer)
            writeHeader(opcode, isFinal: isFinal, payloadBytes: payload.count, maskKey: maskKey, into: frame)
            let rest = UnsafeMutableRawBufferPointer(rebasing: frame[headerBytes...])
            payload.withUnsafeBytes { mask($0, into: rest, key: maskKey ?? 0, phase: 0) }
            count = frame.count
        }
    }

    /// The payload of a close frame (RFC 6455 § 5.5.1).
    ///
    /// - Parameters:
    ///   - code: Must be one that may be sent, see ``WebSocketCloseCode/isValid(_:)``. Nil: an empty payload, without the reason.
    ///   - reason: Cut at a character's border to the 123 bytes that fit.
    public static func closePayload(code: UInt16?, reason: String) -> [UInt8] {
        guard let code else { return [] }
        precondition(WebSocketCloseCode.isValid(code), "WebSocketFrames: close code that must not be sent")
        var payload = [UInt8(code >> 8), UInt8(code & 0xFF)]
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar).map(Array.init) ?? []
            guard payload.count + bytes.count <= controlLimitBytes else { break }
            payload += bytes
        }
        return payload
    }
}
