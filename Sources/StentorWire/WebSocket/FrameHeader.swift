/// The header of one frame, checked as far as it can be without knowing the message around it (RFC 6455 § 5.2).
struct FrameHeader {
    var opcode: WebSocketFrames.Opcode
    var isFinal: Bool
    var payloadBytes: Int
    /// The first wire byte is the most significant; 0 when the frame is not masked.
    var maskKey: UInt32

    enum Reading {
        case incomplete
        case complete(FrameHeader, headerBytes: Int)
        case broken(WebSocketFailure)
    }

    /// Reads a header at the start of `bytes`; every rule is checked as soon as its byte is there.
    static func read(_ bytes: UnsafeRawBufferPointer, expectsMask: Bool) -> Reading {
        guard let first = bytes.first else { return .incomplete }
        guard first & 0x70 == 0 else { return .broken(.violation("reserved bit is set")) }
        guard let opcode = WebSocketFrames.Opcode(rawValue: first & 0x0F) else { return .broken(.violation("reserved opcode")) }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { return .broken(.violation("fragmented control frame")) }

        guard bytes.count >= 2 else { return .incomplete }
        let isMasked = bytes[1] & 0x80 != 0
        guard isMasked == expectsMask else {
            return .broken(.violation(expectsMask ? "frame of a client is not masked" : "frame of a server is masked"))
        }
        let length = bytes[1] & 0x7F
        guard length < 126 || !opcode.isControl else { return .broken(.violation("control frame over 125 bytes")) }

        let lengthBytes = length == 127 ? 8 : length == 126 ? 2 : 0
        guard bytes.count >= 2 + lengthBytes else { return .incomplete }
        var payloadBytes = Int(length)
        if lengthBytes == 2 {
            payloadBytes = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard payloadBytes >= 126 else { return .broken(.violation("length not in its shortest form")) }
        } else if lengthBytes == 8 {
            let wide = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard let exact = Int(exactly: wide) else { return .broken(.violation("length with its top bit set")) }
            guard exact >= 65_536 else { return .broken(.violation("length not in its shortest form")) }
            payloadBytes = exact
        }

        let headerBytes = 2 + lengthBytes + (isMasked ? 4 : 0)
        guard bytes.count >= headerBytes else { return .incomplete }
        let maskKey = isMasked ? UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: headerBytes - 4, as: UInt32.self)) : 0
        let header = FrameHeader(opcode: opcode, isFinal: isFinal, payloadBytes: payloadBytes, maskKey: maskKey)
        return .complete(header, headerBytes: headerBytes)
    }
}
