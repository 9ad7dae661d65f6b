import StentorBase
import Testing

@testable import StentorWire

/// Cases of Markus Kuhn's "UTF-8 decoder capability and stress test" (2015) and RFC 3629.
struct UTF8ValidatorTests {
    /// How many bytes are taken before the text becomes impossible; nil when it stays possible.
    private static func firstImpossible(_ bytes: [UInt8]) -> Int? {
        var validator = UTF8Validator()
        for (index, byte) in bytes.enumerated() {
            let isPossible = withUnsafeBytes(of: byte) { validator.feed($0) }
            if !isPossible { return index }
        }
        return nil
    }

    private static func isValid(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        return bytes.withUnsafeBytes { validator.feed($0) } && validator.finish()
    }

    @Test(arguments: [
        "", "00", "7F", "CE BA E1 BD B9 CF 83 CE BC CE B5", "C2 80", "DF BF", "E0 A0 80", "EF BF BF", "F0 90 80 80", "F4 8F BF BF",
        "ED 9F BF",
        "EE 80 80", "EF BF BD", "EF BB BF", "EF B7 90", "F0 9F BF BE",
    ])
    func `a well-formed text is valid`(text: String) {
        #expect(Self.isValid(hex(text)))
        #expect(Self.firstImpossible(hex(text)) == nil)
    }

    @Test(arguments: [
        ("80", 0), ("BF", 0), ("41 80 41", 1), ("FE", 0), ("FF", 0), ("F5", 0), ("F8 88 80 80 80", 0), ("FC 84 80 80 80 80", 0),
        ("C0 AF", 0), ("C1 BF", 0), ("E0 80 AF", 1), ("E0 9F BF", 1), ("F0 80 80 AF", 1), ("F0 8F BF BF", 1), ("F4 90 80 80", 1),
        ("ED A0 80", 1), ("ED AF BF ED B0 80", 1), ("ED BF BF", 1), ("C2 41", 1), ("E1 80 41", 2), ("F1 80 80 41", 3), ("C2 C2 80", 1),
        ("CE BA E1 BD B9 CF 83 CE BC CE B5 ED A0 80 65 64 69 74 65 64", 12),
        ("CE BA E1 BD B9 CF 83 CE BC CE B5 F4 90 80 80 65 64 69 74 65 64", 12),
    ])
    func `an ill-formed text fails at its first impossible byte`(text: String, position: Int) {
        #expect(Self.firstImpossible(hex(text)) == position)
        #expect(!Self.isValid(hex(text)))
    }

    @Test(arguments: ["C2", "E0 A0", "E1 80", "F0 90", "F0 90 80", "F4 8F BF", "61 62 E2 82"])
    func `a text cut inside a character is possible but may not end`(text: String) {
        #expect(Self.firstImpossible(hex(text)) == nil)
        #expect(!Self.isValid(hex(text)))
    }

    @Test func `a failed validator stays failed`() {
        var validator = UTF8Validator()
        #expect([0xFF].withUnsafeBytes { !validator.feed($0) })
        #expect(Array("abc".utf8).withUnsafeBytes { !validator.feed($0) })
        #expect(!validator.finish())
    }

    @Test func `every sequence of border bytes is judged as the standard library judges it`() {
        let borders: [UInt8] = [
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3,
            0xF4, 0xF5,
            0xFF,
        ]
        var sequences: [[UInt8]] = [[]]
        for _ in 0..<3 {
            sequences = sequences.flatMap { sequence in borders.map { sequence + [$0] } }
            for sequence in sequences where Self.isValid(sequence) != (String(validating: sequence, as: UTF8.self) != nil) {
                Issue.record("disagreement on \(sequence)")
            }
        }
    }

    @Test func `a bad byte is found at every position and from every split`() {
        let text = Array(String(repeating: "ASCII only, then µ and € and 😀. ", count: 4).utf8)
        #expect(Self.isValid(text))
        for position in 0...text.count {
            var bad = text
            bad.insert(0xFF, at: position)
            var validator = UTF8Validator()
            let isPossible = bad.withUnsafeBytes { bytes in
                validator.feed(UnsafeRawBufferPointer(rebasing: bytes[..<position]))
                    && validator.feed(UnsafeRawBufferPointer(rebasing: bytes[position...]))
            }
            #expect(!isPossible)
        }
    }

    @Test func `a text is valid however it is split`() {
        let text = Array(String(repeating: "0123456789abcdef0123456789abcdef µ€😀 ", count: 5).utf8)
        var random = SeededRandom(seed: 1)
        for _ in 0..<200 {
            var validator = UTF8Validator()
            var start = 0
            while start < text.count {
                let end = min(text.count, start + random.integer(in: 0...50))
                #expect(text[start..<end].withUnsafeBytes { validator.feed($0) })
                start = end
            }
            #expect(validator.finish())
        }
    }
}
