/// Splits a long JSON object that arrives in pieces: one string member of its top level goes to a closure, the rest is kept as a small head.
///
/// The diverted value is unescaped on the way and its bytes are not kept, so a message of any length costs the memory of its head. The
/// splitter follows strings, escapes and nesting only: whether ``finish()``'s head is JSON is the scanner's business. Pieces may end anywhere.
///
///     start ──{──> structure ──key──> colon ──"──> diverting ──"──> structure ──}──> ended
public struct JSONStreamSplitter: ~Copyable {
    private enum State {
        case start, structure, string, stringEscape, colon, diverted, divertedEscape, divertedUnicode, ended, failed
    }

    /// Whether the diverted member has begun; stays true to the end.
    public private(set) var hasDiverted = false

    private let key: StaticString
    private let headLimit: Int
    private var head: [UInt8] = []
    private var state = State.start
    private var depth = 0
    private var isKeyDue = false
    private var isKey = false
    private var stringStart = 0
    private var isStringEscaped = false
    /// Of an escape `\uXXXX` in the diverted value: digits read, their value, and a high surrogate that waits for its low one.
    private var unicode: (digits: Int, value: UInt32, high: UInt32) = (0, 0, 0)

    /// Starts a message.
    ///
    /// - Parameters:
    ///   - key: The member of the top level to divert, if its value is a string.
    ///   - headLimit: The most bytes that may be kept of the rest.
    public init(key: StaticString, headLimit: Int) {
        self.key = key
        self.headLimit = headLimit
    }

    /// The members that were complete when this is read during a diversion or after it, as an object: what came before the diverted
    /// member, and that member with an empty value.
    ///
    /// Of use from the start of the diversion on; before it, an incomplete text.
    public var headSoFar: [UInt8] {
        state == .ended ? head : head + [UInt8(ascii: "}")]
    }

    /// Takes the next piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece; not kept.
    ///   - began: Called once, with ``headSoFar``, right before the first byte of the diverted value (also of an empty one).
    ///   - divert: Called with the unescaped bytes of the diverted value, in order, never with an empty piece.
    /// - Returns: False when the message can be no object, the head is over its limit, nesting is over ``JSONScanner/depthLimit``, or the
    ///   key comes twice; the rest of the message must then be dropped, and every further call answers false.
    public mutating func feed(
        _ bytes: UnsafeRawBufferPointer, began: (UnsafeRawBufferPointer) -> Void = { _ in }, divert: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var at = 0
        while at < bytes.count, state != .failed {
            switch state {
            case .diverted: passRun(bytes, &at, divert)
            case .divertedEscape, .divertedUnicode: unescape(bytes[at], &at, divert)
            case .string: keepRun(bytes, &at)
            case .stringEscape: keepEscaped(bytes[at], &at)
            case .start, .structure, .colon, .ended: step(bytes[at], &at, began)
            case .failed: return false
            }
            if head.count > headLimit { state = .failed }
        }
        return state != .failed
    }

    /// Ends the message and gives its text with the diverted value emptied; no JSON if the message was cut short or refused.
    public mutating func finish() -> [UInt8] {
        let isWhole = state == .ended
        let text = isWhole ? head : []
        head = []
        state = .failed
        return text
    }

    // MARK: The head

