import StentorWire
import Testing

struct DigestTests {
    /// FIPS 180-4 examples (NIST, "SHA256.pdf").
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the examples of FIPS 180-4 hold`(text: String, hex: String) {
        #expect(SHA256Digest(of: Array(text.utf8)).hex == hex)
        let stream = SHA256Stream()
        for byte in text.utf8 { [byte].withUnsafeBytes { stream.update($0) } }
        #expect(stream.finish().hex == hex)
    }

    @Test func `a copied stream goes on by itself`() {
        let stream = SHA256Stream()
        [UInt8]("ab".utf8).withUnsafeBytes { stream.update($0) }
        let other = stream.copy()
        [UInt8]("c".utf8).withUnsafeBytes { stream.update($0) }
        #expect(stream.finish() == SHA256Digest(of: Array("abc".utf8)))
        #expect(other.finish() == SHA256Digest(of: Array("ab".utf8)))
    }

    @Test func `hexadecimal text of either case is read`() {
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256Digest(hex: hex)?.hex == hex)
        #expect(SHA256Digest(hex: hex.uppercased()) == SHA256Digest(hex: hex))
        #expect(SHA256Digest(hex: hex)?.withBytes { $0[0] } == 0xBA)
        #expect(SHA256Digest(hex: String(hex.dropLast())) == nil)
        #expect(SHA256Digest(hex: hex + "0") == nil)
        #expect(SHA256Digest(hex: "g" + hex.dropFirst()) == nil)
    }

    @Test func `the accept key of RFC 6455 section 1_3 comes out`() {
        let key = Array("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
        var text: [UInt8] = []
        key.withUnsafeBytes { SHA1Digest.of($0) }.withUnsafeBytes { Base64.encode($0, into: &text) }
        #expect(String(decoding: text, as: UTF8.self) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }
}
