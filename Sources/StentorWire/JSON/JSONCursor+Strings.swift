extension JSONCursor {
    /// Reads a string whose opening quote is behind the cursor, and its closing quote.
    @inline(__always)
    mutating func stringBody() throws(JSONFailure) -> JSONText {
        let start = at
        at = ByteRun.plainEnd(bytes, from: at, to: end)
        if at < end, bytes[at] == UInt8(ascii: "\"") {
            at &+= 1
            return JSONText(range: start..<at &- 1, isEscaped: false)
        }
        return try rareStringBody(start)
    }

    /// Goes on behind the plain beginning of a string: escapes and bytes outside ASCII.
    private mutating func rareStringBody(_ start: Int) throws(JSONFailure) -> JSONText {
        var isEscaped = false
        while at < end {
            let byte = bytes[at]
            if byte >= 0x80 {
                try multibyte(byte)
            } else if byte == UInt8(ascii: "\"") {
                at &+= 1
                return JSONText(range: start..<at &- 1, isEscaped: isEscaped)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                try escape()
            } else if byte < 0x20 {
                throw JSONFailure(.unexpectedByte, at: at)
            } else {
                at = ByteRun.plainEnd(bytes, from: at, to: end)
            }
        }
        throw JSONFailure(.truncated, at: end)
    }

    private mutating func escape() throws(JSONFailure) {
        guard at &+ 1 < end else { throw JSONFailure(.truncated, at: end) }
        guard bytes[at &+ 1] == UInt8(ascii: "u") else {
            guard JSONEscape.simple(bytes[at &+ 1]) != nil else { throw JSONFailure(.badEscape, at: at) }
            at &+= 2
            return
        }
        let first = at
        let unit = try unicodeUnit()
        guard unit & 0xF800 == 0xD800 else { return }
        guard unit & 0x0400 == 0 else { throw JSONFailure(.badEscape, at: first) }
        guard at &+ 1 < end else { throw JSONFailure(.truncated, at: end) }
        guard bytes[at] == UInt8(ascii: "\\"), bytes[at &+ 1] == UInt8(ascii: "u") else { throw JSONFailure(.badEscape, at: first) }
        let low = try unicodeUnit()
        guard low & 0xFC00 == 0xDC00 else { throw JSONFailure(.badEscape, at: first) }
    }

    private mutating func unicodeUnit() throws(JSONFailure) -> UInt32 {
        guard at &+ 6 <= end else { throw JSONFailure(.truncated, at: end) }
        guard let unit = JSONEscape.hexUnit(bytes, at: at &+ 2) else { throw JSONFailure(.badEscape, at: at) }
        at &+= 6
        return unit
    }

    /// Checks one character outside ASCII against the table of well-formed sequences (RFC 3629 § 4).
    @inline(__always)
    private mutating func multibyte(_ lead: UInt8) throws(JSONFailure) {
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        let more: Int
        switch lead {
        case 0xC2...0xDF: more = 1
        case 0xE0: (more, low) = (2, 0xA0)
        case 0xED: (more, high) = (2, 0x9F)
        case 0xE1...0xEF: more = 2
        case 0xF0: (more, low) = (3, 0x90)
        case 0xF4: (more, high) = (3, 0x8F)
        case 0xF1...0xF3: more = 3
        default: throw JSONFailure(.badUTF8, at: at)
        }
        guard at &+ more < end else { throw JSONFailure(.truncated, at: end) }
        let second = bytes[at &+ 1]
        guard second >= low, second <= high else { throw JSONFailure(.badUTF8, at: at) }
        if more > 1, bytes[at &+ 2] & 0xC0 != 0x80 { throw JSONFailure(.badUTF8, at: at) }
        if more > 2, bytes[at &+ 3] & 0xC0 != 0x80 { throw JSONFailure(.badUTF8, at: at) }
        at &+= more &+ 1
    }
}

/// Finds the end of a run of plain string bytes, eight at a time.
enum ByteRun {
    /// The first offset in `start..<end` that holds a quote, a backslash, a control or a byte of 0x80 and more; `end` if there is none.
    ///
    /// The borrow of a subtraction can flag bytes above the first hit only, so the lowest flag is exact (Mycroft's test).
    @inline(__always)
    static func plainEnd(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
        var at = start
        while at &+ 8 <= end {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let flags = stops(word) | word & 0x8080_8080_8080_8080
            guard flags == 0 else { return at &+ flags.trailingZeroBitCount >> 3 }
            at &+= 8
        }
        while at < end {
            let byte = bytes[at]
            if byte >= 0x80 || byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return at }
            at &+= 1
        }
        return end
    }

    /// As ``plainEnd(_:from:to:)``, but bytes of 0x80 and more are passed over; made for long runs.
    static func stringEnd(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
        var at = start
        while at &+ 32 <= end {
            let a = stops(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            let b = stops(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at &+ 8, as: UInt64.self)))
            let c = stops(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at &+ 16, as: UInt64.self)))
            let d = stops(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at &+ 24, as: UInt64.self)))
            guard a | b | c | d == 0 else { break }
            at &+= 32
        }
        while at &+ 8 <= end {
            let flags = stops(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            guard flags == 0 else { return at &+ flags.trailingZeroBitCount >> 3 }
            at &+= 8
        }
        while at < end {
            let byte = bytes[at]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return at }
            at &+= 1
        }
        return end
    }

    /// Flags, in the top bit of each byte, the quotes, backslashes and controls of a word; exact up to the lowest flag.
    @inline(__always)
    private static func stops(_ word: UInt64) -> UInt64 {
        let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        let control = word &- 0x2020_2020_2020_2020
        return (quote | backslash | control) & ~word & 0x8080_8080_8080_8080
    }
}
