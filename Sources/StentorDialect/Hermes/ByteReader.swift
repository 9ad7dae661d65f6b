import StentorWire

/// Reads words, numbers and digests from UTF-8 text.
struct ByteReader {
    private let text: UnsafeRawBufferPointer
    private var at = 0

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
    }

    /// Passes over a word; false, without moving, if another stands here.
    mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { text[at...].starts(with: $0) }
        if matches { at += count }
        return matches
    }

    /// What stands before the next occurrence of a separator, which is passed over as well.
    mutating func takeUntil(_ separator: StaticString) -> UnsafeRawBufferPointer? {
        let pattern = separator.withUTF8Buffer { Array($0) }
        let rest = UnsafeRawBufferPointer(rebasing: text[at...])
        guard let range = rest.firstRange(of: pattern) else { return nil }
        at += range.upperBound
        return UnsafeRawBufferPointer(rebasing: rest[..<range.lowerBound])
    }

    /// A decimal number of at most 18 digits.
    mutating func takeNumber() -> Int? {
        var value = 0
        let start = at
        while at < text.count {
            let digit = text[at] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            guard at - start < 18 else { return nil }
            value = value * 10 + Int(digit)
            at += 1
        }
        return at > start ? value : nil
    }

    /// 64 hexadecimal digits that no other letter or digit touches on the right.
    mutating func takeDigest() -> SHA256Digest? {
        guard text.count - at >= 64, let digest = SHA256Digest(hex: UnsafeRawBufferPointer(rebasing: text[at..<at + 64])) else {
            return nil
        }
        guard at + 64 == text.count || !Self.isWord(text[at + 64]) else { return nil }
        at += 64
        return digest
    }

    /// The first run of exactly 64 hexadecimal digits.
    static func firstDigest(in text: UnsafeRawBufferPointer) -> SHA256Digest? {
        words(in: text).lazy.compactMap { SHA256Digest(hex: UnsafeRawBufferPointer(rebasing: text[$0])) }.first
    }

    /// The number before a word that begins with `byte`, or else the expected number if it stands anywhere.
    static func byteCount(in text: UnsafeRawBufferPointer, expected: Int?) -> Int? {
        let words = words(in: text)
        var isExpectedThere = false
        for (index, range) in words.enumerated() {
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: text[range]))
            guard let number = reader.takeNumber(), reader.at == range.count else { continue }
            if index + 1 < words.count, text[words[index + 1]].starts(with: "byte".utf8) { return number }
            if number == expected { isExpectedThere = true }
        }
        return isExpectedThere ? expected : nil
    }

    /// The size and digest that a caption of the form `bytes=N sha256=HEX` names; nil unless both are there.
    static func claim(in caption: UnsafeRawBufferPointer) -> (bytes: Int, digest: SHA256Digest)? {
        var sizeReader = ByteReader(caption)
        var digestReader = ByteReader(caption)
        guard sizeReader.takeUntil("bytes=") != nil, let bytes = sizeReader.takeNumber(), digestReader.takeUntil("sha256=") != nil,
            let digest = digestReader.takeDigest()
        else { return nil }
        return (bytes, digest)
    }

    /// The runs of ASCII letters and digits.
    private static func words(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for at in 0...text.count {
            let isInside = at < text.count && isWord(text[at])
            if isInside, start == nil { start = at }
            if !isInside, let begun = start {
                words.append(begun..<at)
                start = nil
            }
        }
        return words
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}
