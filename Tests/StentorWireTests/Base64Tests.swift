import Foundation
import StentorBase
import StentorWire
import Testing

private func decoded(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0) }.map { String(decoding: $0, as: UTF8.self) }
}

private func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    bytes.withUnsafeBytes { Base64.encode($0, into: &text) }
    return String(decoding: text, as: UTF8.self)
}

/// Decodes a text cut into pieces of these lengths, the last one as long as needed.
private func decodedInPieces(_ text: [UInt8], _ lengths: [Int]) -> [UInt8]? {
    var decoder = Base64StreamDecoder()
    var output: [UInt8] = []
    var rest = text[...]
    for length in lengths + [text.count] {
        let piece = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        var room = [UInt8](repeating: 0, count: Base64.decodedBound(piece.count))
        let written = piece.withUnsafeBytes { from in room.withUnsafeMutableBytes { decoder.decode(from, into: $0) } }
        guard let written else { return nil }
        output += room[..<written]
    }
    return decoder.finish() ? output : nil
}

struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 section 10 hold`(plain: String, text: String) {
        #expect(encoded(Array(plain.utf8)) == text)
        #expect(decoded(text) == plain)
        #expect(Base64.encodedCount(plain.utf8.count) == text.utf8.count)
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zm8", "Zg===", "Zg==Zg==", "Zm8=Zm9v", "=", "====", "Z===", "Zm9v=", "Zm 9", "Zm9v\n", "Zm9-", "Zm9_", "Zm9é",
        "Zh==", "Zm9=", "Z=g=", "Zg=g",
    ])
    func `anything but strict base64 is refused`(text: String) {
        #expect(decoded(text) == nil)
        #expect(decodedInPieces(Array(text.utf8), [1, 1, 1]) == nil)
    }

    @Test func `an invalid decoder stays invalid`() {
        var decoder = Base64StreamDecoder()
        var room = [UInt8](repeating: 0, count: 16)
        let first = Array("Zm9*".utf8).withUnsafeBytes { from in room.withUnsafeMutableBytes { decoder.decode(from, into: $0) } }
        let second = Array("Zm9v".utf8).withUnsafeBytes { from in room.withUnsafeMutableBytes { decoder.decode(from, into: $0) } }
        #expect(first == nil)
        #expect(second == nil)
        let isWhole = decoder.finish()
        #expect(!isWhole)
    }

    @Test func `all lengths agree with Foundation, in any pieces`() {
        var random = SeededRandom(seed: 4)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let text = Data(bytes).base64EncodedString()
            #expect(encoded(bytes) == text)
            let lengths = (0..<8).map { _ in random.integer(in: 0...9) }
            #expect(decodedInPieces(Array(text.utf8), lengths) == bytes)
        }
    }

    @Test func `encoding appends`() {
        var text = Array("x:".utf8)
        [UInt8](arrayLiteral: 0xFF, 0xEF).withUnsafeBytes { Base64.encode($0, into: &text) }
        #expect(String(decoding: text, as: UTF8.self) == "x:/+8=")
    }
}
