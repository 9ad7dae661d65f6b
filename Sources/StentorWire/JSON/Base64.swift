/// Base64 with the standard alphabet (RFC 4648 § 4), whole texts.
public enum Base64 {
    /// The length of the text for `n` bytes, padding included.
    public static func encodedCount(_ n: Int) -> Int {
        (n + 2) / 3 * 4
    }

    /// The most bytes that `n` more characters can give, whatever a decoder still holds of earlier pieces.
    public static func decodedBound(_ n: Int) -> Int {
        (n + 3) / 4 * 3
    }

    /// Appends the text of some bytes, padded, without line breaks.
    public static func encode(_ bytes: UnsafeRawBufferPointer, into target: inout [UInt8]) {
        let start = target.count
        // An array, as it is copied in one go also without optimisation.
        target.append(contentsOf: [UInt8](repeating: UInt8(ascii: "="), count: encodedCount(bytes.count)))
        target.withUnsafeMutableBytes { buffer in
            Base64Tables.alphabet.withUnsafeBufferPointer { alphabet in
                encode(bytes, UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), alphabet)
            }
        }
    }

    /// Decodes a whole text; nil unless it is strict base64 (see ``Base64StreamDecoder``).
    public static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var decoder = Base64StreamDecoder()
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: decodedBound(text.count)) { buffer, count in
            let written = decoder.decode(text, into: UnsafeMutableRawBufferPointer(buffer))
            isValid = written != nil
            count = written ?? 0
        }
        return isValid && decoder.finish() ? bytes : nil
    }

    private static func encode(
        _ bytes: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer, _ alphabet: UnsafeBufferPointer<UInt8>
    ) {
        var from = 0
        var to = 0
        while from &+ 3 <= bytes.count {
            let word = Int(bytes[from]) << 16 | Int(bytes[from &+ 1]) << 8 | Int(bytes[from &+ 2])
            target[to] = alphabet[word >> 18]
            target[to &+ 1] = alphabet[word >> 12 & 63]
            target[to &+ 2] = alphabet[word >> 6 & 63]
            target[to &+ 3] = alphabet[word & 63]
            from &+= 3
            to &+= 4
        }
        guard from < bytes.count else { return }
        let isPair = bytes.count - from == 2
        let word = Int(bytes[from]) << 16 | (isPair ? Int(bytes[from + 1]) << 8 : 0)
        target[to] = alphabet[word >> 18]
        target[to + 1] = alphabet[word >> 12 & 63]
        if isPair { target[to + 2] = alphabet[word >> 6 & 63] }
    }
}

/// Lookup tables of the alphabet.
enum Base64Tables {
    static let alphabet: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Marks a byte outside the alphabet.
    static let invalid: UInt32 = 0x8000_0000

    /// Four tables of 256: the value of a byte as 1st, 2nd, 3rd, 4th character of a group, shifted to its place in 24 bits.
    static let values: [UInt32] = {
        var tables = [UInt32](repeating: invalid, count: 1024)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 {
                tables[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place)
            }
        }
        return tables
    }()
}