    private mutating func step(_ byte: UInt8, _ at: inout Int, _ began: (UnsafeRawBufferPointer) -> Void) {
        at += 1
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D:
            // One blank of a run stays, so that two tokens cannot become one.
            if state == .structure, head.last != 0x20 { head.append(0x20) }
            return
        default: break
        }
        if state == .start {
            guard byte == UInt8(ascii: "{") else { return state = .failed }
            state = .structure
        } else if state == .ended {
            return state = .failed
        } else if state == .colon {
            return pass(colonOrValue: byte, began)
        }
        keep(structural: byte)
    }

    private mutating func keep(structural byte: UInt8) {
        head.append(byte)
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            isKeyDue = depth == 1
            if depth > JSONScanner.depthLimit { state = .failed }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { state = .ended }
        case UInt8(ascii: ","):
            isKeyDue = depth == 1
        case UInt8(ascii: "\""):
            isKey = isKeyDue
            isKeyDue = false
            stringStart = head.count
            isStringEscaped = false
            state = .string
        default:
            break
        }
    }

    /// Behind the sought key: its colon, then the first byte of its value.
    private mutating func pass(colonOrValue byte: UInt8, _ began: (UnsafeRawBufferPointer) -> Void) {
        if byte == UInt8(ascii: ":"), head.last != byte {
            head.append(byte)
            return
        }
        state = .structure
        guard byte == UInt8(ascii: "\""), head.last == UInt8(ascii: ":") else { return keep(structural: byte) }
        guard !hasDiverted else { return state = .failed }
        hasDiverted = true
        head.append(contentsOf: [byte, byte])
        state = .diverted
        headSoFar.withUnsafeBytes(began)
    }

    private mutating func keepRun(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) {
        let stop = ByteRun.stringEnd(bytes, from: at, to: bytes.count)
        guard head.count + (stop - at) <= headLimit else { return state = .failed }
        head.append(contentsOf: bytes[at..<stop])
        at = stop
        guard stop < bytes.count else { return }
        let byte = bytes[stop]
        at += 1
        head.append(byte)
        if byte == UInt8(ascii: "\\") {
            isStringEscaped = true
            state = .stringEscape
        } else if byte == UInt8(ascii: "\"") {
            state = isKey && isSoughtKey() ? .colon : .structure
        } else {
            state = .failed
        }
    }

    private mutating func keepEscaped(_ byte: UInt8, _ at: inout Int) {
        at += 1
        head.append(byte)
        state = .string
    }

    private func isSoughtKey() -> Bool {
        head.withUnsafeBytes { bytes in
            // A key with a broken escape is found by whoever scans the head; it must only not be read past its end here.
            let text = JSONText(range: stringStart..<bytes.count - 1, isEscaped: isStringEscaped)
            guard isStringEscaped else { return text.equals(key, in: bytes) }
            let quoted = UnsafeRawBufferPointer(rebasing: bytes[stringStart - 1..<bytes.count])
            var cursor = JSONCursor(quoted, 1..<quoted.count)
            guard (try? cursor.stringBody()) != nil else { return false }
            return text.equals(key, in: bytes)
        }
    }

    // MARK: The diverted value

    private mutating func passRun(_ bytes: UnsafeRawBufferPointer, _ at: inout Int, _ divert: (UnsafeRawBufferPointer) -> Void) {
        let stop = ByteRun.stringEnd(bytes, from: at, to: bytes.count)
        if stop > at {
            if unicode.high != 0 { return state = .failed }
            divert(UnsafeRawBufferPointer(rebasing: bytes[at..<stop]))
        }
        at = stop
        guard stop < bytes.count else { return }
        at += 1
        switch bytes[stop] {
        case UInt8(ascii: "\\"): state = .divertedEscape
        case UInt8(ascii: "\""): state = unicode.high == 0 ? .structure : .failed
        default: state = .failed
        }
    }

    private mutating func unescape(_ byte: UInt8, _ at: inout Int, _ divert: (UnsafeRawBufferPointer) -> Void) {
        at += 1
        if state == .divertedUnicode { return unescapeDigit(byte, divert) }
        if byte == UInt8(ascii: "u") {
            unicode.digits = 0
            unicode.value = 0
            state = .divertedUnicode
            return
        }
        guard unicode.high == 0, let plain = JSONEscape.simple(byte) else { return state = .failed }
        state = .diverted
        withUnsafeBytes(of: plain, divert)
    }

    private mutating func unescapeDigit(_ byte: UInt8, _ divert: (UnsafeRawBufferPointer) -> Void) {
        guard let digit = HexDigits.value(of: byte) else { return state = .failed }
        unicode.value = unicode.value << 4 | UInt32(digit)
        unicode.digits += 1
        guard unicode.digits == 4 else { return }
        state = .diverted
        let isHigh = unicode.value & 0xFC00 == 0xD800
        let isLow = unicode.value & 0xFC00 == 0xDC00
        guard isLow == (unicode.high != 0) else { return state = .failed }
        if isHigh {
            unicode.high = unicode.value
            return
        }
        let scalar = isLow ? 0x10000 + (unicode.high & 0x3FF) << 10 + (unicode.value & 0x3FF) : unicode.value
        unicode.high = 0
        _ = JSONEscape.withUTF8(scalar) { bytes in
            divert(bytes)
            return true
        }
    }
}
