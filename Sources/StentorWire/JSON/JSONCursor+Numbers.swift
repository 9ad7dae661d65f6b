extension JSONCursor {
    /// Reads a number (RFC 8259 § 6).
    mutating func number() throws(JSONFailure) -> JSONValue {
        let start = at
        let isNegative = take(UInt8(ascii: "-"))
        var mantissa: UInt64 = 0
        var fits = true
        let whole = digits(&mantissa, &fits)
        guard whole > 0 else { throw JSONFailure(at < end ? .badNumber : .truncated, at: at) }
        if whole > 1, bytes[at &- whole] == UInt8(ascii: "0") { throw JSONFailure(.badNumber, at: start) }
        var scale = 0
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            let fraction = digits(&mantissa, &fits)
            guard fraction > 0 else { throw JSONFailure(at < end ? .badNumber : .truncated, at: at) }
            scale = -fraction
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            scale += try exponent()
        }
        if isWhole, fits, let value = Self.signed(mantissa, isNegative) { return .integer(value) }
        return .number(try double(mantissa, scale, isNegative, isExact: fits, from: start))
    }

    @inline(__always)
    private mutating func digits(_ mantissa: inout UInt64, _ fits: inout Bool) -> Int {
        let start = at
        while at < end {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            let (tens, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
            if overflow || carry { fits = false } else { mantissa = sum }
            at &+= 1
        }
        return at &- start
    }

    /// Reads an exponent; its size is capped, as no `Double` reaches so far.
    private mutating func exponent() throws(JSONFailure) -> Int {
        at &+= 1
        let isNegative = take(UInt8(ascii: "-"))
        if !isNegative { _ = take(UInt8(ascii: "+")) }
        var value: UInt64 = 0
        var fits = true
        guard digits(&value, &fits) > 0 else { throw JSONFailure(at < end ? .badNumber : .truncated, at: at) }
        let capped = fits ? Int(min(value, 100_000)) : 100_000
        return isNegative ? -capped : capped
    }

    private static func signed(_ magnitude: UInt64, _ isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude == 1 << 63 ? .min : Int64(exactly: magnitude).map { -$0 }
    }

    /// The nearest `Double`: one exactly rounded operation when mantissa and power of ten are exact (Clinger 1990), else the slow way.
    private func double(
        _ mantissa: UInt64, _ scale: Int, _ isNegative: Bool, isExact: Bool, from start: Int
    ) throws(JSONFailure) -> Double {
        if isExact, mantissa <= 1 << 53, abs(scale) <= 22 {
            var power = 1.0
            for _ in 0..<abs(scale) { power *= 10 }
            let magnitude = scale < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return isNegative ? -magnitude : magnitude
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<at]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw JSONFailure(.badNumber, at: start) }
        return value
    }
}
