import COpenSSL

/// The proof that a server speaks WebSocket (RFC 6455 §§ 1.3, 4.2.2).
enum WebSocketKey {
    /// `Sec-WebSocket-Key` of a nonce of 16 bytes: 24 characters.
    static func key(nonce: [UInt8]) -> String {
        precondition(nonce.count == 16, "WebSocketKey: a nonce has 16 bytes")
        return base64(nonce)
    }

    /// `Sec-WebSocket-Accept` for a key: base64 of the SHA-1 of key and GUID.
    static func accept(for key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        SHA1(text, text.count, &digest)
        return base64(digest)
    }

    /// Whether a key is the base64 of exactly 16 bytes: 22 characters, the last with four zero bits, and `==`.
    static func isValid(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, key.hasSuffix("==") else { return false }
        let isAlphabet = bytes[..<22].allSatisfy { byte in
            byte != UInt8(ascii: "=") && (HTTPGrammar.isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/"))
        }
        return isAlphabet && "AQgw".utf8.contains(bytes[21])
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        // EVP_EncodeBlock writes a NUL after the text.
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text[..<Int(count)], as: UTF8.self)
    }
}
