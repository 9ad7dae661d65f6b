/// Reads quantities as profiles and flags write them: a number and its unit, without a blank between.
///
/// Every reader returns nil for what it does not accept; the caller knows the place and words the failure with ``expectation``.
public enum Quantity {
    /// A duration: `250ms`, `20s`, `5m`, `8h`, `1h30m`, `1.5s`, `0s`; units ns us ms s m h d, each at most once, largest first.
    public static func duration(_ text: String) -> Duration? {
        var rest = Substring(text)
        var total: Double = 0
        var smallest = Int.max
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard let number = leadingNumber(&rest) else { return nil }
            let unit = rest.prefix { $0.isLetter || $0 == "µ" }
            guard let rank = durationUnits.firstIndex(where: { $0.name == unit }), rank < smallest else { return nil }
            smallest = rank
            rest = rest.dropFirst(unit.count)
            total += number * durationUnits[rank].nanoseconds
        }
        guard total < 9.2e18 else { return nil }
        return .nanoseconds(Int64(total.rounded()))
    }

    /// A size in bytes: `300B`, `64KiB`, `3MiB`, `1GiB`, also `1.5MiB`; a fraction of a byte is refused.
    public static func byteCount(_ text: String) -> Int? {
        var rest = Substring(text)
        guard let number = leadingNumber(&rest), let factor = sizeUnits[String(rest)] else { return nil }
        let bytes = number * factor
        guard bytes == bytes.rounded(), bytes < 9e15 else { return nil }
        return Int(bytes)
    }

    /// A rate in events per second: `200/s`, `12/min`, `3/h`.
    public static func rate(_ text: String) -> Double? {
        var rest = Substring(text)
        guard let number = leadingNumber(&rest), rest.first == "/" else { return nil }
        switch rest.dropFirst() {
        case "s": return number
        case "min", "m": return number / 60
        case "h": return number / 3600
        default: return nil
        }
    }

    /// A share as a fraction in 0...1: `70%`, `0.5%`.
    public static func share(_ text: String) -> Double? {
        var rest = Substring(text)
        guard let number = leadingNumber(&rest), rest == "%", number <= 100 else { return nil }
        return number / 100
    }

    /// A range `A..B` of two quantities, or one quantity for both ends; nil when the ends are the wrong way round.
    public static func range<Bound: Comparable>(_ text: String, of read: (String) -> Bound?) -> ClosedRange<Bound>? {
        guard let dots = rangeSeparator(in: text) else { return read(text).map { $0...$0 } }
        guard let low = read(String(text[..<dots.lowerBound])), let high = read(String(text[dots.upperBound...])), low <= high else {
            return nil
        }
        return low...high
    }

    /// How each kind of quantity is written, for error messages.
    public static let expectation = (
        duration: "a duration such as 250ms, 20s or 1h30m", byteCount: "a size such as 300B, 64KiB or 3MiB",
        rate: "a rate such as 200/s or 12/min", share: "a share such as 70%"
    )

    /// A duration as Stentor prints it: three significant digits and the unit that keeps them short, for instance `12.3 ms`.
    public static func text(_ duration: Duration) -> String {
        secondsText(duration.inSeconds)
    }

    /// Seconds as Stentor prints them; see ``text(_:)``.
    ///
    /// The unit is that of the rounded number: 0.9996 s is `1.00 s`, never `1000 ms`.
    public static func secondsText(_ seconds: Double) -> String {
        guard seconds != 0 else { return "0 s" }
        for unit in printedUnits {
            let value = seconds * unit.perSecond
            if roundedMagnitude(value) < unit.limit { return significant(value) + " " + unit.name }
        }
        return significant(seconds / 3600) + " h"
    }

    /// Bytes as Stentor prints them, with binary units, for instance `3.00 MiB`; the unit is that of the rounded number.
    public static func bytesText(_ bytes: Double) -> String {
        guard bytes.isFinite else { return "\(bytes) B" }
        let whole = bytes.rounded(.toNearestOrAwayFromZero)
        guard abs(whole) >= 1024 else { return "\(Int(whole)) B" }
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var value = bytes / 1024
        var unit = 0
        while roundedMagnitude(value) >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return significant(value) + " " + units[unit]
    }

    /// A byte as two lower-case hexadecimal digits.
    public static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return byte < 16 ? "0" + text : text
    }

    /// A number with three significant digits, without an exponent below a million.
    public static func significant(_ value: Double) -> String {
        fixed(value, decimals: decimals(value))
    }

    private static func decimals(_ value: Double) -> Int {
        let magnitude = abs(value)
        return magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2
    }

    /// What ``significant(_:)`` shows of a number, without its sign.
    private static func roundedMagnitude(_ value: Double) -> Double {
        let scale = [1.0, 10, 100][decimals(value)]
        return (abs(value) * scale).rounded(.toNearestOrAwayFromZero) / scale
    }

    /// A number with a fixed count of decimals (0...9), rounded half away from zero.
    public static func fixed(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, abs(value) < 9e15 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (abs(value) * scale).rounded(.toNearestOrAwayFromZero)
        // Not by division: a quotient that is rounded up leaves a fraction below zero.
        let rest = scaled.truncatingRemainder(dividingBy: scale)
        let whole = Int64((scaled - rest) / scale)
        let fraction = Int64(rest)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let digits = String(fraction)
        return "\(sign)\(whole)." + String(repeating: "0", count: max(0, decimals - digits.count)) + digits
    }

    /// The units of printed durations; a number belongs to the first whose limit it does not reach.
    private static let printedUnits: [(name: String, perSecond: Double, limit: Double)] = [
        ("ns", 1e9, 1000), ("µs", 1e6, 1000), ("ms", 1e3, 1000), ("s", 1, 120), ("min", 1 / 60.0, 120),
    ]
    private static let durationUnits: [(name: String, nanoseconds: Double)] = [
        ("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86400e9),
    ]
    private static let sizeUnits: [String: Double] = [
        "B": 1, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824, "TiB": 1_099_511_627_776,
    ]

    private static func leadingNumber(_ rest: inout Substring) -> Double? {
        let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
        guard let first = digits.first, first != ".", digits.last != ".", let number = Double(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        return number
    }

    private static func rangeSeparator(in text: String) -> Range<String.Index>? {
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == ".", next < text.endIndex, text[next] == "." { return index..<text.index(after: next) }
            index = next
        }
        return nil
    }
}
