/// Appends JSON (RFC 8259) to a byte array that can be used again and again.
///
/// Sets commas by itself; that keys stand in objects only, and that brackets match, is the caller's business. The result is always valid
/// UTF-8. `/` is not escaped.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes an empty writer.
    public init() {}

    /// Makes an empty writer with room for some bytes.
    public init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written; keeps the memory unless told otherwise.
    public mutating func reset(keepingCapacity: Bool = true) {
        bytes.removeAll(keepingCapacity: keepingCapacity)
        needsComma = false
    }

    /// Opens an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Closes the innermost object.
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Opens an array.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Closes the innermost array.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a key; the next call must write its value.
    public mutating func key(_ name: StaticString) {
        separate()
        name.withUTF8Buffer { quote(UnsafeRawBufferPointer($0)) }
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that is known at run time only; the next call must write its value.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        quote(value)
        needsComma = true
    }

    /// Writes a fixed string.
    public mutating func string(_ value: StaticString) {
        separate()
        value.withUTF8Buffer { quote(UnsafeRawBufferPointer($0)) }
        needsComma = true
    }

    /// Writes the opening quote of a string whose characters and closing quote the caller appends to a copy of ``bytes``.
    ///
    /// Made for texts that are sent from elsewhere, such as a large base64 payload; after it only ``reset(keepingCapacity:)`` is allowed.
    public mutating func openString() {
        separate()
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) {
        separate()
        needsComma = true
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int) { integer(Int64(value)) }

    /// Writes a number in the fewest digits that read back the same; NaN and the infinities, which JSON lacks, as `null`.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        raw("\(value)")
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { raw("null") }

    // MARK: Private

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
    }

    private mutating func quote(_ text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var at = 0
        while at < text.count {
            let stop = ByteRun.stringEnd(text, from: at, to: text.count)
            bytes.append(contentsOf: text[at..<stop])
            guard stop < text.count else { break }
            escape(text[stop])
            at = stop + 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default: bytes.append(contentsOf: [0x75, 0x30, 0x30, HexDigits.text(byte >> 4), HexDigits.text(byte & 15)])
        }
    }
}

extension HexDigits {
    /// The lower-case digit of a value of 0...15.
    @inline(__always)
    static func text(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }
}
