/// A position in a JSON text, and the readers of its tokens.
///
/// Every read is checked against `end`.
struct JSONCursor {
    let bytes: UnsafeRawBufferPointer
    var at: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>?) {
        let range = range ?? 0..<bytes.count
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "JSONScanner: range outside the buffer")
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
    }

    // MARK: Punctuation

    /// Skips blanks, and the bracket that the text must start with.
    mutating func open(_ bracket: UInt8) throws(JSONFailure) {
        skipBlanks()
        guard at < end else { throw JSONFailure(.truncated, at: at) }
        guard take(bracket) else { throw JSONFailure(.wrongKind, at: at) }
    }

    @inline(__always)
    mutating func skipBlanks() {
        while at < end {
            let byte = bytes[at]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            at &+= 1
        }
    }

    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard at < end, bytes[at] == byte else { return false }
        at &+= 1
        return true
    }

    @inline(__always)
    mutating func require(_ byte: UInt8) throws(JSONFailure) {
        guard take(byte) else { throw JSONFailure(at < end ? .unexpectedByte : .truncated, at: at) }
    }

    mutating func requireEnd() throws(JSONFailure) {
        skipBlanks()
        guard at == end else { throw JSONFailure(.trailingBytes, at: at) }
    }

    // MARK: Values

    /// Reads a key and the colon behind it.
    @inline(__always)
    mutating func key() throws(JSONFailure) -> JSONText {
        try require(UInt8(ascii: "\""))
        let key = try stringBody()
        skipBlanks()
        try require(UInt8(ascii: ":"))
        return key
    }

    /// Reads a value; of objects and arrays the whole extent.
    @inline(__always)
    mutating func value() throws(JSONFailure) -> JSONValue {
        guard at < end else { throw JSONFailure(.truncated, at: at) }
        let byte = bytes[at]
        if byte == UInt8(ascii: "\"") {
            at &+= 1
            return .string(try stringBody())
        }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return try scalar() }
        let start = at
        try skipContainer()
        return byte == UInt8(ascii: "{") ? .object(start..<at) : .array(start..<at)
    }

    /// Reads a number, a truth value or null.
    private mutating func scalar() throws(JSONFailure) -> JSONValue {
        switch bytes[at] {
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        default:
            throw JSONFailure(.unexpectedByte, at: at)
        }
    }

    private mutating func literal(_ word: StaticString) throws(JSONFailure) {
        for index in 0..<word.utf8CodeUnitCount {
            try require(word.utf8Start[index])
        }
    }

    /// Skips an object or array.
    ///
    /// One bit a level says what is open (1: object), so there is no recursion; level 1 is the caller's.
    private mutating func skipContainer() throws(JSONFailure) {
        var kinds: UInt64 = 0
        var depth = 1
        while true {
            // Here a value is due.
            guard at < end else { throw JSONFailure(.truncated, at: at) }
            let byte = bytes[at]
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                let isObject = byte == UInt8(ascii: "{")
                guard depth < JSONScanner.depthLimit else { throw JSONFailure(.tooDeep, at: at) }
                depth &+= 1
                kinds = kinds << 1 | (isObject ? 1 : 0)
                at &+= 1
                skipBlanks()
                if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    depth &-= 1
                    kinds >>= 1
                } else {
                    try reachValue(inObject: isObject)
                    continue
                }
            } else {
                _ = try value()
            }
            // Here a value has ended: close what ends with it, or go on to the next.
            while depth > 1 {
                skipBlanks()
                let isObject = kinds & 1 == 1
                if take(UInt8(ascii: ",")) {
                    skipBlanks()
                    try reachValue(inObject: isObject)
                    break
                }
                try require(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                depth &-= 1
                kinds >>= 1
            }
            if depth == 1 { return }
        }
    }

    private mutating func reachValue(inObject: Bool) throws(JSONFailure) {
        guard inObject else { return }
        _ = try key()
        skipBlanks()
    }
}
